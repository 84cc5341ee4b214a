#include "terminal.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "probmix/base/error.hpp"

namespace probmix::app {

ProgressLine::ProgressLine(std::string label, std::size_t total)
    : progress_(std::move(label), total), visible_(isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine() {
  if (visible_ && shown_ != Clock::time_point{}) fmt::print(stderr, "\r\033[K");
}

void ProgressLine::finished() {
  const std::lock_guard lock(mutex_);
  ++done_;
  const auto now = Clock::now();
  if (!visible_ || now - shown_ < std::chrono::milliseconds(100)) return;
  shown_ = now;
  fmt::print(stderr, "\r\033[K{}", progress_.line(done_, elapsed_seconds()));
}

double ProgressLine::elapsed_seconds() const {
  return std::chrono::duration<double>(Clock::now() - start_).count();
}

void print(const std::string& text) {
  const bool written =
      std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  check(written, "cannot write to standard output: {}", std::strerror(errno));
}

}  // namespace probmix::app
