// The ways to search for neighbours. Each fills out.flat, the same whatever the number of threads.
// Private to this folder.
#pragma once

#include "probmix/base/parallel.hpp"
#include "probmix/graph/search.hpp"

namespace probmix {

// work(first, end) for consecutive blocks of [0, n).
template <class Work>
void for_blocks(Index n, Index threads, const Work& work) {
  constexpr Index block = 1024;
  parallel_for((n + block - 1) / block, threads,
               [&](Index b) { work(b * block, std::min((b + 1) * block, n)); });
}

// All pairs: time O(size² cols).
void search_scan(const DistinctRows& distinct, Neighbours& out, Index threads);

// A kd-tree; how fast it is depends on the intrinsic dimension of the data. A few queries estimate
// its time, in pairs of the scan; if it exceeds `most_pairs`, returns false and leaves `out` as it
// is. Needs a column.
bool search_tree(const DistinctRows& distinct, Neighbours& out, Index threads, double most_pairs);

struct Forest {
  Index trees = 48;
  Index leaf_rows = 512;  // at most
};
// Approximate, but exact in tables no larger than a leaf. Time O(size (trees leaf_rows cols +
// log(size))).
void search_forest(const DistinctRows& distinct, Neighbours& out, Index threads,
                   Forest forest = {});

// The work that `automatic` accepts for an exact search, in pairs of the scan.
double most_exact_pairs(Index size, Index cols);
// Runs the given search, `automatic` with this limit. Returns the one used.
Search search_by(Search search, const DistinctRows& distinct, Neighbours& out, Index threads,
                 double limit);

}  // namespace probmix
