// Neighbours by a kd-tree (nanoflann), for data of few intrinsic dimensions, whatever the number of
// columns.
#include <cmath>
#include <nanoflann.hpp>

#include "probmix/graph/searches.hpp"

namespace probmix {

namespace {

// nanoflann's view of the rows. It reads doubles, so that differences are not rounded to float.
struct Points {
  const DistinctRows& distinct;

  std::size_t kdtree_get_point_count() const { return to_size(distinct.size()); }
  double kdtree_get_pt(std::uint32_t u, std::size_t col) const { return distinct.values(u)[col]; }
  template <class Box>
  bool kdtree_get_bbox(Box&) const {
    return false;  // let the tree compute it
  }
};

// nanoflann's result set. The tree passes only distances strictly below worstDist(), and its lower
// bounds of branches carry rounding errors: a radius slightly too large lets every tie reach the
// set, whose own rule then decides.
struct Result {
  NearestSet& set;
  Index most_steps = std::numeric_limits<Index>::max();
  mutable Index steps = 0;  // leaves and branches visited

  bool full() const { return set.radius() < std::numeric_limits<double>::infinity(); }
  double worstDist() const {
    if (++steps > most_steps) return -1;  // no distance is negative: ends the search
    return set.radius() * (1 + 1e-9) + std::numeric_limits<double>::min();
  }
  bool addPoint(double distance, std::uint32_t u) {
    set.offer({distance, u});
    return true;  // continue
  }
};

using Metric = nanoflann::L2_Simple_Adaptor<double, Points>;
using Tree = nanoflann::KDTreeSingleIndexAdaptor<Metric, Points, -1, std::uint32_t>;

// A step costs about as much as this many pairs of the scan: on 20,000 rows of 20 independent
// features a query takes 0.3 steps per row, and forty times the time of the scan.
constexpr double pairs_per_step = 150;
constexpr Index pilot_queries = 64;

}  // namespace

bool search_tree(const DistinctRows& distinct, Neighbours& out, Index threads, double most_pairs) {
  const Points points{distinct};
  const Tree tree(static_cast<std::int32_t>(distinct.cols()), points);
  const auto search = [&](Index u, NearestSet set, std::vector<double>& query, Index most_steps) {
    query.assign(distinct.values(u), distinct.values(u) + distinct.cols());
    set.clear();
    Result result{set, most_steps};
    tree.findNeighbors(result, query.data(), nanoflann::SearchParams());
    return result.steps;
  };
  const Index needed = distinct.nearest_needed(out.k);

  // Steps a query may take on average.
  const double most_steps = most_pairs / static_cast<double>(distinct.size()) / pairs_per_step;
  if (std::isfinite(most_steps)) {
    const Index queries = std::min(pilot_queries, distinct.size());
    auto left = static_cast<Index>(most_steps * static_cast<double>(queries));
    NearestSets sets(1, needed);
    std::vector<double> query;
    for (Index q = 0; q < queries; ++q) {
      left -= search(q * distinct.size() / queries, sets[0], query, left);
      if (left <= 0) return false;
    }
  }
  for_blocks(distinct.size(), threads, [&](Index first, Index end) {
    NearestSets sets(1, needed);
    std::vector<double> query;
    for (Index u = first; u < end; ++u) {
      search(u, sets[0], query, std::numeric_limits<Index>::max());
      distinct.store(u, sets[0].sorted(), out);
    }
  });
  return true;
}

}  // namespace probmix
