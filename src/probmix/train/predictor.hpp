// The network's outputs for given rows, without mixing.
//
// With a random embedding p(y|x) = E_q[p(y|z)]: the predictive density is a mixture of `members`
// densities of equal weight, one for each draw of z. A point embedding has one member, and so has
// a random one whose mean is propagated (members = 0 asks for that). With MC dropout the members
// are of random dropout masks, the same for all rows.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "probmix/nn/network.hpp"

namespace probmix {

// Draws of z: new ones for each row, or the same standard normals for all rows, so that equal rows
// have equal densities wherever they are.
enum class PredictorDraws { for_each_row, for_all_rows };

inline constexpr Index most_members = 10'000;  // draws of a random embedding per prediction

template <class Real>
class Predictor {
 public:
  Predictor(const Network<Real>& network, Index members,
            PredictorDraws draws = PredictorDraws::for_each_row, bool drops = false);

  Index members() const { return members_ == 0 ? 1 : members_; }

  // Overwrites `out` (rows · members × outputs, the members of a row together). The draws of a row
  // depend on the seed and, unless they are for all rows, on its number, `first` + r; but not on
  // which rows are asked for together.
  void operator()(const Real* parameters, View<const Real> x, std::uint64_t seed, Index first,
                  View<Real> out);

 private:
  Index decoder_rows() const { return drops_ ? block_rows_ : block_rows_ * members(); }  // at once
  void run_masks(const Real* parameters, View<const Real> x, std::uint64_t seed, View<Real> out);

  std::shared_ptr<Sequence<Real>> encoder_;
  std::shared_ptr<Sequence<Real>> decoder_;
  Embedding embedding_;
  bool drops_;
  Index members_;
  PredictorDraws draws_;
  Index block_rows_;  // rows, or copies of a row, run through the network at once
  AlignedVector<Real> v_, z_, noise_, keep_, scratch_;
  AlignedVector<Real> copies_;  // of a row, one for each mask of a block
  std::vector<Index> self_;     // a row is its own partner, with λ = 1: z is a draw from q(z|x)
  std::vector<Real> ones_;
};

extern template class Predictor<float>;
extern template class Predictor<double>;

}  // namespace probmix
