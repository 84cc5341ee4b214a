// Counts the heap allocations of the whole process, those inside of shared libraries included.
//
// allocations.cpp defines malloc and its relatives, which takes the place of the C library's for
// every library of the process: operator new and oneDNN's aligned memory come through here as well.
// (A freed block goes to the C library as ever, whose own functions do the work. Hence glibc only,
// and not together with a sanitizer, which replaces malloc itself.)
#pragma once

#include <utility>

namespace probmix::bench {

void start_counting_allocations();
// The allocations of all threads since the start.
long stop_counting_allocations();

template <class F>
long count_allocations(F&& f) {
  start_counting_allocations();
  std::forward<F>(f)();
  return stop_counting_allocations();
}

// Throws an Error unless allocations made by a shared library are seen: else 0 would mean nothing.
void check_allocations_are_seen();

}  // namespace probmix::bench
