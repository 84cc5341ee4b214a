// Between network outputs and rows of Gaussians: the link of gaussian_risk.hpp and its way back.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "probmix/kernel/gaussian_link.cpp"
#include <hwy/foreach_target.h>

#include "probmix/kernel/gaussian_risk.hpp"
#include "probmix/kernel/lanes64-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace probmix::kernel {
namespace HWY_NAMESPACE {

// Plain loops, which the compiler turns into shuffles when the two columns are all there is.
template <class Real>
void split_loop(const GaussianColumns& at, const Real* HWY_RESTRICT out, double* HWY_RESTRICT mean,
                double* HWY_RESTRICT s, Index n) {
  if (at.cols == 2) {
    for (Index r = 0; r < n; ++r) {
      mean[r] = out[2 * r];
      s[r] = out[2 * r + 1];
    }
    return;
  }
  for (Index r = 0; r < n; ++r) {
    mean[r] = out[r * at.cols + at.mean];
    s[r] = out[r * at.cols + at.s];
  }
}

template <class Real>
void join_loop(const GaussianColumns& at, const GaussianGradients& rows, Real* HWY_RESTRICT dout,
               Index n) {
  const double* HWY_RESTRICT precision = rows.precision;
  const double* HWY_RESTRICT pull = rows.pull;
  const double* HWY_RESTRICT slope = rows.slope;
  const double* HWY_RESTRICT dprecision = rows.dprecision;
  if (at.cols == 2) {
    for (Index r = 0; r < n; ++r) {
      dout[2 * r] = static_cast<Real>(-precision[r] * pull[r]);
      dout[2 * r + 1] = static_cast<Real>(-slope[r] * dprecision[r]);
    }
    return;
  }
  for (Index r = 0; r < n; ++r) {
    Real* const row = dout + r * at.cols;
    row[at.mean] = static_cast<Real>(-precision[r] * pull[r]);
    row[at.s] = static_cast<Real>(-slope[r] * dprecision[r]);
  }
}

void split32_lanes(const GaussianColumns& at, const float* out, double* mean, double* s, Index n) {
  split_loop(at, out, mean, s, n);
}
void split64_lanes(const GaussianColumns& at, const double* out, double* mean, double* s, Index n) {
  split_loop(at, out, mean, s, n);
}
void join32_lanes(const GaussianColumns& at, const GaussianGradients& rows, float* dout, Index n) {
  join_loop(at, rows, dout, n);
}
void join64_lanes(const GaussianColumns& at, const GaussianGradients& rows, double* dout, Index n) {
  join_loop(at, rows, dout, n);
}

void link_exp_lanes(const VarianceLink& link, const double* s, double* precision, double* slope,
                    Index n) {
  const Vec64 one = constant64(1.0);
  const Vec64 from = constant64(link.tangent_from);
  const Vec64 floor = constant64(link.floor);
  for_lanes<double>(n, [&](auto lanes, Index r) HWY_ATTR {
    const Vec64 x = lanes.load(s + r);
    const auto beyond = hn::Gt(x, from);  // false for NaN, which goes through
    const Vec64 e = exp(hn::IfThenElse(beyond, from, x));
    const Vec64 factor = hn::Add(one, hn::IfThenElseZero(beyond, hn::Sub(x, from)));
    const Vec64 p = hn::Div(one, hn::Add(floor, hn::Mul(e, factor)));
    lanes.store(p, precision + r);
    lanes.store(hn::Mul(hn::Mul(p, p), e), slope + r);
  });
}

void link_softplus_lanes(const VarianceLink& link, const double* s, double* precision,
                         double* slope, Index n) {
  const Vec64 one = constant64(1.0);
  const Vec64 floor = constant64(link.floor);
  for_lanes<double>(n, [&](auto lanes, Index r) HWY_ATTR {
    const Lanes64 d;
    const Vec64 x = lanes.load(s + r);
    const auto negative = hn::Lt(x, hn::Zero(d));
    const Vec64 e = exp(hn::Neg(hn::Abs(x)));
    const Vec64 softplus = hn::Add(hn::IfThenZeroElse(negative, x), hn::Log1p(d, e));
    const Vec64 p = hn::Div(one, hn::Add(floor, softplus));
    const Vec64 sigmoid = hn::Div(hn::IfThenElse(negative, e, one), hn::Add(one, e));
    lanes.store(p, precision + r);
    lanes.store(hn::Mul(hn::Mul(p, p), sigmoid), slope + r);
  });
}

void log_precision_lanes(const double* precision, double* log_precision, Index n) {
  for_lanes<double>(n, [&](auto lanes, Index r) HWY_ATTR {
    lanes.store(log(lanes.load(precision + r)), log_precision + r);
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace probmix::kernel
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace probmix::kernel {

HWY_EXPORT(split32_lanes);
HWY_EXPORT(split64_lanes);
HWY_EXPORT(join32_lanes);
HWY_EXPORT(join64_lanes);
HWY_EXPORT(link_exp_lanes);
HWY_EXPORT(link_softplus_lanes);
HWY_EXPORT(log_precision_lanes);

void gaussian_split(const GaussianColumns& at, const float* out, double* mean, double* s, Index n) {
  HWY_DYNAMIC_DISPATCH(split32_lanes)(at, out, mean, s, n);
}
void gaussian_split(const GaussianColumns& at, const double* out, double* mean, double* s,
                    Index n) {
  HWY_DYNAMIC_DISPATCH(split64_lanes)(at, out, mean, s, n);
}

void gaussian_join(const GaussianColumns& at, const GaussianGradients& rows, float* dout, Index n) {
  HWY_DYNAMIC_DISPATCH(join32_lanes)(at, rows, dout, n);
}
void gaussian_join(const GaussianColumns& at, const GaussianGradients& rows, double* dout,
                   Index n) {
  HWY_DYNAMIC_DISPATCH(join64_lanes)(at, rows, dout, n);
}

void gaussian_link(const VarianceLink& link, const double* s, double* precision, double* slope,
                   Index n) {
  if (link.softplus) {
    HWY_DYNAMIC_DISPATCH(link_softplus_lanes)(link, s, precision, slope, n);
  } else {
    HWY_DYNAMIC_DISPATCH(link_exp_lanes)(link, s, precision, slope, n);
  }
}

void gaussian_log_precision(const double* precision, double* log_precision, Index n) {
  HWY_DYNAMIC_DISPATCH(log_precision_lanes)(precision, log_precision, n);
}

}  // namespace probmix::kernel
#endif  // HWY_ONCE
