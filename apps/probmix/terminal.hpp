// What the commands say and write: results on stdout, messages and progress on stderr.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <string>
#include <thread>

#include "probmix/base/matrix.hpp"
#include "probmix/report/progress.hpp"

namespace probmix::app {

// One line that is rewritten in place while the object lives, if stderr is a terminal; an interrupt
// removes it as well. At most one at a time. finished() may be called from any thread.
class ProgressLine {
 public:
  // Of `total` steps, `done_before` were already there (a resumed study).
  ProgressLine(std::string label, std::size_t total, std::size_t done_before = 0);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void finished() { ++done_; }
  double elapsed_seconds() const;

 private:
  using Clock = std::chrono::steady_clock;

  void show() const;

  Progress progress_;
  std::atomic<std::size_t> done_;
  Clock::time_point start_ = Clock::now();
  std::jthread painter_;
};

// "1 run", "2 runs".
std::string counted(Index n, const std::string& what);

// Writes to stdout; throws an Error when that fails (a full disk, say).
void print(const std::string& text);

// Writes one line to stderr. That it cannot be written is no reason to fail.
void say(std::string line);

// Throws an Error when a file cannot be written there, as far as one can tell without trying:
// before a long computation, not after it.
void check_writable(const std::filesystem::path& path);

}  // namespace probmix::app
