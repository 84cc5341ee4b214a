// bias_activation_forward and _backward: rows outside, vectors of columns inside.
//
// A matrix whose width is not a multiple of the vector (an output layer of 2 columns) is read as
// one with `fold` times as many columns and as many times fewer rows, in the same memory: no
// partial vectors.
#include <algorithm>
#include <array>
#include <numeric>
#include <type_traits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "probmix/kernel/bias_activation.cpp"
#include <hwy/foreach_target.h>

#include "probmix/kernel/activation-inl.hpp"
#include "probmix/kernel/bias_activation.hpp"
#include "probmix/kernel/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace probmix::kernel {
namespace HWY_NAMESPACE {

constexpr Index max_folded_cols = 1024;  // 4 KiB of stack

// How many rows to read as one: the smallest number that gives whole vectors, or 1.
inline Index fold_of(Index rows, Index cols) {
  const auto lanes = static_cast<Index>(hn::Lanes(Lanes32()));
  const Index fold = cols == 0 ? 1 : lanes / std::gcd(lanes, cols);
  return fold <= rows && fold * cols <= max_folded_cols ? fold : 1;
}

// The first `cols` columns of rows that are `stride` apart.
template <class Act>
void forward_rows(Index rows, Index cols, Index stride, float* y, const float* bias, float* pre) {
  for (Index r = 0; r < rows; ++r) {
    float* y_row = y + r * stride;
    float* pre_row = pre == nullptr ? nullptr : pre + r * stride;
    for_lanes(cols, [&](auto lanes, Index c) HWY_ATTR {
      const Vec32 x = hn::Add(lanes.load(y_row + c), lanes.load(bias + c));
      if (pre_row != nullptr) lanes.store(x, pre_row + c);
      lanes.store(Act::forward(x), y_row + c);
    });
  }
}

void bias_activation_forward_lanes(ColumnActivation act, View<float> y, const float* bias,
                                   float* pre) {
  if (act.columns < y.cols) {
    with_activation(act.kind, [&](auto kind) HWY_ATTR {
      forward_rows<decltype(kind)>(y.rows, act.columns, y.cols, y.data, bias, pre);
    });
    forward_rows<Identity>(y.rows, y.cols - act.columns, y.cols, y.data + act.columns,
                           bias + act.columns, pre == nullptr ? nullptr : pre + act.columns);
    return;
  }
  const Index fold = fold_of(y.rows, y.cols);
  const Index wide = fold * y.cols;
  const Index wide_rows = y.rows / fold;
  const Index done = wide_rows * wide;
  std::array<float, max_folded_cols> repeated;  // not initialised: it may stay unused
  const float* wide_bias = bias;
  if (fold > 1) {
    for (Index k = 0; k < fold; ++k) std::copy_n(bias, y.cols, repeated.data() + k * y.cols);
    wide_bias = repeated.data();
  }
  with_activation(act.kind, [&](auto kind) HWY_ATTR {
    using Act = decltype(kind);
    forward_rows<Act>(wide_rows, wide, wide, y.data, wide_bias, pre);
    forward_rows<Act>(y.rows - wide_rows * fold, y.cols, y.cols, y.data + done, bias,
                      pre == nullptr ? nullptr : pre + done);
  });
}

// One strip of `Count` vectors of columns down the rows; the sums stay in registers.
template <class Act, Index Count, class Lanes>
HWY_INLINE void backward_strip(Lanes lanes, Index rows, Index stride, const float* kept, float* dy,
                               float* dbias) {
  const auto step = static_cast<Index>(hn::Lanes(Lanes32()));
  Vec32 sum0 = constant(0.0F);
  Vec32 sum1 = sum0;
  Vec32 sum2 = sum0;
  Vec32 sum3 = sum0;
  const auto one = [&](Vec32& sum, Index at) HWY_ATTR {
    Vec32 d = lanes.load(dy + at);
    if constexpr (!std::is_same_v<Act, Identity>) {
      d = hn::Mul(d, Act::derivative(lanes.load(kept + at)));
      lanes.store(d, dy + at);
    }
    sum = hn::Add(sum, d);
  };
  for (Index r = 0; r < rows; ++r) {
    one(sum0, r * stride);
    if constexpr (Count == 4) {
      one(sum1, r * stride + step);
      one(sum2, r * stride + 2 * step);
      one(sum3, r * stride + 3 * step);
    }
  }
  lanes.store(hn::Add(lanes.load(dbias), sum0), dbias);
  if constexpr (Count == 4) {
    lanes.store(hn::Add(lanes.load(dbias + step), sum1), dbias + step);
    lanes.store(hn::Add(lanes.load(dbias + 2 * step), sum2), dbias + 2 * step);
    lanes.store(hn::Add(lanes.load(dbias + 3 * step), sum3), dbias + 3 * step);
  }
}

// Blocks of rows bound both the strips' footprint in the cache and the rounding of long sums.
template <class Act>
void backward_rows(Index rows, Index cols, Index stride, const float* kept, float* dy,
                   float* dbias) {
  constexpr Index block = 128;
  const auto step = static_cast<Index>(hn::Lanes(Lanes32()));
  for (Index first = 0; first < rows; first += block) {
    const Index count = std::min(block, rows - first);
    const float* kept_block = kept + first * stride;
    float* dy_block = dy + first * stride;
    Index c = 0;
    for (; c + 4 * step <= cols; c += 4 * step) {
      backward_strip<Act, 4>(WholeVector{}, count, stride, kept_block + c, dy_block + c, dbias + c);
    }
    for_lanes(cols - c, [&](auto lanes, Index k) HWY_ATTR {
      backward_strip<Act, 1>(lanes, count, stride, kept_block + c + k, dy_block + c + k,
                             dbias + c + k);
    });
  }
}

void bias_activation_backward_lanes(ColumnActivation act, View<const float> y, const float* pre,
                                    View<float> dy, float* dbias) {
  if (act.columns < y.cols) {
    with_activation(act.kind, [&](auto kind) HWY_ATTR {
      using Act = decltype(kind);
      backward_rows<Act>(y.rows, act.columns, y.cols, Act::from_pre ? pre : y.data, dy.data, dbias);
    });
    const Index rest = y.cols - act.columns;
    backward_rows<Identity>(y.rows, rest, y.cols, y.data + act.columns, dy.data + act.columns,
                            dbias + act.columns);
    return;
  }
  const Index fold = fold_of(y.rows, y.cols);
  const Index wide = fold * y.cols;
  const Index wide_rows = y.rows / fold;
  const Index done = wide_rows * wide;
  std::array<float, max_folded_cols> repeated;
  float* wide_dbias = dbias;
  if (fold > 1) {
    std::fill_n(repeated.data(), wide, 0.0F);
    wide_dbias = repeated.data();
  }
  with_activation(act.kind, [&](auto kind) HWY_ATTR {
    using Act = decltype(kind);
    const float* kept = Act::from_pre ? pre : y.data;
    backward_rows<Act>(wide_rows, wide, wide, kept, dy.data, wide_dbias);
    backward_rows<Act>(y.rows - wide_rows * fold, y.cols, y.cols, kept + done, dy.data + done,
                       dbias);
  });
  if (fold > 1) {
    for (Index k = 0; k < wide; ++k) dbias[k % y.cols] += repeated[static_cast<std::size_t>(k)];
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace probmix::kernel
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace probmix::kernel {

HWY_EXPORT(bias_activation_forward_lanes);
HWY_EXPORT(bias_activation_backward_lanes);

void bias_activation_forward(ColumnActivation act, View<float> y, const float* bias, float* pre) {
  HWY_DYNAMIC_DISPATCH(bias_activation_forward_lanes)(act, y, bias, pre);
}
void bias_activation_forward(ColumnActivation act, View<double> y, const double* bias,
                             double* pre) {
  naive::bias_activation_forward(act, y, bias, pre);
}

void bias_activation_backward(ColumnActivation act, View<const float> y, const float* pre,
                              View<float> dy, float* dbias) {
  HWY_DYNAMIC_DISPATCH(bias_activation_backward_lanes)(act, y, pre, dy, dbias);
}
void bias_activation_backward(ColumnActivation act, View<const double> y, const double* pre,
                              View<double> dy, double* dbias) {
  naive::bias_activation_backward(act, y, pre, dy, dbias);
}

}  // namespace probmix::kernel
#endif  // HWY_ONCE
