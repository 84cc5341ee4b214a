#include "probmix/mix/site.hpp"

#include <algorithm>

#include "probmix/base/copy_row.hpp"
#include "probmix/base/prefetch.hpp"
#include "probmix/kernel/arithmetic.hpp"
#include "probmix/kernel/fuse_gaussian.hpp"

namespace probmix {

namespace {

// Calls work(m, i, j) for each draw m of the tile's pairs (i, j).
template <class Real, class Work>
void for_draws(const SiteDraw<Real>& draw, Work&& work) {
  Index m = 0;
  for (Index i = draw.pairs.first; i < draw.pairs.first + draw.pairs.count; ++i) {
    for (Index k = 0; k < draw.draws; ++k) work(m++, i, draw.partner[i]);
  }
}

template <class Real>
Real* at(Real* values, Index offset) {
  return values == nullptr ? nullptr : values + offset;
}

}  // namespace

template <class Real>
void mix_rows(const SiteDraw<Real>& draw, const Index* rows, View<const Real> x, View<Real> u) {
  const Index end = draw.pairs.first + draw.pairs.count;
  for_draws(draw, [&](Index m, Index i, Index j) {
    if (m % draw.draws == 0 && i + 8 < end) prefetch(x.row(rows[i + 8]), x.cols);
    const Real lambda = draw.lambda[m];
    if (lambda == 0 || lambda == 1) {
      copy_row(x.row(rows[lambda == 1 ? i : j]), u.cols, u.row(m));
    } else {
      kernel::lerp_forward(lambda, x.row(rows[i]), x.row(rows[j]), u.row(m), u.cols);
    }
  });
}

template <class Real>
void mix_forward(Embedding embedding, const SiteDraw<Real>& draw, View<const Real> v, View<Real> u,
                 SiteKept<Real> kept) {
  const Index z = u.cols;
  const Index end = draw.pairs.first + draw.pairs.count;
  for_draws(draw, [&](Index m, Index i, Index j) {
    if (m % draw.draws == 0 && i + 2 < end) prefetch(v.row(draw.partner[i + 2]), v.cols);
    if (embedding == Embedding::point) {
      kernel::lerp_forward(draw.lambda[m], v.row(i), v.row(j), u.row(m), z);
    } else {
      kernel::fuse_gaussian_forward(draw.lambda[m], v.row(i), v.row(i) + z, v.row(j), v.row(j) + z,
                                    draw.noise + m * z, u.row(m), at(kept.weight, m * z),
                                    at(kept.spread, m * z), z);
    }
  });
}

template <class Real>
void mix_backward(Embedding embedding, const SiteDraw<Real>& draw, View<const Real> v,
                  SiteKept<Real> kept, View<const Real> du, View<Real> own, View<Real> other) {
  const Index z = du.cols;
  for_draws(draw, [&](Index m, Index i, Index j) {
    Real* const d_i = own.row(i - draw.pairs.first);
    Real* const d_j = other.row(i - draw.pairs.first);
    const bool is_first = m % draw.draws == 0;  // of its pair
    if (embedding == Embedding::point) {
      if (is_first) {
        std::fill_n(d_i, own.cols, Real{0});
        std::fill_n(d_j, other.cols, Real{0});
      }
      kernel::axpy(draw.lambda[m], du.row(m), d_i, z);
      kernel::axpy(1 - draw.lambda[m], du.row(m), d_j, z);
    } else {
      kernel::fuse_gaussian_backward(
          draw.lambda[m], v.row(i), v.row(j), kept.weight + m * z, kept.spread + m * z, du.row(m),
          d_i, d_i + z, d_j, d_j + z, z,
          is_first ? kernel::Gradient::overwrites : kernel::Gradient::accumulates);
    }
  });
}

template void mix_rows(const SiteDraw<float>&, const Index*, View<const float>, View<float>);
template void mix_rows(const SiteDraw<double>&, const Index*, View<const double>, View<double>);
template void mix_forward(Embedding, const SiteDraw<float>&, View<const float>, View<float>,
                          SiteKept<float>);
template void mix_forward(Embedding, const SiteDraw<double>&, View<const double>, View<double>,
                          SiteKept<double>);
template void mix_backward(Embedding, const SiteDraw<float>&, View<const float>, SiteKept<float>,
                           View<const float>, View<float>, View<float>);
template void mix_backward(Embedding, const SiteDraw<double>&, View<const double>, SiteKept<double>,
                           View<const double>, View<double>, View<double>);

}  // namespace probmix
