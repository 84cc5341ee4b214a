// Piecewise-linear functions on every instruction set against the naive twin.
#include "probmix/kernel/knots.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "kernel/kernel_support.hpp"
#include "probmix/kernel/naive_knots.hpp"

namespace probmix::test {
namespace {

using kernel::KnotColumn;

constexpr float no_knot = std::numeric_limits<float>::infinity();

// Three inputs of a row of five: 2, 16 and 21 knots.
struct Knots {
  std::vector<float> padded;
  std::vector<KnotColumn<float>> columns;
  Index values = 0;  // rows of their matrix

  Knots() {
    const Index counts[] = {2, 16, 21};
    for (const Index count : counts) {
      for (Index k = 0; k < count; ++k) {
        padded.push_back(static_cast<float>(k * k) * 0.05F - 1.0F);
      }
      while (padded.size() % to_size(kernel::knot_padding) != 0) padded.push_back(no_knot);
    }
    const float* knots = padded.data();
    const Index inputs[] = {0, 3, 4};
    for (std::size_t c = 0; c < 3; ++c) {
      columns.push_back({inputs[c], counts[c], knots, values});
      values += counts[c] - 1;
      knots += (counts[c] + 15) / 16 * 16;
    }
  }
};

Matrix<float> inputs_of(const Knots& knots, Index rows) {
  Matrix<float> x(rows, 5);
  Stream stream(1, Purpose::test);
  for (Index k = 0; k < rows * 5; ++k) x.data()[k] = static_cast<float>(8 * stream.normal());
  // On knots, at and beyond the ends.
  for (Index k = 0; k < 21; ++k) x(k, 4) = knots.columns[2].knots[k];
  x(0, 3) = -no_knot;
  x(1, 3) = no_knot;
  x(2, 3) = std::nextafter(knots.columns[1].knots[5], -no_knot);
  return x;
}

TEST(Knots, AgreeWithTheNaiveTwin) {
  const Knots knots;
  constexpr Index rows = 40;
  const Matrix<float> x = inputs_of(knots, rows);
  std::vector<float> expected_place(to_size(rows * 6));
  kernel::naive::find_places<float>(knots.columns, x.view(), expected_place.data());
  on_each_target([&] {
    Guarded<float> place(rows * 6);
    kernel::find_places(knots.columns, x.view(), place.data());
    for (std::size_t k = 0; k < expected_place.size(); ++k) {
      ASSERT_EQ(place.data()[k], expected_place[k]) << k;
    }
    for (const Index outputs : sizes) {
      if (outputs == 0) continue;
      const auto values = normals(knots.values * outputs, 2);
      const std::vector<float> v(values.begin(), values.end());
      const auto start = normals(rows * outputs, 3);
      Guarded<float> y(start);
      std::vector<float> expected(start.begin(), start.end());
      kernel::interpolate(knots.columns, place.data(), v.data(), {y.data(), rows, outputs});
      kernel::naive::interpolate<float>(knots.columns, place.data(), v.data(),
                                        {expected.data(), rows, outputs});
      for (std::size_t k = 0; k < expected.size(); ++k) {
        ASSERT_NEAR(y.data()[k], expected[k], 1e-5F) << k << " of " << outputs;
      }
      Guarded<float> dv(values);
      std::vector<float> expected_dv = v;
      const View<const float> dy{expected.data(), rows, outputs};
      kernel::interpolate_backward(knots.columns, place.data(), dy, dv.data());
      kernel::naive::interpolate_backward<float>(knots.columns, place.data(), dy,
                                                 expected_dv.data());
      for (std::size_t k = 0; k < expected_dv.size(); ++k) {
        ASSERT_NEAR(dv.data()[k], expected_dv[k], 1e-4F) << k << " of " << outputs;
      }
    }
  });
}

TEST(Knots, LetNanThrough) {
  const Knots knots;
  Matrix<float> x(1, 5);
  x(0, 3) = std::numeric_limits<float>::quiet_NaN();
  on_each_target([&] {
    std::vector<float> place(6), y(8, 0.0F);
    const std::vector<float> values(to_size(knots.values * 8), 1.0F);
    kernel::find_places(knots.columns, x.view(), place.data());
    kernel::interpolate(knots.columns, place.data(), values.data(), {y.data(), 1, 8});
    EXPECT_TRUE(std::ranges::all_of(y, [](float v) { return std::isnan(v); }));
  });
}

}  // namespace
}  // namespace probmix::test
