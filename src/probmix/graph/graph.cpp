#include "probmix/graph/graph.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "probmix/base/error.hpp"

namespace probmix {

namespace {

// One lambda per kind of graph: a kind that is missing does not compile.
template <class... Cases>
struct Match : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Match(Cases...) -> Match<Cases...>;  // clang 14 does not find it by itself

}  // namespace

Graph Graph::complete(Index n) {
  check_range("the number of rows of a graph", n, 1, std::numeric_limits<std::uint32_t>::max());
  return Graph(Complete{n});
}

Graph Graph::nearest(View<const float> x, Index k, Index threads) {
  return Graph(k_nearest(x, k, Search::automatic, threads));
}

Graph Graph::edges(Index n, std::span<const Edge> edges) { return Graph(EdgeTable(n, edges)); }

bool Graph::is_exact() const {
  const auto* nearest = std::get_if<Neighbours>(&kind_);
  return !nearest || nearest->exact();
}

Index Graph::rows() const {
  return std::visit(Match{[](const Complete& complete) { return complete.rows; },
                          [](const Neighbours& nearest) { return nearest.rows; },
                          [](const EdgeTable& table) { return table.rows(); }},
                    kind_);
}

double Graph::weight(Index i) const {
  const auto* table = std::get_if<EdgeTable>(&kind_);
  return table ? table->weight(i) : 1;
}

Index Graph::draw_partner(Index i, Stream& stream) const {
  Index partner = 0;
  draw_partners({&i, 1}, stream, &partner);
  return partner;
}

void Graph::draw_partners(std::span<const Index> rows, Stream& stream, Index* partners) const {
  const auto uniform = [&](Index n) { return stream.below(static_cast<std::uint32_t>(n)); };
  const auto draw_all = [&](auto&& draw) { std::ranges::transform(rows, partners, draw); };
  std::visit(Match{[&](const Complete& complete) {
                     draw_all([&](Index) -> Index { return uniform(complete.rows); });
                   },
                   [&](const Neighbours& nearest) {
                     draw_all([&](Index i) -> Index { return nearest.of(i)[uniform(nearest.k)]; });
                   },
                   [&](const EdgeTable& table) {
                     draw_all([&](Index i) { return table.draw(i, stream); });
                   }},
             kind_);
}

double Graph::probability(Index i, Index j) const {
  return std::visit(
      Match{[](const Complete& complete) { return 1 / static_cast<double>(complete.rows); },
            [&](const Neighbours& nearest) {
              const auto found = std::ranges::count(nearest.of(i), static_cast<std::uint32_t>(j));
              return static_cast<double>(found) / static_cast<double>(nearest.k);
            },
            [&](const EdgeTable& table) { return table.probability(i, j); }},
      kind_);
}

}  // namespace probmix
