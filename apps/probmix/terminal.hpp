// What the commands say and write: results on stdout, messages and progress on stderr.
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

// One line that is rewritten in place while the object lives, if stderr is a terminal; an interrupt
// removes it as well. At most one at a time.
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

// Of a known number of steps. finished() may be called from any thread.
class ProgressLine {
 public:
  // Of `total` steps, `done_before` were already there (a resumed study).
  ProgressLine(std::string label, std::size_t total, std::size_t done_before = 0);

  void finished() { ++done_; }
  double elapsed_seconds() const;

 private:
  using Clock = std::chrono::steady_clock;

  Progress progress_;
  std::atomic<std::size_t> done_;
  Clock::time_point start_ = Clock::now();
  PaintedLine painted_;
};

// Of what nobody knows the end: "1234567 rows".
class CountLine {
 public:
  explicit CountLine(std::string what);

  void set(Index count) { count_ = count; }

 private:
  std::string what_;
  std::atomic<Index> count_ = 0;
  PaintedLine painted_;
};

// While it lives, Ctrl-C and SIGTERM are remembered, and only a second one ends the program.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  bool asked() const;
};

// What was asked for came to an early end because the user wanted that; exit code 130.
class Interrupted : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
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

// Throws a UsageError if `out`, given by an option, is one of the files that are read.
void check_other_file(const std::string& option, const std::filesystem::path& out,
                      const std::vector<std::string>& inputs);

}  // namespace probmix::app
