// Independent pieces of work on a given number of threads.
#pragma once

#include <algorithm>

#include "probmix/base/team.hpp"

namespace probmix {

inline constexpr Index most_threads = 4096;

// Calls work(0), ..., work(n − 1), each once, on `threads` threads including the caller's. After
// the first exception no new work starts, and it is rethrown here.
template <class Work>
void parallel_for(Index n, Index threads, Work&& work) {
  Team(std::min(threads, n)).run(n, [&](Index k, Index /*thread*/) { work(k); });
}

}  // namespace probmix
