#include "probmix/mix/site.hpp"

#include <algorithm>

#include "probmix/kernel/elementwise.hpp"

namespace probmix {

template <class Real>
void mix_forward(Embedding embedding, const SiteDraw<Real>& draw, View<const Real> v,
                 View<Real> u) {
  const Index z = u.cols;
  for (Index m = 0; m < draw.pairs * draw.draws; ++m) {
    const Real* const v_i = v.row(m / draw.draws);
    const Real* const v_j = v.row(draw.partner[m / draw.draws]);
    if (embedding == Embedding::point) {
      kernel::lerp_forward(draw.lambda[m], v_i, v_j, u.row(m), z);
    } else {
      kernel::fuse_gaussian_forward(draw.lambda[m], v_i, v_i + z, v_j, v_j + z, draw.noise + m * z,
                                    u.row(m), z);
    }
  }
}

template <class Real>
void mix_backward(Embedding embedding, const SiteDraw<Real>& draw, View<const Real> v,
                  View<const Real> du, View<Real> dv) {
  const Index z = du.cols;
  std::fill_n(dv.data, dv.size(), Real{0});
  for (Index m = 0; m < draw.pairs * draw.draws; ++m) {
    const Index i = m / draw.draws;
    const Index j = draw.partner[i];
    if (embedding == Embedding::point) {
      kernel::axpy(draw.lambda[m], du.row(m), dv.row(i), z);
      kernel::axpy(1 - draw.lambda[m], du.row(m), dv.row(j), z);
    } else {
      kernel::fuse_gaussian_backward(draw.lambda[m], v.row(i), v.row(i) + z, v.row(j), v.row(j) + z,
                                     draw.noise + m * z, du.row(m), dv.row(i), dv.row(i) + z,
                                     dv.row(j), dv.row(j) + z, z);
    }
  }
}

template void mix_forward(Embedding, const SiteDraw<float>&, View<const float>, View<float>);
template void mix_forward(Embedding, const SiteDraw<double>&, View<const double>, View<double>);
template void mix_backward(Embedding, const SiteDraw<float>&, View<const float>, View<const float>,
                           View<float>);
template void mix_backward(Embedding, const SiteDraw<double>&, View<const double>,
                           View<const double>, View<double>);

}  // namespace probmix
