#include "probmix/train/pair_gradients.hpp"

#include <algorithm>
#include <numeric>

#include "probmix/kernel/arithmetic.hpp"

namespace probmix {

template <class Real>
PairGradients<Real>::PairGradients(Index max_pairs, Index max_rows, Index width)
    : own_(max_pairs, width),
      other_(max_pairs, width),
      begin_(to_size(max_rows + 1)),
      partnered_(to_size(max_pairs)) {}

template <class Real>
void PairGradients<Real>::set_partners(std::span<const Index> partner, Index rows) {
  pairs_ = std::ssize(partner);
  const auto end = begin_.begin() + rows;
  std::fill(begin_.begin(), end, Index{0});
  for (const Index j : partner) ++begin_[to_size(j)];
  std::partial_sum(begin_.begin(), end, begin_.begin());
  *end = pairs_;
  for (Index b = pairs_; b-- > 0;) {
    partnered_[to_size(--begin_[to_size(partner[to_size(b)])])] = b;
  }
}

template <class Real>
void PairGradients<Real>::gather(Rows rows, View<Real> dv) const {
  for (Index r = 0; r < rows.count; ++r) {
    const Index row = rows.first + r;
    const Index end = begin_[to_size(row + 1)];
    const auto other = [&](Index t) { return other_.row(partnered_[to_size(t)]); };
    Index t = begin_[to_size(row)];
    if (row < pairs_ && t < end) {  // the usual case in one pass
      kernel::add(own_.row(row), other(t++), dv.row(r), dv.cols);
    } else if (row < pairs_) {
      std::copy_n(own_.row(row), dv.cols, dv.row(r));
    } else {
      std::fill_n(dv.row(r), dv.cols, Real{0});
    }
    for (; t < end; ++t) kernel::axpy(Real{1}, other(t), dv.row(r), dv.cols);
  }
}

template class PairGradients<float>;
template class PairGradients<double>;

}  // namespace probmix
