// The graph over the rows from which a training step draws the partner j of a row i.
//
// The paper's risk is an expectation over edges (i, j) drawn in proportion to their weights w_ij.
// The step visits every row i, draws j given i, and weighs the row by weight(i), whose mean over
// the rows is 1: the weighted mean over rows estimates the same expectation without bias.
#pragma once

#include <span>
#include <utility>
#include <variant>

#include "probmix/graph/edge_table.hpp"
#include "probmix/graph/neighbours.hpp"

namespace probmix {

class Graph {
 public:
  // w_ij = 1 / n² for all pairs, i = j included.
  static Graph complete(Index n);
  // Each row with its k nearest other rows, all of equal weight, as found by k_nearest with its
  // automatic search; throws as it does.
  static Graph nearest(View<const float> x, Index k, Index threads = 1);
  // Weighted directed edges; throws as EdgeTable does.
  static Graph edges(Index n, std::span<const Edge> edges);

  bool is_complete() const { return std::holds_alternative<Complete>(kind_); }
  // False if neighbours were searched for approximately.
  bool is_exact() const;
  Index rows() const;
  bool is_weighted() const { return std::holds_alternative<EdgeTable>(kind_); }
  double weight(Index i) const;  // 1 for all rows unless is_weighted
  // A row without edges is its own partner (its weight is 0).
  Index draw_partner(Index i, Stream& stream) const;
  // partners[b] = draw_partner(rows[b]), one after the other.
  void draw_partners(std::span<const Index> rows, Stream& stream, Index* partners) const;
  // The probability that draw_partner(i) is j.
  double probability(Index i, Index j) const;

 private:
  struct Complete {
    Index rows;
  };
  using Kind = std::variant<Complete, Neighbours, EdgeTable>;

  explicit Graph(Kind kind) : kind_(std::move(kind)) {}

  Kind kind_;
};

}  // namespace probmix
