// Processor time, which other work on the machine hardly affects.
#pragma once

#include <ctime>

namespace probmix {

// Of the calling thread, in seconds.
inline double thread_seconds() {
  std::timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace probmix
