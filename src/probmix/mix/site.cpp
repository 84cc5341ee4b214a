#include "probmix/mix/site.hpp"

#include <algorithm>

#include "probmix/kernel/elementwise.hpp"

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
  for_draws(draw, [&](Index m, Index i, Index j) {
    kernel::lerp_forward(draw.lambda[m], x.row(rows[i]), x.row(rows[j]), u.row(m), u.cols);
  });
}

template <class Real>
void mix_forward(Embedding embedding, const SiteDraw<Real>& draw, View<const Real> v, View<Real> u,
                 SiteKept<Real> kept) {
  const Index z = u.cols;
  for_draws(draw, [&](Index m, Index i, Index j) {
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
                  SiteKept<Real> kept, View<const Real> du, Rows columns, View<Real> dv) {
  const Index z = du.cols;
  const Index c = columns.first;
  const Index n = columns.count;
  for (Index r = 0; r < dv.rows; ++r) {
    std::fill_n(dv.row(r) + c, n, Real{0});
    if (embedding != Embedding::point) std::fill_n(dv.row(r) + z + c, n, Real{0});
  }
  for_draws(draw, [&](Index m, Index i, Index j) {
    const Real* const d = du.row(m) + c;
    if (embedding == Embedding::point) {
      kernel::axpy(draw.lambda[m], d, dv.row(i) + c, n);
      kernel::axpy(1 - draw.lambda[m], d, dv.row(j) + c, n);
    } else {
      Real* const dv_i = dv.row(i) + c;
      Real* const dv_j = dv.row(j) + c;
      kernel::fuse_gaussian_backward(draw.lambda[m], v.row(i) + c, v.row(j) + c,
                                     kept.weight + m * z + c, kept.spread + m * z + c, d, dv_i,
                                     dv_i + z, dv_j, dv_j + z, n);
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
                           View<const float>, Rows, View<float>);
template void mix_backward(Embedding, const SiteDraw<double>&, View<const double>, SiteKept<double>,
                           View<const double>, Rows, View<double>);

}  // namespace probmix
