// Neighbours by a kd-tree (nanoflann), for data of few dimensions, whatever their number of
// columns.
#include <nanoflann.hpp>

#include "probmix/graph/search.hpp"

namespace probmix {

namespace {

// nanoflann's view of the rows. It reads doubles, so that differences are not rounded to float.
struct Points {
  const DistinctRows& distinct;

  std::size_t kdtree_get_point_count() const { return static_cast<std::size_t>(distinct.size()); }
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
  const DistinctRows& distinct;
  NearestSet& set;
  mutable Index steps = 0;  // leaves and branches visited

  bool full() const { return set.full(); }
  double worstDist() const {
    ++steps;
    return set.radius() * (1 + 1e-9) + std::numeric_limits<double>::min();
  }
  bool addPoint(double distance, std::uint32_t u) {
    distinct.offer_members(u, distance, set);
    return true;  // continue
  }
};

using Metric = nanoflann::L2_Simple_Adaptor<double, Points>;
using Tree = nanoflann::KDTreeSingleIndexAdaptor<Metric, Points, -1, std::uint32_t>;

// A step costs as much as the scan of about this many rows: on independent features in 20 columns
// a query takes 0.3 steps per row, and four times the time of the scan.
constexpr Index rows_per_step = 14;
constexpr Index pilot_queries = 64;

}  // namespace

bool search_tree(const DistinctRows& distinct, Neighbours& out, bool only_if_faster) {
  const Points points{distinct};
  const Tree tree(static_cast<std::int32_t>(distinct.cols()), points);

  NearestSet set(static_cast<std::size_t>(out.k) + 1);
  std::vector<double> query(static_cast<std::size_t>(distinct.cols()));
  const auto search = [&](Index u) {
    std::copy_n(distinct.values(u), distinct.cols(), query.begin());
    set.clear();
    Result result{distinct, set};
    tree.findNeighbors(result, query.data(), nanoflann::SearchParams());
    return result.steps;
  };

  if (only_if_faster) {
    const Index queries = std::min(pilot_queries, distinct.size());
    Index steps = 0;
    for (Index q = 0; q < queries; ++q) steps += search(q * distinct.size() / queries);
    if (steps * rows_per_step > queries * distinct.size()) return false;
  }
  for (Index u = 0; u < distinct.size(); ++u) {
    search(u);
    distinct.store(u, set.sorted(), out);
  }
  return true;
}

}  // namespace probmix
