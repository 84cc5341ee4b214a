#include "probmix/kernel/softmax.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "probmix/kernel/softmax.cpp"
#include <hwy/foreach_target.h>

#include "probmix/kernel/lanes-inl.hpp"
#include "probmix/kernel/naive_norm.hpp"

HWY_BEFORE_NAMESPACE();
namespace probmix::kernel {
namespace HWY_NAMESPACE {

// A row of at least one vector: whole vectors and, for the rest, the last vector of the row, which
// overlaps them. It is read first and stored last, since masked stores are slow.
struct RowOf {
  Index n;
  Index step = static_cast<Index>(hn::Lanes(Lanes32()));
  Index last = n - step;

  // The lanes of the last vector that no other covers; 0 in the others.
  HWY_INLINE Vec32 only_rest(Vec32 v) const {
    const auto others = static_cast<std::size_t>(step - n % step);
    return hn::IfThenZeroElse(hn::FirstN(Lanes32(), others), v);
  }
  template <class Body>
  HWY_INLINE void for_whole(const Body& body) const {
    for (Index k = 0; k + step <= n; k += step) body(k);
  }
};

HWY_INLINE void forward_row(Vec32 scale, RowOf row, float* x) {
  const Lanes32 d;
  const Vec32 tail = hn::LoadU(d, x + row.last);
  Vec32 most = tail;  // NaN may get lost here, but shows in the sum
  row.for_whole([&](Index k) HWY_ATTR { most = hn::Max(most, hn::LoadU(d, x + k)); });
  const Vec32 largest = hn::MaxOfLanes(d, most);
  const auto weight = [&](Vec32 v)
                          HWY_ATTR { return bounded_exp(hn::Mul(scale, hn::Sub(v, largest))); };
  const Vec32 tail_weight = weight(tail);
  Vec32 sum = row.only_rest(tail_weight);
  row.for_whole([&](Index k) HWY_ATTR {
    const Vec32 e = weight(hn::LoadU(d, x + k));
    hn::StoreU(e, d, x + k);
    sum = hn::Add(sum, e);
  });
  const Vec32 share = hn::Div(constant(1.0F), hn::SumOfLanes(d, sum));
  row.for_whole([&](Index k)
                    HWY_ATTR { hn::StoreU(hn::Mul(share, hn::LoadU(d, x + k)), d, x + k); });
  hn::StoreU(hn::Mul(share, tail_weight), d, x + row.last);
}

HWY_INLINE void backward_row(Vec32 scale, RowOf row, const float* p, float* dp) {
  const Lanes32 d;
  const Vec32 tail_p = hn::LoadU(d, p + row.last);
  const Vec32 tail = hn::LoadU(d, dp + row.last);
  Vec32 sum = row.only_rest(hn::Mul(tail_p, tail));
  row.for_whole([&](Index k)
                    HWY_ATTR { sum = hn::MulAdd(hn::LoadU(d, p + k), hn::LoadU(d, dp + k), sum); });
  const Vec32 along = hn::SumOfLanes(d, sum);
  const auto gradient = [&](Vec32 weight, Vec32 v)
                            HWY_ATTR { return hn::Mul(hn::Mul(scale, weight), hn::Sub(v, along)); };
  row.for_whole([&](Index k) HWY_ATTR {
    hn::StoreU(gradient(hn::LoadU(d, p + k), hn::LoadU(d, dp + k)), d, dp + k);
  });
  hn::StoreU(gradient(tail_p, tail), d, dp + row.last);
}

// A row shorter than a vector, filled up to one.
struct ShortRow {
  HWY_ALIGN float values[hn::MaxLanes(Lanes32())];

  ShortRow(const float* from, Index n, float rest) {
    std::fill(std::begin(values), std::end(values), rest);
    std::copy_n(from, n, values);
  }
};

void softmax_forward_lanes(float scale, View<float> x) {
  const Vec32 factor = constant(scale);
  const RowOf vector{static_cast<Index>(hn::Lanes(Lanes32()))};
  for (Index r = 0; r < x.rows; ++r) {
    if (x.cols >= vector.n) {
      forward_row(factor, RowOf{x.cols}, x.row(r));
    } else {
      ShortRow row(x.row(r), x.cols, -std::numeric_limits<float>::infinity());
      forward_row(factor, vector, row.values);
      std::copy_n(row.values, x.cols, x.row(r));
    }
  }
}

void softmax_backward_lanes(float scale, View<const float> p, View<float> dp) {
  const Vec32 factor = constant(scale);
  const RowOf vector{static_cast<Index>(hn::Lanes(Lanes32()))};
  for (Index r = 0; r < p.rows; ++r) {
    if (p.cols >= vector.n) {
      backward_row(factor, RowOf{p.cols}, p.row(r), dp.row(r));
    } else {
      const ShortRow weights(p.row(r), p.cols, 0.0F);
      ShortRow row(dp.row(r), p.cols, 0.0F);
      backward_row(factor, vector, weights.values, row.values);
      std::copy_n(row.values, p.cols, dp.row(r));
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace probmix::kernel
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace probmix::kernel {

HWY_EXPORT(softmax_forward_lanes);
HWY_EXPORT(softmax_backward_lanes);

void softmax_forward(float scale, View<float> x) {
  HWY_DYNAMIC_DISPATCH(softmax_forward_lanes)(scale, x);
}
void softmax_forward(double scale, View<double> x) { naive::softmax_forward(scale, x); }

void softmax_backward(float scale, View<const float> p, View<float> dp) {
  HWY_DYNAMIC_DISPATCH(softmax_backward_lanes)(scale, p, dp);
}
void softmax_backward(double scale, View<const double> p, View<double> dp) {
  naive::softmax_backward(scale, p, dp);
}

}  // namespace probmix::kernel
#endif  // HWY_ONCE
