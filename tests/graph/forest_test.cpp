// The approximate search.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "graph/graph_support.hpp"
#include "probmix/graph/graph.hpp"
#include "probmix/graph/searches.hpp"

namespace probmix {
namespace {

constexpr Index k = 5;
// Far more leaves than the defaults would give these small tables.
constexpr Forest small{.trees = 12, .leaf_rows = 150};

Neighbours by_forest(const Matrix<float>& x, Index threads = 1, Forest forest = small) {
  Neighbours out{x.rows(), k, std::vector<std::uint32_t>(to_size(x.rows() * k), 0xffffffff)};
  search_forest(DistinctRows(x.view()), out, threads, forest);
  return out;
}

// The share of the nearest neighbours that were found; also checks that the result is k other rows,
// ordered by the exact rule.
double recall(const Matrix<float>& x, const Neighbours& found) {
  const Neighbours exact = k_nearest(x.view(), k, Search::scan);
  Index hits = 0;
  for (Index r = 0; r < x.rows(); ++r) {
    const std::set<std::uint32_t> distinct(found.of(r).begin(), found.of(r).end());
    EXPECT_EQ(std::ssize(distinct), k);
    EXPECT_FALSE(distinct.contains(static_cast<std::uint32_t>(r)));
    std::vector<Candidate> order;
    for (const std::uint32_t j : found.of(r)) {
      EXPECT_LT(j, x.rows());
      order.push_back({squared_distance(x.row(r), x.row(j), x.cols()), j});
    }
    EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
    for (const std::uint32_t j : exact.of(r)) hits += distinct.contains(j) ? 1 : 0;
  }
  return static_cast<double>(hits) / static_cast<double>(x.rows() * k);
}

TEST(Forest, FindsMostNeighboursInManyDimensions) {
  Stream stream(1, Purpose::test);
  const Matrix<float> x = test::normal_table(3000, 20, stream);
  const double few = recall(x, by_forest(x, 1, {.trees = 3, .leaf_rows = 150}));
  const double more = recall(x, by_forest(x));
  EXPECT_GT(few, 0.3);
  EXPECT_LT(few, 0.7);
  EXPECT_GT(more, 0.8);
  EXPECT_GT(recall(x, by_forest(x, 1, {})), 0.99);
}

TEST(Forest, FindsNearlyAllInFewDimensions) {
  Stream stream(2, Purpose::test);
  const Matrix<float> plane = test::normal_table(3000, 2, stream);
  EXPECT_GT(recall(plane, by_forest(plane)), 0.999);
  const Matrix<float> far = test::clusters(3000, 20, 40, 1e3, stream);
  EXPECT_GT(recall(far, by_forest(far)), 0.9);
  // Three factors and noise in 20 columns.
  const Matrix<float> factors = test::normal_table(3000, 3, stream);
  const Matrix<float> loadings = test::normal_table(3, 20, stream);
  const Matrix<float> mixed = test::table(3000, 20, [&](Index r, Index c) {
    double sum = 0.05 * stream.normal();
    for (Index f = 0; f < 3; ++f) sum += static_cast<double>(factors(r, f) * loadings(f, c));
    return sum;
  });
  EXPECT_GT(recall(mixed, by_forest(mixed)), 0.98);
}

TEST(Forest, DuplicatesAndConstantColumnsAreHarmless) {
  Stream stream(3, Purpose::test);
  Matrix<float> x = test::normal_table(3000, 6, stream);
  for (Index r = 0; r < x.rows(); ++r) {
    x(r, 2) = 1e30F;
    x(r, 4) = 0;
    if (r % 10 != 0) std::copy_n(x.row(r % 3), 6, x.row(r));
  }
  EXPECT_GT(recall(x, by_forest(x)), 0.98);
  const Matrix<float> constant(600, 3);
  EXPECT_EQ(recall(constant, by_forest(constant)), 1);
}

TEST(Forest, ExtremeMagnitudes) {
  Stream stream(4, Purpose::test);
  for (const double scale : {1e-30, 1e30, 1e38}) {
    const Matrix<float> x =
        test::table(1000, 3, [&](Index, Index) { return scale * stream.uniform(); });
    EXPECT_GT(recall(x, by_forest(x)), 0.99);
  }
}

TEST(Forest, IsExactWithinOneLeaf) {
  Stream stream(5, Purpose::test);
  const Matrix<float> x = test::normal_table(500, 20, stream);
  EXPECT_EQ(recall(x, by_forest(x, 1, {.trees = 3, .leaf_rows = 500})), 1);
  const Neighbours found = k_nearest(x.view(), k, Search::forest);
  EXPECT_EQ(found.flat, k_nearest(x.view(), k, Search::scan).flat);
  EXPECT_EQ(found.used, Search::forest);
  EXPECT_FALSE(found.exact());
}

// Leaves grow with K, so that every row finds K others.
TEST(Forest, ManyNeighbours) {
  Stream stream(6, Purpose::test);
  const Matrix<float> x = test::normal_table(400, 3, stream);
  for (const Index many : {99, 399}) {
    Neighbours out{400, many, std::vector<std::uint32_t>(to_size(400 * many), 0xffffffff)};
    search_forest(DistinctRows(x.view()), out, 1, small);
    EXPECT_LT(*std::ranges::max_element(out.flat), 400U) << many;
  }
}

TEST(Forest, SameResultWhateverTheNumberOfThreads) {
  Stream stream(7, Purpose::test);
  const Matrix<float> x = test::clusters(5000, 8, 10, 2, stream);
  const Neighbours one = by_forest(x);
  for (const Index threads : {2, 3}) EXPECT_EQ(by_forest(x, threads).flat, one.flat);
}

TEST(Forest, TheGraphKnowsWhetherItIsExact) {
  Stream stream(8, Purpose::test);
  const Matrix<float> x = test::normal_table(50, 2, stream);
  EXPECT_TRUE(Graph::nearest(x.view(), k, 2).is_exact());
  EXPECT_TRUE(Graph::complete(5).is_exact());
}

}  // namespace
}  // namespace probmix
