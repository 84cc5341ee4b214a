// A study whose runs take no time: its records, and the contents of its file.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "probmix/base/error.hpp"
#include "probmix/sweep/sweep.hpp"
#include "support/temporary.hpp"

namespace probmix::test {

inline std::vector<Json> example_runs(int count) {
  std::vector<Json> runs;
  for (int seed = 0; seed < count; ++seed) {
    const double alpha = seed % 3 == 0 ? std::numeric_limits<double>::infinity() : 0.1 * seed;
    runs.push_back({{"method", seed % 2 == 0 ? "mix" : "erm"}, {"alpha", alpha}, {"seed", seed}});
  }
  return runs;
}

// Doubles of many digits, infinities and NaN; every tenth run diverges, with a message that JSON
// cannot hold as it is.
inline Json example_run(const Json& configuration) {
  const int seed = configuration["seed"];
  if (seed % 10 == 4) throw Diverged("diverged at step \xff");
  return {{"nll", std::sin(seed)},
          {"mse", {{"id", std::log(seed)}, {"ood", seed % 4 == 1 ? std::nan("") : 1.0 / seed}}}};
}

inline Json never(const Json&) { throw std::logic_error("a run was repeated"); }

// The records without their seconds, to the last bit; Json's == would call NaN unequal to itself.
inline std::string text_of(const std::vector<RunRecord>& records) {
  std::ostringstream text;
  for (const RunRecord& record : records) {
    text << record.configuration << ' ' << run_identity(record.configuration) << ' '
         << static_cast<int>(record.status) << ' ' << run_identity({record.result}) << ' '
         << record.message << ' ' << record.version << '\n';
  }
  return text.str();
}

// A sweep over configurations, all of which one function executes.
class ListSweep {
 public:
  using Execute = std::function<Json(const Json& configuration)>;

  ListSweep(std::string study, std::vector<Json> configurations, const std::filesystem::path& file)
      : configurations_(std::move(configurations)), sweep_(std::move(study), file) {}

  std::size_t total() const { return configurations_.size(); }
  std::size_t done() const { return sweep_.count_done(runs_of(never)); }
  std::vector<RunRecord> run(
      const Execute& execute, Index threads, const std::function<void()>& finished = [] {}) {
    return sweep_.run(runs_of(execute), {.threads = threads, .finished = finished});
  }

 private:
  std::vector<StudyRun> runs_of(const Execute& execute) const {
    std::vector<StudyRun> runs;
    for (const Json& one : configurations_) runs.push_back({one, [=] { return execute(one); }});
    return runs;
  }

  std::vector<Json> configurations_;
  Sweep sweep_;
};

class SweepInDirectory : public InTemporaryDirectory {
 protected:
  SweepInDirectory() : path(directory / "results.jsonl") {}

  // The lines of a results file without their seconds.
  static std::vector<std::string> sorted_lines(const std::filesystem::path& file) {
    std::vector<std::string> lines;
    std::istringstream in(read(file));
    for (std::string line; std::getline(in, line);) {
      Json run = parse_own_json(line);
      run.erase("seconds");
      run.erase("check");  // of the seconds too
      lines.push_back(exact_json_text(run));
    }
    std::ranges::sort(lines);
    return lines;
  }

  std::filesystem::path path;
};

}  // namespace probmix::test
