#include "probmix/graph/edge_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "probmix/base/error.hpp"

namespace probmix {

namespace {

void check_edges(Index rows, std::span<const Edge> edges) {
  constexpr Index most = std::numeric_limits<std::uint32_t>::max();
  check_range("the number of rows of a graph", rows, 1, most);
  check_usage(std::ssize(edges) <= most, "a graph has at most {} edges, but {} are given", most,
              edges.size());
  bool any = false;
  for (std::size_t e = 0; e < edges.size(); ++e) {
    for (const Index row : {edges[e].from, edges[e].to}) {
      check_usage(row >= 0 && row < rows,
                  "edge {} (counted from 0) joins row {} to row {}, but rows lie in [0, {}]", e,
                  edges[e].from, edges[e].to, rows - 1);
    }
    check_usage(edges[e].weight >= 0 && std::isfinite(edges[e].weight),
                "edge {} (counted from 0) has weight {}, but weights are finite and at least 0", e,
                edges[e].weight);
    any = any || edges[e].weight > 0;
  }
  check_usage(any, "a graph needs at least one edge of positive weight, but has none among its {}",
              edges.size());
}

}  // namespace

EdgeTable::EdgeTable(Index rows, std::span<const Edge> edges) {
  check_edges(rows, edges);
  const auto n = static_cast<std::size_t>(rows);

  // Counting sort by row.
  start_.assign(n + 1, 0);
  for (const Edge& edge : edges) {
    if (edge.weight > 0) ++start_[static_cast<std::size_t>(edge.from) + 1];
  }
  std::partial_sum(start_.begin(), start_.end(), start_.begin());
  slots_.resize(start_.back());
  std::vector<std::size_t> next(start_.begin(), start_.end() - 1);
  for (const Edge& edge : edges) {
    if (edge.weight > 0) {
      const auto to = static_cast<std::uint32_t>(edge.to);
      slots_[next[static_cast<std::size_t>(edge.from)]++] = {edge.weight, to, to};
    }
  }

  // Weights are taken relative to the largest, of the row or of all, so that sums neither overflow
  // nor vanish.
  double largest = 0;
  for (const Slot& slot : slots_) largest = std::max(largest, slot.share);
  weights_.assign(n, 0);
  std::vector<std::uint32_t> small;
  std::vector<std::uint32_t> large;
  for (std::size_t i = 0; i < n; ++i) {
    const std::span row(slots_.data() + start_[i], start_[i + 1] - start_[i]);
    if (row.empty()) continue;
    double row_largest = 0;
    for (const Slot& slot : row) row_largest = std::max(row_largest, slot.share);
    double sum = 0;
    for (Slot& slot : row) sum += slot.share /= row_largest;
    weights_[i] = row_largest / largest * sum;

    // Vose: the part of a slot that a small share leaves empty goes to a large share, which shrinks
    // by that much.
    small.clear();
    large.clear();
    for (std::uint32_t s = 0; s < row.size(); ++s) {
      row[s].share *= static_cast<double>(row.size()) / sum;
      (row[s].share < 1 ? small : large).push_back(s);
    }
    while (!small.empty() && !large.empty()) {
      Slot& giver = row[large.back()];
      Slot& taker = row[small.back()];
      small.pop_back();
      taker.other = giver.here;
      giver.share = (giver.share + taker.share) - 1;
      if (giver.share < 1) {
        small.push_back(large.back());
        large.pop_back();
      }
    }
    // What is left is 1 up to rounding.
    for (const auto& left : {small, large}) {
      for (const std::uint32_t s : left) row[s].share = 1;
    }
  }
  const double total = std::accumulate(weights_.begin(), weights_.end(), 0.0);
  for (double& weight : weights_) weight *= static_cast<double>(n) / total;
}

std::span<const EdgeTable::Slot> EdgeTable::slots(Index i) const {
  const auto row = static_cast<std::size_t>(i);
  return {slots_.data() + start_[row], start_[row + 1] - start_[row]};
}

Index EdgeTable::draw(Index i, Stream& stream) const {
  const auto row = slots(i);
  if (row.empty()) return i;
  const Slot& slot = row[stream.below(static_cast<std::uint32_t>(row.size()))];
  return stream.uniform() < slot.share ? slot.here : slot.other;
}

double EdgeTable::probability(Index i, Index j) const {
  const auto row = slots(i);
  if (row.empty()) return i == j ? 1 : 0;
  double sum = 0;
  for (const Slot& slot : row) {
    if (static_cast<Index>(slot.here) == j) sum += slot.share;
    if (static_cast<Index>(slot.other) == j) sum += 1 - slot.share;
  }
  return sum / static_cast<double>(row.size());
}

}  // namespace probmix
