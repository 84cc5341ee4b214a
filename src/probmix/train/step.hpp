// The one training step of all methods:  draw → front → mix → back → risk, and the same in reverse
// for the gradient. A method only says where the network is cut and what is mixed there.
//
// Rows are shared out over the threads of a team; the result does not depend on their number
// (base/row_shares.hpp). Allocates nothing after construction.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "probmix/base/row_shares.hpp"
#include "probmix/base/team.hpp"
#include "probmix/data/dataset.hpp"
#include "probmix/mix/draw.hpp"
#include "probmix/mix/risk.hpp"
#include "probmix/mix/site.hpp"
#include "probmix/nn/network.hpp"
#include "probmix/train/pair_gradients.hpp"

namespace probmix {

// The largest number of rows in play in a batch when a Drawer picks partners on this graph.
Index most_rows_in_play(const Method& method, const MixOptions& options, const Graph& graph,
                        Index batch);

template <class Real>
class Step {
 public:
  // For at most `max_batch` pairs of `max_rows` rows in play; 0: any partners, so two rows per
  // pair. The team must outlive the step.
  Step(const Network<Real>& network, const Family& family, const Method& method,
       const MixOptions& options, Index max_batch, Team& team, Index max_rows = 0);

  // The mean loss of the draw's pairs. Overwrites `gradient` (as the parameters), unless it is
  // null: then only the loss is computed.
  double operator()(const Real* parameters, const Matrix<Real>& x, const Draw<Real>& draw,
                    Real* gradient);

 private:
  // A thread's working memory: one tile on its way through the back part, and the front's gradient.
  struct Worker {
    AlignedVector<Real> noise, u, weight, spread, y, dy, du, dv, keep, scratch;
    Risk::Scratch risk;
  };
  // One call of the step.
  struct Call {
    const Real* parameters;
    const Matrix<Real>& x;
    const Draw<Real>& draw;
    Real* gradient;
    Index rows;    // in play
    Index shares;  // of the rows, and of the pairs
  };

  Memory<Real> front_memory(const Call& call, Rows tile, Worker& worker);
  void run_front(const Call& call);
  double risk_of_responses(const Call& call);
  double run_back(const Call& call);
  double run_back_tile(const Call& call, Rows pairs, Worker& worker, Real* gradient);
  View<Real> gradient_of_rows(Rows rows, Worker& worker);
  void reverse_front(const Call& call);
  void add_shares(const Call& call);

  Real* gradient_of(const Call& call, Index share);
  View<const Real> v(const Call& call) const { return {v_.data(), call.rows, v_.cols()}; }

  Team& team_;
  Site site_;
  Embedding mixed_;  // what is mixed at the site: points or Gaussians
  Index draws_;
  Index max_batch_;
  Index max_rows_;
  Index parameters_;
  std::shared_ptr<Sequence<Real>> front_;
  std::shared_ptr<Sequence<Real>> back_;
  Index steps_;         // length of the sequences in the rows
  Index front_tile_;    // rows of a tile
  Index pair_granule_;  // tiles of pairs start at multiples of it
  Index pair_tile_;     // pairs of a tile
  Risk risk_;
  Risk::Scratch response_scratch_;      // where the densities of two rows are pooled
  Matrix<Real> x_;                      // the rows in play
  Matrix<Real> v_;                      // what the front makes of them
  Matrix<Real> dv_;                     // at the responses
  PairGradients<Real> pair_gradients_;  // at the embedding
  AlignedVector<Real> keep_;            // of the front
  Matrix<Real> share_gradients_;        // except the first share's, which is the caller's
  std::array<double, max_shares> share_loss_{};
  std::vector<Worker> workers_;
};

extern template class Step<float>;
extern template class Step<double>;

}  // namespace probmix
