// Neighbours by random trees: approximate, for many rows in many dimensions.
//
// A tree halves the rows at the median along a random direction, again and again, down to leaves
// within which all pairs are compared. Near rows often share a leaf, and every further tree leaves
// fewer near pairs that never did. All nodes of a level share their direction (Hyvönen et al.
// 2016), so that the places of all rows are computed in one pass over the table.
#include "probmix/base/random.hpp"
#include "probmix/graph/pair_filter.hpp"
#include "probmix/graph/searches.hpp"

namespace probmix {

namespace {

// Directions are differences of two rows: they favour those in which the data spread.
// directions(col, level), in double, so that places are the same on every machine.
Matrix<double> draw_directions(const DistinctRows& distinct, const PairFilter& filter, Index levels,
                               Stream& stream) {
  const auto size = static_cast<std::uint32_t>(distinct.size());
  Matrix<double> directions(distinct.cols(), levels);
  PairFilter::Block pair;
  for (Index level = 0; level < levels; ++level) {
    const std::uint32_t a = stream.below(size);
    const std::uint32_t b = stream.below(size - 1);
    filter.load(std::vector{a, b < a ? b : b + 1}, pair);
    for (Index col = 0; col < distinct.cols(); ++col) {
      directions(col, level) = static_cast<double>(pair.values[to_size(col)]) -
                               static_cast<double>(pair.values[to_size(distinct.cols() + col)]);
    }
  }
  return directions;
}

// along(u, level) = row u · direction.
void project(const DistinctRows& distinct, const PairFilter& filter,
             const Matrix<double>& directions, Matrix<float>& along, Index threads) {
  for_blocks(distinct.size(), threads, [&](Index first, Index end) {
    PairFilter::Block block;
    filter.load(first, end, block);
    std::vector<double> sums(to_size(directions.cols()));
    const float* value = block.values.data();
    for (Index u = first; u < end; ++u) {
      std::ranges::fill(sums, 0);
      for (Index col = 0; col < distinct.cols(); ++col, ++value) {
        const double* direction = directions.row(col);
        for (std::size_t l = 0; l < sums.size(); ++l) sums[l] += *value * direction[l];
      }
      for (std::size_t l = 0; l < sums.size(); ++l) {
        along.row(u)[l] = static_cast<float>(sums[l]);
      }
    }
  });
}

// A permutation of the rows, and where its leaves begin and end.
class Tree {
 public:
  Tree(const Matrix<float>& along, Index threads) : places_(to_size(along.rows())) {
    for (std::size_t u = 0; u < places_.size(); ++u) places_[u].row = static_cast<std::uint32_t>(u);
    bounds_ = {0, places_.size()};
    for (Index level = 0; level < along.cols(); ++level) {
      std::vector<std::size_t> halved(2 * bounds_.size() - 1, places_.size());
      parallel_for(leaves(), threads, [&](Index leaf) {
        const std::span<Place> node = places(leaf);
        for (Place& place : node) place.along = along(place.row, level);
        const auto middle = node.size() / 2;
        std::nth_element(node.begin(), node.begin() + static_cast<Index>(middle), node.end());
        halved[to_size(2 * leaf)] = bounds_[to_size(leaf)];
        halved[to_size(2 * leaf + 1)] = bounds_[to_size(leaf)] + middle;
      });
      bounds_ = std::move(halved);
    }
  }

  Index leaves() const { return std::ssize(bounds_) - 1; }
  std::vector<std::uint32_t> rows(Index leaf) {
    std::vector<std::uint32_t> rows;
    for (const Place& place : places(leaf)) rows.push_back(place.row);
    return rows;
  }

 private:
  struct Place {
    float along;
    std::uint32_t row;
    friend bool operator<(const Place& a, const Place& b) {
      return a.along != b.along ? a.along < b.along : a.row < b.row;
    }
  };
  std::span<Place> places(Index leaf) {
    const std::size_t first = bounds_[to_size(leaf)];
    return std::span(places_).subspan(first, bounds_[to_size(leaf) + 1] - first);
  }

  std::vector<Place> places_;
  std::vector<std::size_t> bounds_;
};

}  // namespace

void search_forest(const DistinctRows& distinct, Neighbours& out, Index threads, Forest forest) {
  const Index needed = distinct.nearest_needed(out.k);
  Index levels = 0;  // a leaf has `needed` rows at least
  while (distinct.size() >> levels > std::max(forest.leaf_rows, 2 * needed)) ++levels;

  const PairFilter filter(distinct);
  NearestSets sets(distinct.size(), needed);
  Matrix<float> along(distinct.size(), levels);
  for (Index t = 0; t < (levels == 0 ? 1 : forest.trees); ++t) {
    Stream stream(0, Purpose::neighbours, static_cast<std::uint64_t>(t));
    project(distinct, filter, draw_directions(distinct, filter, levels, stream), along, threads);
    Tree tree(along, threads);
    parallel_for(tree.leaves(), threads, [&](Index leaf) {
      PairFilter::Block block;
      filter.load(tree.rows(leaf), block);
      NearestSets nearest(std::ssize(block.rows), needed);
      for (Index q = 0; q < std::ssize(block.rows); ++q) {
        std::ranges::copy(sets.places(block.rows[to_size(q)]), nearest.places(q).begin());
      }
      filter.offer(block, block, nearest, true);
      for (Index q = 0; q < std::ssize(block.rows); ++q) {
        std::ranges::copy(nearest.places(q), sets.places(block.rows[to_size(q)]).begin());
      }
    });
  }
  for_blocks(distinct.size(), threads, [&](Index first, Index end) {
    for (Index u = first; u < end; ++u) distinct.store(u, sets[u].sorted(), out);
  });
}

}  // namespace probmix
