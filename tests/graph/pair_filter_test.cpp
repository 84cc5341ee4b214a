#include "probmix/graph/pair_filter.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "graph/graph_support.hpp"
#include "probmix/kernel/product.hpp"

namespace probmix {
namespace {

using test::table;

struct Passed {
  Index near = 0;  // pairs whose own distance is the radius
  Index far = 0;   // pairs at twice the radius (squared)
};

// Over all pairs of rows, with |b|² − 2 a·b as the filter computes it.
Passed passed(const Matrix<float>& x) {
  const DistinctRows distinct(x.view());
  const PairFilter filter(distinct);
  PairFilter::Block block;
  filter.load(0, distinct.size(), block);
  const Index n = distinct.size();
  std::vector<float> products(to_size(n * n));
  AlignedVector<float> minus_twice = block.values;
  for (float& value : minus_twice) value *= -2;
  kernel::product(kernel::Product<float>{.m = n,
                                         .n = n,
                                         .k = x.cols(),
                                         .a = {minus_twice.data(), x.cols()},
                                         .b = {block.values.data(), 1, x.cols()},
                                         .c = products.data(),
                                         .c_row = n});
  Passed count;
  for (Index a = 0; a < n; ++a) {
    for (Index b = 0; b < n; ++b) {
      const double distance = distinct.squared_distance(a, b);
      const float sum = products[to_size(a * n + b)] + block.squares[to_size(b)];
      if (sum <= filter.limit(distance, block.squares[to_size(a)])) ++count.near;
      if (sum <= filter.limit(distance / 2, block.squares[to_size(a)])) ++count.far;
    }
  }
  return count;
}

class PairFilterIn : public ::testing::TestWithParam<Index> {
 protected:
  static constexpr Index rows = 150;

  // Never drops a pair within the radius; the limit is useful if it drops the others.
  void expect_safe(const Matrix<float>& x, const std::string& what, bool of_use = true) {
    const Index size = DistinctRows(x.view()).size();
    const Passed count = passed(x);
    EXPECT_EQ(count.near, size * size) << what;
    // A row is always within 0 of itself, and rows may be close by chance.
    if (of_use) {
      EXPECT_LE(count.far, size + size * size / 100) << what;
    }
  }

  Index cols() const { return GetParam(); }
  Stream stream{3, Purpose::test};
};

TEST_P(PairFilterIn, DropsNoNearPair) {
  expect_safe(test::normal_table(rows, cols(), stream), "normal");
  expect_safe(table(rows, cols(), [&](Index, Index) { return stream.below(3); }), "grid");
  // Steps of 1/16 are the finest that floats near 10^6 have.
  expect_safe(table(rows, cols(), [&](Index, Index) { return 1e6 + stream.below(50) / 16.0; }),
              "large offset");
  for (const double scale : {1e-38, 1e-20, 1e19, 1e30, 3e37}) {
    expect_safe(table(rows, cols(), [&](Index, Index) { return scale * stream.normal(); }),
                "scaled");
  }
  expect_safe(table(rows, cols(), [&](Index, Index c) { return c == 0 ? stream.normal() : 1e30; }),
              "constant columns");
  // Rounding decides here: the filter may pass all pairs, but must not drop one.
  for (const double apart : {1e3, 1e5, 1e7}) {
    expect_safe(test::clusters(rows, cols(), 3, apart, stream), "far clusters", false);
  }
  expect_safe(table(rows, cols(), [&](Index r, Index) { return r == 7 ? 1e30 : stream.normal(); }),
              "one huge row");
  expect_safe(table(rows, cols(), [&](Index, Index) { return 1e-44 * stream.below(9); }),
              "denormal", false);
}

INSTANTIATE_TEST_SUITE_P(Columns, PairFilterIn, ::testing::Values(1, 2, 20, 168));

// A huge row in a sample of ordinary ones moves the mean, not the median.
TEST(PairFilter, IsOfUseInSpiteOfAHugeRow) {
  Stream stream(4, Purpose::test);
  const Matrix<float> x =
      table(150, 20, [&](Index r, Index) { return r == 7 ? 1e6 : stream.normal(); });
  EXPECT_LT(passed(x).far, 150 + 150 * 10);
}

TEST(PairFilter, OffersEveryPairAndRefusesRepeats) {
  Stream stream(5, Purpose::test);
  const Matrix<float> x = test::normal_table(1300, 6, stream);  // several tiles, one incomplete
  const DistinctRows distinct(x.view());
  const PairFilter filter(distinct);
  PairFilter::Block queries;
  PairFilter::Block candidates;
  filter.load(100, 250, queries);
  filter.load(0, 1300, candidates);
  NearestSets once(150, 4);
  filter.offer(queries, candidates, once);
  NearestSets twice(150, 4);
  filter.offer(queries, candidates, twice, true);
  filter.offer(queries, candidates, twice, true);
  for (Index q = 0; q < 150; ++q) {
    std::vector<Candidate> all;
    for (Index u = 0; u < 1300; ++u) {
      all.push_back({distinct.squared_distance(100 + q, u), static_cast<std::uint32_t>(u)});
    }
    std::sort(all.begin(), all.end());
    const auto first = once[q].sorted();
    const auto second = twice[q].sorted();
    for (std::size_t r = 0; r < 4; ++r) {
      EXPECT_EQ(first[r].row, all[r].row);
      EXPECT_EQ(first[r].distance, all[r].distance);
      EXPECT_EQ(second[r].row, all[r].row);
    }
  }
}

}  // namespace
}  // namespace probmix
