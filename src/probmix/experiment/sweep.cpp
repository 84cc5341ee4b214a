#include "probmix/experiment/sweep.hpp"

#include <algorithm>
#include <chrono>
#include <unordered_map>
#include <utility>

#include "probmix/base/error.hpp"
#include "probmix/base/parallel.hpp"

namespace probmix {
namespace {

RunRecord execute_run(const Sweep::Execute& execute, const Json& configuration) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  RunRecord record{.configuration = configuration};
  try {
    record.result = execute(configuration);
  } catch (const Diverged& error) {
    record.status = RunStatus::diverged;
    record.message = error.what();
  }
  record.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return record;
}

}  // namespace

Sweep::Sweep(std::string study, std::vector<Json> configurations, const std::filesystem::path& file,
             Json tuning)
    : configurations_(std::move(configurations)),
      records_(configurations_.size()),
      tuning_(std::move(tuning)) {
  std::unordered_map<std::string, std::size_t> positions;
  for (std::size_t k = 0; k < configurations_.size(); ++k) {
    const Json& configuration = configurations_[k];
    check(configuration.is_object(), "run {} of the study: its configuration is not an object", k);
    const auto [first, is_new] = positions.emplace(run_identity(configuration), k);
    check(is_new, "runs {} and {} of the study have the same configuration {}", first->second, k,
          first->first);
  }
  if (file.empty()) return;
  file_.emplace(file, std::move(study));
  know(file_->records());
}

void Sweep::know(const std::vector<RunRecord>& records) {
  std::unordered_map<std::string, const RunRecord*> known;
  for (const RunRecord& record : records) {
    known.emplace(run_identity(record.configuration), &record);
  }
  for (std::size_t k = 0; k < configurations_.size(); ++k) {
    const auto found = known.find(run_identity(configurations_[k]));
    if (found == known.end() || records_[k]) continue;
    records_[k] = *found->second;
    records_[k]->configuration = configurations_[k];  // the order of its keys may be another
  }
}

std::vector<RunRecord> Sweep::in_file() const {
  return file_ ? file_->records() : std::vector<RunRecord>{};
}

std::size_t Sweep::done() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(records_, [](const auto& record) { return record.has_value(); }));
}

std::vector<RunRecord> Sweep::run(const Execute& execute, Index threads,
                                  const std::function<void()>& finished) {
  check_range("threads", threads, 1, 4096);
  std::vector<std::size_t> open;
  for (std::size_t k = 0; k < records_.size(); ++k) {
    if (!records_[k]) open.push_back(k);
  }
  parallel_for(static_cast<Index>(open.size()), threads, [&](Index task) {
    const std::size_t k = open[static_cast<std::size_t>(task)];
    RunRecord record = execute_run(execute, configurations_[k]);
    record.tuning = tuning_;
    if (file_) file_->append(record);
    // With or without a file, resumed or not, the caller sees the same.
    records_[k] = as_read_back(record);
    records_[k]->configuration = configurations_[k];
    finished();
  });
  std::vector<RunRecord> all;
  for (const auto& record : records_) all.push_back(*record);
  return all;
}

}  // namespace probmix
