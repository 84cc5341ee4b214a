// Both rows of a pair get a gradient. Pairs leave theirs here, and each row gathers its own in the
// order of the pairs, so that threads need no locks and sums have one order.
#pragma once

#include <span>
#include <vector>

#include "probmix/base/matrix.hpp"
#include "probmix/base/row_shares.hpp"

namespace probmix {

template <class Real>
class PairGradients {
 public:
  PairGradients() = default;
  PairGradients(Index max_pairs, Index max_rows, Index width);

  // The gradients of the pairs' own rows (pair b belongs to row b), and of their partners.
  View<Real> own(Rows pairs) { return {own_.row(pairs.first), pairs.count, own_.cols()}; }
  View<Real> other(Rows pairs) { return {other_.row(pairs.first), pairs.count, other_.cols()}; }

  // partner[b] is the row of pair b's partner, less than `rows`.
  void set_partners(std::span<const Index> partner, Index rows);

  // Overwrites dv with the sums of some rows.
  void gather(Rows rows, View<Real> dv) const;

 private:
  Matrix<Real> own_, other_;
  Index pairs_ = 0;
  std::vector<Index> begin_, partnered_;  // the pairs whose partner is row 0, 1, ..., ascending
};

extern template class PairGradients<float>;
extern template class PairGradients<double>;

}  // namespace probmix
