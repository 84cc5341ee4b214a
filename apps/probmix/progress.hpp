// Formats a progress line; terminal.hpp displays it.
#pragma once

#include <cstddef>
#include <string>

namespace probmix::app {

// "0:07", "12:05", "1:02:03"; "?" if not finite.
std::string format_duration(double seconds);

class Progress {
 public:
  // `done_before` of the `total` steps were done by an earlier run (a resumed study) and do not
  // count towards the speed.
  Progress(std::string label, std::size_t total, std::size_t done_before = 0);

  // "toy  ━━━━━━━━━━──────────────  46/110   41 %  elapsed 1:12  left 1:40"
  std::string line(std::size_t done, double elapsed_seconds) const;

 private:
  std::string label_;
  std::size_t total_;
  std::size_t done_before_;
};

}  // namespace probmix::app
