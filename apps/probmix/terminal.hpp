// Progress on stderr, when it is a terminal.
#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>
#include <string>

#include "probmix/report/progress.hpp"

namespace probmix::app {

// One line that is rewritten in place, a few times a second at most; gone when the object is.
// finished() may be called from any thread.
class ProgressLine {
 public:
  ProgressLine(std::string label, std::size_t total);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void finished();
  double elapsed_seconds() const;

 private:
  using Clock = std::chrono::steady_clock;

  Progress progress_;
  bool visible_;
  std::mutex mutex_;
  std::size_t done_ = 0;
  Clock::time_point start_ = Clock::now();
  Clock::time_point shown_{};
};

// Writes to stdout; throws an Error when that fails (a full disk, say).
void print(const std::string& text);

}  // namespace probmix::app
