#include "probmix/sweep/sweep.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <utility>

#include "probmix/base/error.hpp"
#include "probmix/base/parallel.hpp"

namespace probmix {
namespace {

RunRecord execute(const StudyRun& run) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  RunRecord record{.configuration = run.configuration};
  try {
    record.result = run.execute();
  } catch (const Diverged& error) {
    record.status = RunStatus::diverged;
    record.message = error.what();
  }
  record.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  // Not part of the result, which is the same whenever the run is repeated.
  if (record.result.is_object() && record.result.contains("seconds")) {
    record.seconds = record.result["seconds"];
    record.result.erase("seconds");
  }
  return record;
}

// The identities of the runs; throws if two are the same.
std::vector<std::string> identities_of(std::span<const StudyRun> runs) {
  std::vector<std::string> identities;
  std::unordered_map<std::string, std::size_t> positions;
  for (std::size_t k = 0; k < runs.size(); ++k) {
    const Json& configuration = runs[k].configuration;
    check(configuration.is_object(), "run {} of the study: its configuration is not an object", k);
    identities.push_back(run_identity(configuration));
    const auto [first, is_new] = positions.emplace(identities.back(), k);
    check(is_new, "runs {} and {} of the study have the same configuration {}", first->second, k,
          first->first);
  }
  return identities;
}

}  // namespace

Sweep::Sweep(std::string study, const std::filesystem::path& file) {
  if (file.empty()) return;
  file_.emplace(file, std::move(study));
  for (const RunRecord& record : file_->records()) {
    done_.emplace(run_identity(record.configuration), record);
  }
}

std::span<const RunRecord> Sweep::in_file() const {
  return file_ ? std::span<const RunRecord>(file_->records()) : std::span<const RunRecord>();
}

std::size_t Sweep::count_done(std::span<const StudyRun> runs) const {
  return static_cast<std::size_t>(std::ranges::count_if(
      runs, [&](const StudyRun& run) { return done_.contains(run_identity(run.configuration)); }));
}

std::vector<RunRecord> Sweep::run(std::span<const StudyRun> runs, const Execution& execution) {
  check_range("`threads`", execution.threads, 1, most_threads);
  const std::vector<std::string> identities = identities_of(runs);
  std::vector<std::size_t> open;
  for (std::size_t k = 0; k < runs.size(); ++k) {
    if (!done_.contains(identities[k])) open.push_back(k);
  }
  std::mutex mutex;  // of done_
  parallel_for(std::ssize(open), execution.threads, [&](Index task) {
    const std::size_t k = open[to_size(task)];
    RunRecord record = execute(runs[k]);
    record.tuning = execution.tuning;
    if (file_) file_->append(record);
    // So that the caller sees the same with or without a file, resumed or not.
    record = as_read_back(record);
    {
      const std::lock_guard lock(mutex);
      done_.emplace(identities[k], std::move(record));
    }
    execution.finished();
  });
  std::vector<RunRecord> all;
  for (std::size_t k = 0; k < runs.size(); ++k) {
    all.push_back(done_.at(identities[k]));
    all.back().configuration = runs[k].configuration;  // the order of its keys may differ
  }
  return all;
}

}  // namespace probmix
