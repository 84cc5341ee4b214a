// Counts the heap allocations of the whole process, including those inside shared libraries.
//
// allocations.cpp defines malloc and its relatives, which replace the C library's in the whole
// process: operator new and oneDNN's aligned memory pass through here too. (The C library's own
// functions do the work, and free() is theirs. Hence glibc only, and not with a sanitizer, which
// replaces malloc itself.)
#pragma once

#include <utility>

namespace probmix::bench {

void start_counting_allocations();
// By all threads, since the start.
long stop_counting_allocations();

template <class F>
long count_allocations(F&& f) {
  start_counting_allocations();
  std::forward<F>(f)();
  return stop_counting_allocations();
}

// Throws an Error if allocations in a shared library are not counted: 0 would then mean nothing.
void check_allocations_are_seen();

}  // namespace probmix::bench
