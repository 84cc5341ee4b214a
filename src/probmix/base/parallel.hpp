// Independent pieces of work on a given number of threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "probmix/base/matrix.hpp"

namespace probmix {

// Calls work(0), ..., work(n − 1), each once, on `threads` threads (the caller's among them). The
// first exception stops the handing out of work and is thrown again here.
template <class Work>
void parallel_for(Index n, Index threads, Work&& work) {
  std::atomic<Index> next{0};
  std::exception_ptr failure;
  std::mutex mutex;
  const auto worker = [&] {
    for (Index k = next++; k < n; k = next++) {
      try {
        work(k);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!failure) failure = std::current_exception();
        next = n;
      }
    }
  };
  {
    std::vector<std::jthread> others;
    try {
      for (Index t = 1; t < std::min(threads, n); ++t) others.emplace_back(worker);
    } catch (...) {
      next = n;  // a thread could not be started: the others stop, and the error goes out
      throw;
    }
    worker();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace probmix
