// How long a call takes: measured in blocks of many calls, as one call is too short for the clock
// and a disturbed block should not spoil the others.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <ctime>
#include <vector>

namespace probmix::bench {

// Seconds per call: wall time, and processor time of the process (which other work on the machine
// hardly changes).
struct Seconds {
  double wall, cpu;
};

// Calls f for at least `shortest` seconds.
template <class F>
Seconds time_block(double shortest, F&& f) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  const std::clock_t cpu_start = std::clock();
  double elapsed = 0;
  double calls = 0;
  do {
    f();
    ++calls;
    elapsed = std::chrono::duration<double>(Clock::now() - start).count();
  } while (elapsed < shortest);
  const auto cpu = static_cast<double>(std::clock() - cpu_start) / CLOCKS_PER_SEC;
  return {elapsed / calls, cpu / calls};
}

inline double median(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

}  // namespace probmix::bench
