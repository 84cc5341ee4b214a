#include "progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace probmix::app {

std::string format_duration(double seconds) {
  if (!(seconds >= 0 && seconds < 1e9)) return "?";
  const long long s = std::llround(seconds);
  if (s < 3600) return fmt::format("{}:{:02}", s / 60, s % 60);
  return fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
}

Progress::Progress(std::string label, std::size_t total, std::size_t done_before)
    : label_(std::move(label)), total_(total), done_before_(std::min(done_before, total)) {}

std::string Progress::line(std::size_t done, double elapsed_seconds) const {
  constexpr std::size_t width = 24;
  done = std::min(done, total_);
  // Rounded down, so that a full bar and 100 % mean done.
  const auto share = [&](std::size_t of) { return total_ == 0 ? of : done * of / total_; };
  std::string bar;
  for (std::size_t i = 0; i < width; ++i) bar += i < share(width) ? "━" : "─";

  const double now = done > done_before_ ? static_cast<double>(done - done_before_) : 0;
  const double left = done == total_ ? 0
                      : now == 0     ? std::numeric_limits<double>::infinity()
                                     : elapsed_seconds / now * static_cast<double>(total_ - done);
  const std::string total = std::to_string(total_);
  return fmt::format("{}  {} {:>{}}/{}  {:>3} %  elapsed {}  left {}", label_, bar, done,
                     total.size(), total, share(100), format_duration(elapsed_seconds),
                     format_duration(left));
}

}  // namespace probmix::app
