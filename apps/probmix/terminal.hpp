// Output of the commands: results on stdout, messages and progress on stderr.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "probmix/base/matrix.hpp"
#include "progress.hpp"

namespace probmix::app {

// A line that is rewritten in place while the object lives, if stderr is a terminal. An interrupt
// also removes it. At most one at a time.
class PaintedLine {
 public:
  explicit PaintedLine(std::function<std::string()> text);
  ~PaintedLine();
  PaintedLine(const PaintedLine&) = delete;
  PaintedLine& operator=(const PaintedLine&) = delete;

 private:
  std::function<std::string()> text_;
  std::jthread painter_;
};

// Progress over a known number of steps. finished() may be called from any thread.
class ProgressLine {
 public:
  // `done_before` of the `total` steps were done by an earlier run (a resumed study).
  ProgressLine(std::string label, std::size_t total, std::size_t done_before = 0);

  void finished() { ++done_; }
  void set(std::size_t done) { done_ = done; }
  double elapsed_seconds() const;

 private:
  using Clock = std::chrono::steady_clock;

  Progress progress_;
  std::atomic<std::size_t> done_;
  Clock::time_point start_ = Clock::now();
  PaintedLine painted_;
};

// Progress towards an unknown end: "1234567 rows".
class CountLine {
 public:
  explicit CountLine(std::string what);

  void set(Index count) { count_ = count; }

 private:
  std::string what_;
  std::atomic<Index> count_ = 0;
  PaintedLine painted_;
};

// While it lives, a first Ctrl-C, SIGTERM or SIGHUP is only recorded; a second one ends the
// program.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  bool asked() const;
};

// The user stopped the command early; exit code 130.
class Interrupted : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// "1 run", "2 runs".
std::string counted(Index n, const std::string& what);

// Writes to stdout; throws an Error if that fails (on a full disk, for example).
void print(const std::string& text);

// Writes one line to stderr; failure to write is ignored.
void say(std::string line);

// Call it first. Opens /dev/null on closed standard descriptors, so that no file opened later takes
// their numbers, and turns the signal for a file that grows too large into an error.
void prepare_process();

// Throws an Error if a file cannot be written there, as far as one can tell without trying. Call it
// before a long computation.
void check_writable(const std::filesystem::path& path);

// Throws a UsageError if `out`, given by `option`, is one of the input files.
void check_other_file(const std::string& option, const std::filesystem::path& out,
                      const std::vector<std::string>& inputs);

}  // namespace probmix::app
