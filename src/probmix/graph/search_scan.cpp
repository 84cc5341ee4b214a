// Neighbours by comparing all pairs, for many dimensions.
#include "probmix/graph/pair_filter.hpp"
#include "probmix/graph/searches.hpp"

namespace probmix {

void search_scan(const DistinctRows& distinct, Neighbours& out, Index threads) {
  const PairFilter filter(distinct);
  for_blocks(distinct.size(), threads, [&](Index first, Index end) {
    PairFilter::Block queries;
    PairFilter::Block candidates;
    filter.load(first, end, queries);
    NearestSets sets(end - first, distinct.nearest_needed(out.k));
    for_blocks(distinct.size(), 1, [&](Index from, Index to) {
      filter.load(from, to, candidates);
      filter.offer(queries, candidates, sets);
    });
    for (Index u = first; u < end; ++u) distinct.store(u, sets[u - first].sorted(), out);
  });
}

}  // namespace probmix
