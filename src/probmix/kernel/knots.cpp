// find_places, interpolate and interpolate_backward.
#include <algorithm>
#include <array>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "probmix/kernel/knots.cpp"
#include <hwy/foreach_target.h>

#include "probmix/kernel/knots.hpp"
#include "probmix/kernel/lanes-inl.hpp"
#include "probmix/kernel/naive_knots.hpp"

HWY_BEFORE_NAMESPACE();
namespace probmix::kernel {
namespace HWY_NAMESPACE {

using Columns = std::span<const KnotColumn<float>>;

// The knots up to x are counted.
void find_places_lanes(Columns columns, View<const float> x, float* place) {
  const hn::CappedTag<float, knot_padding> d;
  const auto step = static_cast<Index>(hn::Lanes(d));
  for (Index r = 0; r < x.rows; ++r) {
    const float* const row = x.row(r);
    for (const KnotColumn<float>& column : columns) {
      const float at = row[column.input];
      const auto wanted = hn::Set(d, at);
      Index below = 0;
      for (Index k = 0; k < column.count; k += step) {
        const auto is_below = hn::Le(hn::LoadU(d, column.knots + k), wanted);
        below += static_cast<Index>(hn::CountTrue(d, is_below));
      }
      const Index left = std::clamp<Index>(below - 1, 0, column.count - 2);
      *place++ = static_cast<float>(left);
      *place++ = naive::share_of(column, left, at);
    }
  }
}

// Columns that all rows pass through together: their values stay in the cache, and a few vectors of
// y in registers. The order of the sums does not depend on it.
constexpr std::size_t together = 8;

struct Gathered {
  const float* left;
  const float* right;
  float left_weight, right_weight;
};

template <Index vectors>
HWY_INLINE void add_block(const Gathered* from, std::size_t count, Index k, float* y) {
  const auto step = static_cast<Index>(hn::Lanes(Lanes32()));
  std::array<Vec32, vectors> sum;
  for (Index v = 0; v < vectors; ++v)
    sum[static_cast<std::size_t>(v)] = WholeVector{}.load(y + v * step);
  for (std::size_t c = 0; c < count; ++c) {
    const Vec32 a = constant(from[c].left_weight), b = constant(from[c].right_weight);
    const float* const left = from[c].left + k;
    const float* const right = from[c].right + k;
    for (Index v = 0; v < vectors; ++v) {
      Vec32& s = sum[static_cast<std::size_t>(v)];
      s = hn::MulAdd(a, WholeVector{}.load(left + v * step), s);
      s = hn::MulAdd(b, WholeVector{}.load(right + v * step), s);
    }
  }
  for (Index v = 0; v < vectors; ++v)
    WholeVector{}.store(sum[static_cast<std::size_t>(v)], y + v * step);
}

void interpolate_row(std::span<const Gathered> from, Index cols, float* row) {
  const auto step = static_cast<Index>(hn::Lanes(Lanes32()));
  Index k = 0;
  for (; k + 4 * step <= cols; k += 4 * step) add_block<4>(from.data(), from.size(), k, row + k);
  for (; k + step <= cols; k += step) add_block<1>(from.data(), from.size(), k, row + k);
  if (k == cols) return;
  const FirstLanes rest{static_cast<std::size_t>(cols - k)};
  Vec32 sum = rest.load(row + k);
  for (const Gathered& of : from) {
    sum = hn::MulAdd(constant(of.left_weight), rest.load(of.left + k), sum);
    sum = hn::MulAdd(constant(of.right_weight), rest.load(of.right + k), sum);
  }
  rest.store(sum, row + k);
}

void interpolate_lanes(Columns columns, const float* place, const float* values, View<float> y) {
  std::array<Gathered, together> from;
  for (std::size_t first = 0; first < columns.size(); first += together) {
    const std::size_t count = std::min(together, columns.size() - first);
    for (Index r = 0; r < y.rows; ++r) {
      const float* at = place + 2 * (to_size(r) * columns.size() + first);
      for (std::size_t c = 0; c < count; ++c, at += 2) {
        const auto left = static_cast<Index>(at[0]);
        const float* const right = values + (columns[first + c].first + left) * y.cols;
        // The first knot has the value 0.
        from[c] = {left > 0 ? right - y.cols : right, right, left > 0 ? 1 - at[1] : 0, at[1]};
      }
      interpolate_row({from.data(), count}, y.cols, y.row(r));
    }
  }
}

// Column by column, as its gradients then stay in the cache.
void interpolate_backward_lanes(Columns columns, const float* place, View<const float> dy,
                                float* dvalues) {
  for (std::size_t c = 0; c < columns.size(); ++c) {
    for (Index r = 0; r < dy.rows; ++r) {
      const float* const row = dy.row(r);
      const float* const at = place + 2 * (to_size(r) * columns.size() + c);
      const auto left = static_cast<Index>(at[0]);
      float* const right = dvalues + (columns[c].first + left) * dy.cols;
      const Vec32 a = constant(1 - at[1]), b = constant(at[1]);
      for_lanes(dy.cols, [&](auto lanes, Index k) HWY_ATTR {
        const Vec32 d = lanes.load(row + k);
        if (left > 0) {
          float* const to = right - dy.cols + k;
          lanes.store(hn::MulAdd(a, d, lanes.load(to)), to);
        }
        lanes.store(hn::MulAdd(b, d, lanes.load(right + k)), right + k);
      });
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace probmix::kernel
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace probmix::kernel {

HWY_EXPORT(find_places_lanes);
HWY_EXPORT(interpolate_lanes);
HWY_EXPORT(interpolate_backward_lanes);

void find_places(std::span<const KnotColumn<float>> columns, View<const float> x, float* place) {
  HWY_DYNAMIC_DISPATCH(find_places_lanes)(columns, x, place);
}
void find_places(std::span<const KnotColumn<double>> columns, View<const double> x, double* place) {
  naive::find_places(columns, x, place);
}

void interpolate(std::span<const KnotColumn<float>> columns, const float* place,
                 const float* values, View<float> y) {
  HWY_DYNAMIC_DISPATCH(interpolate_lanes)(columns, place, values, y);
}
void interpolate(std::span<const KnotColumn<double>> columns, const double* place,
                 const double* values, View<double> y) {
  naive::interpolate(columns, place, values, y);
}

void interpolate_backward(std::span<const KnotColumn<float>> columns, const float* place,
                          View<const float> dy, float* dvalues) {
  HWY_DYNAMIC_DISPATCH(interpolate_backward_lanes)(columns, place, dy, dvalues);
}
void interpolate_backward(std::span<const KnotColumn<double>> columns, const double* place,
                          View<const double> dy, double* dvalues) {
  naive::interpolate_backward(columns, place, dy, dvalues);
}

}  // namespace probmix::kernel
#endif  // HWY_ONCE
