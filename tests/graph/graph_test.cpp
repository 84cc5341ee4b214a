// Every statistical bound here fails by chance with probability at most 1e-9
// (support/statistics.hpp); there are fewer than 50.
#include "probmix/graph/graph.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "probmix/base/error.hpp"
#include "support/statistics.hpp"
#include "support/tolerance.hpp"

namespace probmix {
namespace {

Matrix<float> random_table(Index rows, Index cols) {
  Stream stream(1, Purpose::test);
  Matrix<float> x(rows, cols);
  for (Index k = 0; k < rows * cols; ++k) x.data()[k] = static_cast<float>(stream.normal());
  return x;
}

std::vector<Edge> random_edges(Index rows, int count) {
  Stream stream(2, Purpose::test);
  const auto row = [&] {
    return static_cast<Index>(stream.below(static_cast<std::uint32_t>(rows)));
  };
  std::vector<Edge> edges;
  for (int e = 0; e < count; ++e) {
    const Index from = row();
    edges.push_back({from, row(), std::exp(3 * stream.normal())});
  }
  return edges;
}

// w_ij / Σ_j w_ij by definition.
std::vector<double> partners_by_definition(Index rows, const std::vector<Edge>& edges, Index i) {
  std::vector<double> probability(static_cast<std::size_t>(rows));
  double total = 0;
  for (const Edge& edge : edges) {
    if (edge.from != i) continue;
    probability[static_cast<std::size_t>(edge.to)] += edge.weight;
    total += edge.weight;
  }
  for (double& p : probability) p = total > 0 ? p / total : 0;
  if (total == 0) probability[static_cast<std::size_t>(i)] = 1;
  return probability;
}

std::vector<double> probabilities(const Graph& graph, Index i) {
  std::vector<double> probability;
  for (Index j = 0; j < graph.rows(); ++j) probability.push_back(graph.probability(i, j));
  return probability;
}

// Drawn partners of row i against the probabilities that the graph states.
double drawn_against_stated(const Graph& graph, Index i) {
  Stream stream(3, Purpose::test, static_cast<std::uint64_t>(i));
  std::vector<long> counts(static_cast<std::size_t>(graph.rows()));
  for (int draw = 0; draw < 50'000; ++draw) {
    ++counts.at(static_cast<std::size_t>(graph.draw_partner(i, stream)));
  }
  return test::chi_square_ratio(counts, probabilities(graph, i));
}

// Drawing partners of many rows at once equals drawing them one by one, for every kind of graph.
TEST(Graph, ManyPartnersAreTheDrawsOneByOne) {
  const Matrix<float> x = random_table(20, 2);
  const Graph graphs[] = {Graph::complete(20), Graph::nearest(x.view(), 3),
                          Graph::edges(20, random_edges(20, 60))};
  const std::vector<Index> rows{4, 19, 0, 4, 7};
  for (const Graph& graph : graphs) {
    Stream together(5, Purpose::test);
    Stream alone(5, Purpose::test);
    std::vector<Index> partners(rows.size());
    graph.draw_partners(rows, together, partners.data());
    for (std::size_t b = 0; b < rows.size(); ++b) {
      EXPECT_EQ(partners[b], graph.draw_partner(rows[b], alone));
    }
  }
  EXPECT_FALSE(graphs[0].is_weighted() || graphs[1].is_weighted());
  EXPECT_TRUE(graphs[2].is_weighted());
}

TEST(CompleteGraph, PartnersAreAllRowsAlike) {
  const Graph graph = Graph::complete(20);
  EXPECT_TRUE(graph.is_complete());
  EXPECT_EQ(graph.rows(), 20);
  for (Index i = 0; i < 20; i += 7) {
    EXPECT_EQ(graph.weight(i), 1);
    EXPECT_EQ(probabilities(graph, i), std::vector<double>(20, 1.0 / 20));
    EXPECT_LT(drawn_against_stated(graph, i), 1);
  }
  Stream stream(1, Purpose::test);
  EXPECT_EQ(Graph::complete(1).draw_partner(0, stream), 0);
  EXPECT_THROW(Graph::complete(0), UsageError);
}

TEST(NearestGraph, PartnersAreTheNearestRowsAlike) {
  const Matrix<float> x = random_table(40, 3);
  const Neighbours neighbours = k_nearest(x.view(), 5);
  const Graph graph = Graph::nearest(x.view(), 5);
  EXPECT_FALSE(graph.is_complete());
  EXPECT_EQ(graph.rows(), 40);
  for (Index i = 0; i < 40; i += 13) {
    std::vector<double> expected(40);
    for (const std::uint32_t j : neighbours.of(i)) expected[j] = 0.2;
    EXPECT_EQ(graph.weight(i), 1);
    EXPECT_EQ(probabilities(graph, i), expected);
    EXPECT_LT(drawn_against_stated(graph, i), 1);
  }
  EXPECT_THROW(Graph::nearest(x.view(), 40), UsageError);
}

TEST(EdgeGraph, AliasTablesHoldTheProbabilities) {
  for (const Index rows : {1, 2, 5, 30}) {
    for (const int count : {1, 10, 1000}) {
      const auto edges = random_edges(rows, count);
      const Graph graph = Graph::edges(rows, edges);
      EXPECT_FALSE(graph.is_complete());
      ASSERT_EQ(graph.rows(), rows);
      for (Index i = 0; i < rows; ++i) {
        const auto expected = partners_by_definition(rows, edges, i);
        for (Index j = 0; j < rows; ++j) {
          EXPECT_NEAR(graph.probability(i, j), expected[static_cast<std::size_t>(j)],
                      test::double_rounding);
        }
      }
    }
  }
}

TEST(EdgeGraph, PartnersAreDrawnInProportionToTheirWeights) {
  // Expected counts of at least 50: the smallest probability is 1/78.
  std::vector<Edge> edges;
  for (Index j = 0; j < 12; ++j) edges.push_back({3, j, static_cast<double>(j + 1)});
  edges.push_back({5, 5, 1});  // its own partner
  edges.push_back({5, 0, 3});
  const Graph graph = Graph::edges(12, edges);
  EXPECT_LT(drawn_against_stated(graph, 3), 1);
  EXPECT_LT(drawn_against_stated(graph, 5), 1);
  EXPECT_NEAR(graph.probability(3, 11), 12.0 / 78, test::double_rounding);
  EXPECT_NEAR(graph.probability(5, 5), 0.25, test::double_rounding);
}

TEST(EdgeGraph, EdgesGivenTwiceAddUpAndZerosAreDropped) {
  const std::vector<Edge> edges{{0, 1, 1}, {0, 2, 1}, {0, 1, 2}, {0, 0, 0}, {2, 1, 0}};
  const Graph graph = Graph::edges(3, edges);
  EXPECT_NEAR(graph.probability(0, 1), 0.75, test::double_rounding);
  EXPECT_EQ(graph.probability(0, 0), 0);
  EXPECT_LT(drawn_against_stated(graph, 0), 1);
  EXPECT_EQ(graph.weight(2), 0);
}

TEST(EdgeGraph, ExtremeWeights) {
  const double most = std::numeric_limits<double>::max();
  const double least = std::numeric_limits<double>::denorm_min();
  const std::vector<Edge> edges{
      {0, 0, 1e-300}, {0, 1, 2e-300}, {0, 2, 1e-300},  // tiny alone
      {1, 0, 1e300},  {1, 1, 3e300},                   // huge alone
      {2, 0, 1e-300}, {2, 1, 1e300},                   // both
      {3, 2, most},   {3, 3, most},   {3, 4, most},    // the sum overflows
      {4, 0, least},  {4, 1, least},                   // denormal
  };
  const Graph graph = Graph::edges(5, edges);
  const std::vector<std::vector<double>> expected{{0.25, 0.5, 0.25, 0, 0},
                                                  {0.25, 0.75, 0, 0, 0},
                                                  {0, 1, 0, 0, 0},
                                                  {0, 0, 1.0 / 3, 1.0 / 3, 1.0 / 3},
                                                  {0.5, 0.5, 0, 0, 0}};
  for (Index i = 0; i < 5; ++i) {
    EXPECT_LT(drawn_against_stated(graph, i), 1) << i;
    for (Index j = 0; j < 5; ++j) {
      EXPECT_NEAR(graph.probability(i, j),
                  expected[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)],
                  test::double_rounding)
          << i << ", " << j;
    }
  }
  // Row weights relative to the largest possible double: 0, 4e300, 1e300, 3 max, 0.
  const double total = 5e300 / most + 3;
  EXPECT_NEAR(graph.weight(1), 5 * (4e300 / most) / total, test::double_rounding);
  EXPECT_NEAR(graph.weight(3), 5 * 3 / total, test::double_rounding);
  EXPECT_GE(graph.weight(0), 0);
}

TEST(EdgeGraph, RowsWithoutEdgesHaveNoWeightAndAreTheirOwnPartners) {
  const std::vector<Edge> edges{{1, 0, 2}};
  const Graph graph = Graph::edges(3, edges);
  Stream stream(1, Purpose::test);
  EXPECT_EQ(graph.weight(1), 3);
  for (const Index i : {0, 2}) {
    EXPECT_EQ(graph.weight(i), 0);
    EXPECT_EQ(graph.draw_partner(i, stream), i);
    EXPECT_EQ(graph.probability(i, i), 1);
  }
}

// (1/n) Σ_i weight(i) E[f(i, j) | i] = Σ_ij w_ij f(i, j) / Σ_ij w_ij, for any f.
TEST(EdgeGraph, WeightedMeanOverRowsIsTheMeanOverEdges) {
  const Index rows = 25;
  const auto edges = random_edges(rows, 60);
  const Graph graph = Graph::edges(rows, edges);
  const auto f = [](Index i, Index j) { return std::sin(static_cast<double>(1 + 3 * i + 7 * j)); };

  double over_edges = 0;
  double total = 0;
  for (const Edge& edge : edges) {
    over_edges += edge.weight * f(edge.from, edge.to);
    total += edge.weight;
  }
  double over_rows = 0;
  double weights = 0;
  for (Index i = 0; i < rows; ++i) {
    weights += graph.weight(i);
    for (Index j = 0; j < rows; ++j) {
      over_rows += graph.weight(i) * graph.probability(i, j) * f(i, j);
    }
  }
  EXPECT_NEAR(weights / rows, 1, test::double_rounding);
  EXPECT_NEAR(over_rows / rows, over_edges / total, test::double_rounding);
}

TEST(Graph, SameStreamSamePartner) {
  const auto edges = random_edges(30, 200);
  const Matrix<float> x = random_table(30, 2);
  for (const Graph& graph :
       {Graph::complete(30), Graph::nearest(x.view(), 5), Graph::edges(30, edges)}) {
    for (Index i = 0; i < 30; ++i) {
      Stream a(4, Purpose::partner, 1, static_cast<std::uint32_t>(i));
      Stream b(4, Purpose::partner, 1, static_cast<std::uint32_t>(i));
      EXPECT_EQ(graph.draw_partner(i, a), graph.draw_partner(i, b));
    }
  }
}

TEST(EdgeGraph, RefusesWrongEdges) {
  const auto message = [](Index rows, const std::vector<Edge>& edges) -> std::string {
    try {
      Graph::edges(rows, edges);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(message(3, {{0, 1, 1}, {0, 3, 1}}),
            "edge 1 (counted from 0) joins row 0 to row 3, but rows lie in [0, 2]");
  EXPECT_EQ(message(3, {{-1, 1, 1}}),
            "edge 0 (counted from 0) joins row -1 to row 1, but rows lie in [0, 2]");
  EXPECT_EQ(message(3, {{0, 1, -2}}),
            "edge 0 (counted from 0) has weight -2, but weights are finite and at least 0");
  for (const double bad :
       {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_NE(message(3, {{0, 1, bad}}).find("weights are finite"), std::string::npos);
  }
  EXPECT_EQ(message(3, {}),
            "a graph needs at least one edge of positive weight, but has none among its 0");
  EXPECT_NE(message(3, {{0, 1, 0}}).find("at least one edge"), std::string::npos);
  EXPECT_NE(message(0, {}).find("number of rows"), std::string::npos);
}

}  // namespace
}  // namespace probmix
