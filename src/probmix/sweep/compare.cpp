#include "probmix/sweep/compare.hpp"

#include <algorithm>
#include <filesystem>

#include "probmix/base/error.hpp"

namespace probmix {
namespace {

double test_share(const std::vector<Fold>& folds) {
  double sum = 0;
  for (const Fold& fold : folds) {
    sum += static_cast<double>(fold.judged.front().examples.size()) /
           static_cast<double>(fold.train.size());
  }
  return sum / static_cast<double>(folds.size());
}

}  // namespace

Comparison make_comparison(const std::shared_ptr<const Frame>& table,
                           const CompareOptions& options) {
  check_range("`repeats`", options.repeats, 1, 1000);
  FitOptions fit = options.fit;
  const Prepared whole = prepare(*table, fit);
  const Target& target = whole.responses.front().target;
  fit.family = target.family;
  const std::vector<std::int64_t> classes = example_classes(*table, target, whole.examples);
  std::vector<Fold> folds;
  const Index repeats = is_split_in_time(fit.series) ? 1 : options.repeats;
  for (Index repeat = 0; repeat < repeats; ++repeat) {
    std::ranges::move(make_folds(*table, fit, whole.examples, classes, options.folds,
                                 derive_seed(fit.seed, 2 + static_cast<std::uint64_t>(repeat))),
                      std::back_inserter(folds));
  }
  Comparison comparison{.data = nullptr,
                        .study = target.has_classes() ? "compare-classes" : "compare",
                        .remarks = whole.remarks,
                        .test_share = test_share(folds)};
  if (!fit.weights.empty()) {
    comparison.remarks.emplace_back(
        "weights apply to training only; in the scores all rows count equally");
  }
  const std::string name = std::filesystem::path(table->file).filename().string();
  comparison.data = std::make_shared<const StudyData>(
      StudyData{.name = name,
                .options = fit,
                .identity = {{"dataset", name},
                             {"fingerprint", fingerprint_of(*table)},
                             {"rows", whole.examples.count()},
                             {"folds", options.folds}},
                .repeat = "fold",
                .at = [table, folds](Index fold) -> StudyData::Case {
                  return {table, folds[to_size(fold)]};
                },
                .repeats = std::ssize(folds)});
  return comparison;
}

}  // namespace probmix
