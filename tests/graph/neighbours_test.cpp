#include "probmix/graph/neighbours.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "graph/graph_support.hpp"
#include "probmix/base/error.hpp"
#include "probmix/graph/searches.hpp"
#include "support/message.hpp"

namespace probmix {
namespace {

using test::table;

// The definition: sort all other rows by (distance, row number).
std::vector<std::uint32_t> by_definition(View<const float> x, Index k) {
  std::vector<std::uint32_t> flat;
  for (Index i = 0; i < x.rows; ++i) {
    std::vector<std::pair<double, std::uint32_t>> others;
    for (Index j = 0; j < x.rows; ++j) {
      if (j == i) continue;
      double sum = 0;
      for (Index c = 0; c < x.cols; ++c) {
        const double difference = static_cast<double>(x(i, c)) - static_cast<double>(x(j, c));
        sum += difference * difference;
      }
      others.emplace_back(sum, static_cast<std::uint32_t>(j));
    }
    std::sort(others.begin(), others.end());
    for (std::size_t r = 0; r < static_cast<std::size_t>(k); ++r) {
      flat.push_back(others[r].second);
    }
  }
  return flat;
}

// The exact searches agree with the definition, for the smallest, the paper's, and the largest K.
void expect_right(const Matrix<float>& x, const std::string& what) {
  const Index others = x.rows() - 1;
  const auto order = by_definition(x.view(), others);
  for (const Index k : {Index{1}, Index{2}, Index{5}, x.rows() / 2, x.rows() - 1}) {
    if (k < 1 || k >= x.rows()) continue;
    std::vector<std::uint32_t> expected;
    for (Index row = 0; row < x.rows(); ++row) {
      const auto first = order.begin() + row * others;
      expected.insert(expected.end(), first, first + k);
    }
    for (const Search search : {Search::tree, Search::scan, Search::automatic}) {
      const Neighbours found = k_nearest(x.view(), k, search, k % 3 + 1);
      EXPECT_TRUE(found.exact());
      EXPECT_EQ(found.rows, x.rows());
      EXPECT_EQ(found.k, k);
      EXPECT_EQ(found.flat, expected) << what << ", " << x.rows() << " × " << x.cols()
                                      << ", K = " << k << ", search " << static_cast<int>(search);
    }
  }
}

class NeighboursIn : public ::testing::TestWithParam<Index> {
 protected:
  Index cols() const { return GetParam(); }
  Stream stream{1, Purpose::test};
};

TEST_P(NeighboursIn, RandomTables) {
  for (const Index rows : {2, 3, 15, 16, 17, 100, 300}) {
    expect_right(table(rows, cols(), [&](Index, Index) { return stream.normal(); }), "normal");
  }
}

TEST_P(NeighboursIn, TablesOfDuplicates) {
  for (const std::uint32_t distinct : {1U, 2U, 7U}) {
    const auto originals = table(distinct, cols(), [&](Index, Index) { return stream.normal(); });
    std::vector<std::uint32_t> from(90);
    for (auto& row : from) row = stream.below(distinct);
    expect_right(
        table(90, cols(),
              [&](Index r, Index c) { return originals(from[static_cast<std::size_t>(r)], c); }),
        "duplicates");
  }
}

// Many rows at exactly the distance of the K-th neighbour.
TEST_P(NeighboursIn, TiesOnAGrid) {
  expect_right(table(200, cols(), [&](Index, Index) { return stream.below(3); }), "grid");
  expect_right(table(200, cols(), [&](Index, Index) { return 0.1 * stream.below(4); }), "tenths");
  // All points of a square lattice, in shuffled order.
  std::vector<Index> order(225);
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Index>(i);
  shuffle(order.begin(), 225, stream);
  expect_right(table(225, cols(),
                     [&](Index r, Index c) {
                       const Index at = order[static_cast<std::size_t>(r)];
                       return c == 0 ? at % 15 : c == 1 ? at / 15 : 0;
                     }),
               "lattice");
}

TEST_P(NeighboursIn, ConstantFeaturesDoNotMatter) {
  expect_right(table(60, cols(), [](Index, Index) { return 3.5; }), "constant");
  auto x = table(60, cols(), [&](Index, Index) { return stream.normal(); });
  const auto without = k_nearest(x.view(), 5);
  Matrix<float> padded = table(60, cols() + 2, [&](Index r, Index c) {
    return c == 0 ? -7.0 : c == cols() + 1 ? 1e30 : static_cast<double>(x(r, c - 1));
  });
  EXPECT_EQ(k_nearest(padded.view(), 5).flat, without.flat);
}

// Float sums of squares cannot tell such rows apart: all digits cancel.
TEST_P(NeighboursIn, LargeOffsetsAndFarClusters) {
  expect_right(table(80, cols(), [&](Index, Index) { return 1e6 + stream.below(20) / 16.0; }),
               "large offset");
  for (const double apart : {1e3, 1e6}) {
    expect_right(test::clusters(80, cols(), 4, apart, stream), "far clusters");
  }
  for (const double huge : {1e6, 1e19, 1e30}) {
    expect_right(
        table(80, cols(), [&](Index r, Index) { return r == 40 ? huge : stream.normal(); }),
        "one huge row");
  }
}

TEST_P(NeighboursIn, ExtremeMagnitudes) {
  for (const double scale : {1e-40, 1e-20, 1e19, 1e30, 3e37}) {
    expect_right(table(50, cols(), [&](Index, Index) { return scale * stream.normal(); }),
                 "scaled");
  }
  const double largest = std::numeric_limits<float>::max();
  expect_right(
      table(50, cols(), [&](Index, Index) { return stream.below(2) == 0 ? largest : -largest; }),
      "largest");
  // 0 and −0 are equal, though not the same bits.
  expect_right(table(50, cols(), [&](Index, Index) { return stream.below(2) == 0 ? 0.0 : -0.0; }),
               "zeros");
}

INSTANTIATE_TEST_SUITE_P(Columns, NeighboursIn, ::testing::Values(1, 2, 3, 8, 16, 40));

// Several blocks of queries and of candidates.
TEST(Neighbours, OfManyRowsInManyColumns) {
  Stream stream(6, Purpose::test);
  const Matrix<float> x = test::normal_table(1050, 30, stream);
  const Neighbours scan = k_nearest(x.view(), 5, Search::scan);
  EXPECT_EQ(scan.flat, by_definition(x.view(), 5));
  EXPECT_EQ(scan.flat, k_nearest(x.view(), 5, Search::scan, 3).flat);
  EXPECT_EQ(scan.used, Search::scan);
}

TEST(Neighbours, OfManyRowsByTheTree) {
  Stream stream(7, Purpose::test);
  const Matrix<float> x = test::normal_table(6000, 2, stream);
  const Neighbours tree = k_nearest(x.view(), 5, Search::tree);
  EXPECT_EQ(tree.used, Search::tree);
  EXPECT_EQ(tree.flat, k_nearest(x.view(), 5, Search::tree, 3).flat);
  EXPECT_EQ(tree.flat, k_nearest(x.view(), 5, Search::scan).flat);
}

TEST(Neighbours, OfTiesOnALine) {
  const Matrix<float> x = table(5, 1, [](Index r, Index) { return r; });
  const Neighbours found = k_nearest(x.view(), 2);
  EXPECT_EQ(found.flat, (std::vector<std::uint32_t>{1, 2, 0, 2, 1, 3, 2, 4, 3, 2}));
  EXPECT_EQ(found.of(3)[1], 4U);
}

// Without columns all rows are equal.
TEST(Neighbours, OfATableWithoutColumns) { expect_right(Matrix<float>(4, 0), "no columns"); }

// Searching from each of the rows would take minutes.
TEST(Neighbours, ManyDuplicatesAreCheap) {
  const Matrix<float> x = table(100'000, 2, [](Index r, Index) { return r % 2; });
  for (const Search search : {Search::tree, Search::scan, Search::forest, Search::automatic}) {
    const Neighbours found = k_nearest(x.view(), 2, search);
    EXPECT_EQ(found.of(0)[0], 2U);
    EXPECT_EQ(found.of(99'999)[0], 1U);
    EXPECT_EQ(found.of(99'999)[1], 3U);
  }
}

// The dimension of the data matters, not the number of columns.
TEST(Neighbours, TheTreeIsLeftForTheScanInManyDimensions) {
  Stream stream(2, Purpose::test);
  const auto used = [](const Matrix<float>& x, Search search) {
    return k_nearest(x.view(), 5, search).used;
  };
  const Matrix<float> plane =
      table(8000, 40, [&](Index, Index c) { return c < 2 ? stream.normal() : 1; });
  const Matrix<float> full = test::normal_table(3000, 40, stream);
  for (const Search search : {Search::exact, Search::automatic}) {
    EXPECT_EQ(used(plane, search), Search::tree);
    EXPECT_EQ(used(full, search), Search::scan);
  }
}

// The tree's pilot gives up within the allowed work, and leaves the result alone.
TEST(Neighbours, TheTreeIsLeftAtALimitOfWork) {
  Stream stream(3, Purpose::test);
  const Matrix<float> x = test::normal_table(2000, 2, stream);
  const DistinctRows distinct(x.view());
  Neighbours out{x.rows(), 5, std::vector<std::uint32_t>(10'000, 77)};
  EXPECT_FALSE(search_tree(distinct, out, 1, 1e6));
  EXPECT_EQ(out.flat, std::vector<std::uint32_t>(10'000, 77));
  EXPECT_TRUE(search_tree(distinct, out, 1, 1e8));
}

TEST(Neighbours, ExactUpToALimitOfWork) {
  const auto scans = [](double size, Index cols) {
    return size * size <= most_exact_pairs(static_cast<Index>(size), cols);
  };
  EXPECT_TRUE(scans(100'000, 20));
  EXPECT_FALSE(scans(110'000, 20));
  EXPECT_TRUE(scans(46'000, 168));
  EXPECT_FALSE(scans(47'000, 168));
}

TEST(Neighbours, OnlyAutomaticIsApproximateBeyondTheLimit) {
  Stream stream(4, Purpose::test);
  const auto used = [](const Matrix<float>& x, Search search, double limit) {
    Neighbours out{x.rows(), 5, std::vector<std::uint32_t>(to_size(x.rows() * 5))};
    return search_by(search, DistinctRows(x.view()), out, 1, limit);
  };
  const Matrix<float> full = test::normal_table(600, 20, stream);
  EXPECT_EQ(used(full, Search::automatic, 600 * 600), Search::scan);
  EXPECT_EQ(used(full, Search::automatic, 600 * 600 - 1), Search::forest);
  EXPECT_EQ(used(full, Search::exact, 0), Search::scan);
  EXPECT_EQ(used(full, Search::tree, 0), Search::tree);
  EXPECT_EQ(used(full, Search::forest, 1e12), Search::forest);
  // The tree is exact within the limit, the scan is not.
  const Matrix<float> line = test::normal_table(20'000, 1, stream);
  EXPECT_EQ(used(line, Search::automatic, 2e8), Search::tree);
}

TEST(Neighbours, KMustLieBetweenOneAndRowsLessOne) {
  const Matrix<float> x = table(4, 2, [](Index r, Index) { return r; });
  for (const Index k : {-1, 0, 4, 5}) EXPECT_THROW(k_nearest(x.view(), k), UsageError) << k;
  EXPECT_THROW(k_nearest(Matrix<float>(1, 2).view(), 1), UsageError);
  EXPECT_THROW(k_nearest(Matrix<float>().view(), 1), UsageError);
  EXPECT_THROW(k_nearest(x.view(), 1, Search::automatic, 0), UsageError);
  EXPECT_EQ(test::message_of<UsageError>([&] { k_nearest(x.view(), 4); }),
            "K (number of neighbours) must lie in [1, n-1] with n = 4 rows, but it is 4");
}

TEST(Neighbours, ValuesMustBeFinite) {
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    Matrix<float> x = table(9, 3, [](Index r, Index) { return r; });
    x(7, 2) = bad;
    const std::string text =
        test::message_of<Error>([&] { k_nearest(std::as_const(x).view(), 2); });
    EXPECT_NE(text.find("row 8, feature 3"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace probmix
