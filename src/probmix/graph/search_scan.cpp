// Neighbours by comparing all pairs, tile against block, for many dimensions.
#include <array>

#include "probmix/graph/search.hpp"

namespace probmix {

namespace {

constexpr Index tile_rows = 256;  // queries that share a pass over the table
constexpr Index block_rows = 16;  // candidates whose sums stay in registers

using Sums = std::array<double, block_rows>;

// block[col × block_rows + b] = column `col` of distinct row first + b; lanes past the end repeat
// the last row, and are ignored.
void load_block(const DistinctRows& distinct, Index first, std::vector<double>& block) {
  for (Index b = 0; b < block_rows; ++b) {
    const float* values = distinct.values(std::min(first + b, distinct.size() - 1));
    for (Index col = 0; col < distinct.cols(); ++col) {
      block[static_cast<std::size_t>(col * block_rows + b)] = values[col];
    }
  }
}

Sums squared_distances(const float* query, const double* block, Index cols) {
  Sums sums{};
  for (Index col = 0; col < cols; ++col) {
    const double value = query[col];
    for (std::size_t b = 0; b < block_rows; ++b) {
      const double difference = value - block[static_cast<std::size_t>(col) * block_rows + b];
      sums[b] += difference * difference;
    }
  }
  return sums;
}

}  // namespace

void search_scan(const DistinctRows& distinct, Neighbours& out) {
  std::vector<NearestSet> sets(static_cast<std::size_t>(std::min(tile_rows, distinct.size())),
                               NearestSet(static_cast<std::size_t>(out.k) + 1));
  std::vector<double> block(static_cast<std::size_t>(distinct.cols() * block_rows));
  for (Index tile = 0; tile < distinct.size(); tile += tile_rows) {
    const Index queries = std::min(tile_rows, distinct.size() - tile);
    for (NearestSet& set : sets) set.clear();
    for (Index first = 0; first < distinct.size(); first += block_rows) {
      load_block(distinct, first, block);
      const Index lanes = std::min(block_rows, distinct.size() - first);
      for (Index q = 0; q < queries; ++q) {
        NearestSet& set = sets[static_cast<std::size_t>(q)];
        const Sums sums =
            squared_distances(distinct.values(tile + q), block.data(), distinct.cols());
        for (Index b = 0; b < lanes; ++b) {
          const double distance = sums[static_cast<std::size_t>(b)];
          if (distance <= set.radius()) distinct.offer_members(first + b, distance, set);
        }
      }
    }
    for (Index q = 0; q < queries; ++q) {
      distinct.store(tile + q, sets[static_cast<std::size_t>(q)].sorted(), out);
    }
  }
}

}  // namespace probmix
