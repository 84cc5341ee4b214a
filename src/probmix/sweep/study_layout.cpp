#include "probmix/sweep/study_layout.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "probmix/base/error.hpp"
#include "probmix/sweep/choice.hpp"

namespace probmix {

namespace {

ScoreLayout score_layout(const std::string& part, const std::string& score,
                         const std::string& title) {
  return {part + "_" + score, "/" + part + "/" + score, title, score == "accuracy"};
}

// What settings are chosen by. Absent without validation rows.
ScoreLayout validation_nll() {
  ScoreLayout layout = score_layout("validation", "nll", "validation NLL");
  layout.optional = true;
  return layout;
}

StudyLayout toy_regression_layout(std::string name, std::string title) {
  return {.name = std::move(name),
          .title = std::move(title),
          .units = "standardised units",
          .keys = {"pooling", "beta", "alpha"},
          .repeat = "run",
          .tabled = 5,
          .scores = {score_layout("id", "nll", "ID NLL"), score_layout("ood", "nll", "OOD NLL"),
                     score_layout("ood", "draws_nll", "OOD, single draws"),
                     score_layout("id", "mse", "ID MSE"), score_layout("ood", "mse", "OOD MSE"),
                     score_layout("train", "nll", "train NLL"),
                     score_layout("id", "draws_nll", "ID, single draws"),
                     score_layout("train", "draws_nll", "train, single draws"), validation_nll()},
          .compared = {1, 0}};
}

std::vector<ScoreLayout> regression_scores() {
  return {score_layout("test", "nll", "test NLL"),
          score_layout("test", "rmse", "test RMSE"),
          score_layout("train", "nll", "train NLL"),
          score_layout("train", "rmse", "train RMSE"),
          score_layout("test", "draws_nll", "test, single draws"),
          score_layout("train", "draws_nll", "train, single draws"),
          validation_nll()};
}

std::vector<ScoreLayout> class_scores() {
  return {score_layout("test", "nll", "test NLL"),
          score_layout("test", "accuracy", "test accuracy"),
          score_layout("test", "brier", "test Brier"),
          score_layout("test", "ece", "test ECE"),
          score_layout("train", "nll", "train NLL"),
          score_layout("train", "accuracy", "train accuracy")};
}

// Of a benchmark of the default recipe; those of classes are in the same table.
std::vector<ScoreLayout> benchmark_scores(bool has_classes) {
  std::vector<ScoreLayout> scores = {score_layout("test", "nll", "test NLL"),
                                     score_layout("test", "crps", "test CRPS"),
                                     score_layout("test", "rmse", "test RMSE")};
  if (has_classes) scores.push_back(score_layout("test", "accuracy", "accuracy"));
  scores.push_back({"coverage_90", "/test/coverage_90", "in 90 % interval"});
  if (has_classes) {
    for (std::size_t k = 1; k < scores.size(); ++k) scores[k].optional = true;
  }
  // Of the processor: other work on the machine does not count.
  scores.push_back({"seconds", "/cpu_seconds", "CPU seconds"});
  scores.back().optional = true;  // earlier results lack it
  scores.push_back({"marginal_nll", "/marginal_nll", "marginal NLL"});
  return scores;
}

// Methods compared on the user's own table.
StudyLayout comparison_layout(std::string name, std::string units,
                              std::vector<ScoreLayout> scores) {
  return {.name = std::move(name),
          .title = "Comparison by cross-validation",
          .units = std::move(units),
          .keys = {"dataset"},
          .repeat = "fold",
          .chooses = true,
          .tabled = 4,
          .scores = std::move(scores)};
}

}  // namespace

std::span<const StudyLayout> study_layouts() {
  static const std::vector<StudyLayout> layouts = {
      toy_regression_layout("toy-regression", "Toy regression"),
      toy_regression_layout("pooling", "Linear and log-linear pooling"),
      toy_regression_layout("latent", "From latent variables to mixup"),
      {.name = "toy-classification",
       .title = "Toy classification",
       .units = "nats",
       .keys = {"beta", "alpha"},
       .repeat = "run",
       .tabled = 4,
       .scores =
           [] {
             std::vector<ScoreLayout> scores = class_scores();
             scores.push_back(score_layout("test", "draws_nll", "test, single draws"));
             return scores;
           }()},
      {.name = "uci",
       .title = "UCI regression",
       .units = "units of the data",
       .keys = {"dataset"},
       .repeat = "split",
       .chooses = true,
       .tabled = 4,
       .scores = regression_scores()},
      {.name = "stocks",
       .title = "Stock forecasts",
       .units = "standardised units",
       .keys = {"dataset", "arch"},
       .repeat = "run",
       .chooses = true,
       .tabled = 4,
       .scores = regression_scores()},
      {.name = "best",
       .title = "The default recipe on the UCI sets",
       .units = "units of the data",
       .keys = {"dataset"},
       .repeat = "split",
       .tabled = 6,
       .scores = benchmark_scores(false),
       .compared = {0, 1}},
      {.name = "tables",
       .title = "The default recipe on the development collection",
       .units = "units of the data",
       .keys = {"dataset"},
       .repeat = "split",
       .tabled = 7,
       .scores = benchmark_scores(true),
       .compared = {0}},
      comparison_layout(
          "compare", "units of the data",
          {score_layout("test", "nll", "test NLL"), score_layout("test", "rmse", "test RMSE"),
           score_layout("test", "crps", "test CRPS"), score_layout("train", "nll", "train NLL"),
           score_layout("train", "rmse", "train RMSE")}),
      comparison_layout("compare-classes", "nats", class_scores()),
  };
  return layouts;
}

const StudyLayout& study_layout(std::string_view name) {
  const auto layouts = study_layouts();
  std::vector<std::string_view> names;
  for (const StudyLayout& layout : layouts) names.push_back(layout.name);
  return layouts[check_choice("study", name, names)];
}

std::vector<std::string> StudyLayout::cell_keys() const {
  std::vector<std::string> all = keys;
  all.emplace_back("method");
  return all;
}

std::string StudyLayout::groups_noun() const {
  if (keys.front() != "dataset") return "settings";
  return keys.size() > 1 ? "data sets and networks" : "data sets";
}

double judged_mean(const StudyLayout& layout, const CellSummary& cell, std::size_t score) {
  const double mean = cell.scores[score].mean;
  if (cell.missing > 0) return std::numeric_limits<double>::quiet_NaN();
  if (!cell.diverged.empty() || !std::isfinite(mean)) {
    return std::numeric_limits<double>::infinity();
  }
  return layout.scores[score].larger ? -mean : mean;
}

std::vector<double> judged_means(const StudyLayout& layout, std::span<const CellSummary> group,
                                 std::size_t score) {
  std::vector<double> means;
  for (const CellSummary& cell : group) means.push_back(judged_mean(layout, cell, score));
  const auto absent = std::ranges::count_if(means, [](double mean) { return std::isnan(mean); });
  if (absent > 0 && absent + 1 == std::ssize(means)) std::ranges::fill(means, std::nan(""));
  return means;
}

std::vector<std::span<const CellSummary>> groups_of(std::span<const CellSummary> cells) {
  std::vector<std::span<const CellSummary>> groups;
  for (std::size_t first = 0; first < cells.size();) {
    std::size_t end = first + 1;
    while (end < cells.size() && cells[end].keys == cells[first].keys) ++end;
    groups.push_back(cells.subspan(first, end - first));
    first = end;
  }
  return groups;
}

namespace {

// As in group_runs: a configuration without a key belongs to all of its values.
bool belongs(const RunRecord& run, const Json& keys) {
  for (const auto& [key, value] : keys.items()) {
    const auto found = run.configuration.find(key);
    if (found != run.configuration.end() && *found != value) return false;
  }
  return true;
}

std::set<std::string> repeats_of(const StudyLayout& layout, const CellSummary& cell) {
  std::set<std::string> found;
  for (const auto* const runs : {&cell.group.done, &cell.diverged}) {
    for (const RunRecord* run : *runs)
      found.insert(exact_json_text(run->configuration.at(layout.repeat)));
  }
  return found;
}

void count_missing(const StudyLayout& layout, std::span<CellSummary> group) {
  std::set<std::string> all;
  for (const CellSummary& cell : group) all.merge(repeats_of(layout, cell));
  for (CellSummary& cell : group) cell.missing = all.size() - repeats_of(layout, cell).size();
}

}  // namespace

std::vector<CellSummary> sum_up(const StudyLayout& layout, std::span<const RunRecord> records) {
  const std::vector<std::string> keys = layout.cell_keys();
  const auto runs =
      layout.chooses ? best_settings(records, keys, layout.repeat) : pointers_to(records);
  std::vector<CellSummary> cells;
  for (RunGroup& group : group_runs(runs, keys)) {
    const std::string name = group.keys.at("method").get<std::string>();
    CellSummary cell{.keys = group.keys, .method = &find_method(name)};
    cell.keys.erase("method");
    const RunRecord* const first = group.done.empty() ? nullptr : group.done.front();
    for (const std::string& key : setting_keys) {
      if (first != nullptr && first->configuration.contains(key)) {
        cell.settings[key] = first->configuration[key];
      }
    }
    for (const ScoreLayout& score : layout.scores) {
      const bool absent = score.optional && !group.has(score.pointer);
      cell.scores.push_back(absent ? MeanSe{} : group.summary(score.pointer));
    }
    for (const RunRecord* run : runs) {
      if (run->status == RunStatus::diverged && belongs(*run, group.keys)) {
        cell.diverged.push_back(run);
      }
    }
    cell.group = std::move(group);
    cells.push_back(std::move(cell));
  }
  // Cells with the same keys follow each other, in the order of the first; methods keep their
  // order.
  std::vector<Json> order;
  const auto place = [&](const CellSummary& cell) {
    return std::ranges::find(order, cell.keys) - order.begin();
  };
  for (const CellSummary& cell : cells) {
    if (place(cell) == std::ssize(order)) order.push_back(cell.keys);
  }
  std::ranges::stable_sort(cells, {}, place);
  for (const auto group : groups_of(cells)) {
    const std::size_t first = to_size(group.data() - cells.data());
    count_missing(layout, std::span(cells).subspan(first, group.size()));
  }
  return cells;
}

Json to_json(const StudyLayout& layout, const CellSummary& cell) {
  Json object = cell.keys;
  object["method"] = cell.method->name;
  if (layout.chooses) object.update(cell.settings);
  object = without_infinities(std::move(object));
  object["runs"] = cell.group.done.size();
  object["diverged"] = cell.group.diverged;
  for (std::size_t k = 0; k < layout.scores.size(); ++k) {
    object[layout.scores[k].key] = cell.scores[k].mean;  // NaN becomes null
    object[layout.scores[k].key + "_se"] = cell.scores[k].se;
    object[layout.scores[k].key + "_sd"] = cell.scores[k].sd;
  }
  return object;
}

}  // namespace probmix
