#include "probmix/report/model/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "probmix/base/printable.hpp"
#include "probmix/math/special.hpp"

namespace probmix::report {
namespace {

// The shares of `rows` rows that an event of this probability has in 95 of 100 tables; with several
// looks, in all of them at once.
std::pair<double, double> chance_band(double probability, Index rows, std::size_t looks = 1) {
  const double z = -normal_quantile(0.025 / static_cast<double>(looks));
  const double deviation = std::sqrt(probability * (1 - probability) / static_cast<double>(rows));
  return {std::max(0.0, probability - z * deviation), std::min(1.0, probability + z * deviation)};
}

constexpr std::size_t judged_level = 2;
static_assert(Evaluation::levels[judged_level] == 0.9);

// Of 90 % intervals that hold this share of their rows; empty if that may be chance.
std::string fault_of(double covered, const std::pair<double, double>& band, const Target& target) {
  if (covered < band.first) return "too narrow";
  const bool discrete = std::visit([](const auto& f) { return bool{f.discrete}; }, target.make());
  if (covered > band.second) return discrete ? "as those of counts may" : "too wide";
  return "";
}

std::string coverage_verdict(const Evaluation& evaluation, std::size_t column,
                             const Target& target) {
  const Index rows = evaluation.rows - evaluation.censored;
  const double covered = evaluation.columns[column].coverage[judged_level];
  const auto [low, high] = chance_band(0.9, rows);
  std::string judgement = fault_of(covered, {low, high}, target);
  if (judgement.empty()) judgement = "as they should";
  const std::string of =
      target.names.size() == 1 ? "" : fmt::format(" of {}", in_quotes(target.names[column]));
  return fmt::format("90 % intervals{} hold {:.1f} % of {} rows: {} (by chance {:.1f} to {:.1f} %)",
                     of, 100 * covered, rows, judgement, 100 * low, 100 * high);
}

std::string beside(double nll, double baseline, std::string_view name) {
  const double gain = baseline - nll;
  return fmt::format("{:.2g} {} that of {}", std::abs(gain), gain >= 0 ? "below" : "above", name);
}

void add_nll_verdict(const EvaluationBeside& found, std::vector<std::string>& sentences) {
  std::vector<std::string> parts;
  if (found.linear) {
    parts.push_back(beside(found.model.nll, found.linear->nll, "a linear model"));
  }
  if (found.marginal) {
    parts.push_back(beside(found.model.nll, found.marginal->nll, "one density for all rows"));
  }
  if (parts.empty()) return;
  sentences.push_back(fmt::format("NLL {:.4g}: {}", found.model.nll, fmt::join(parts, ", ")));
  if (found.marginal && found.model.nll > found.marginal->nll) {
    sentences.push_back("These predictions are worse than none: do not use them for such rows");
  }
}

// The most frequent observed class and its share.
std::pair<std::size_t, double> most_frequent(const Evaluation& evaluation, std::size_t classes) {
  std::pair<std::size_t, double> most = {0, -1};
  for (std::size_t c = 0; c < classes; ++c) {
    const double share =
        static_cast<double>(evaluation.observed[c]) / static_cast<double>(evaluation.rows);
    if (share > most.second) most = {c, share};
  }
  return most;
}

std::string accuracy_verdict(const Evaluation& evaluation, const Target& target) {
  const auto [most, share] = most_frequent(evaluation, target.classes.size());
  const double accuracy = evaluation.classes.accuracy;
  const double error = std::sqrt(accuracy * (1 - accuracy) / static_cast<double>(evaluation.rows));
  const char* const relation = accuracy > share + 2 * error   ? "more than"
                               : accuracy < share - 2 * error ? "less than"
                                                              : "no better than";
  return fmt::format("Accuracy {:.1f} %: {} the {:.1f} % of always saying {}", 100 * accuracy,
                     relation, 100 * share, in_quotes(target.classes[most]));
}

}  // namespace

std::vector<std::string> verdict(const EvaluationBeside& found, const Target& target) {
  std::vector<std::string> sentences;
  if (target.has_classes()) {
    sentences.push_back(accuracy_verdict(found.model, target));
  } else {
    for (std::size_t k = 0; k < found.model.columns.size(); ++k) {
      sentences.push_back(coverage_verdict(found.model, k, target));
    }
  }
  add_nll_verdict(found, sentences);
  return sentences;
}

Table slices_table(const std::vector<SlicedEvaluator::Part>& parts, const std::string& column,
                   const Target& target) {
  const auto number = [](double value) { return fmt::format("{:.4g}", value); };
  const auto percent = [](double share) { return fmt::format("{:.1f} %", 100 * share); };
  Table table;
  table.columns = {{column}, {"rows", Align::right}, {"NLL", Align::right}};
  if (target.has_classes()) {
    table.columns.push_back({"accuracy", Align::right});
    for (const auto& [name, evaluation] : parts) {
      table.add({printable(name), fmt::format("{}", evaluation.rows), number(evaluation.nll),
                 percent(evaluation.classes.accuracy)});
    }
    return table;
  }
  for (const std::string& name : target.names) {
    const std::string of = target.names.size() == 1 ? "" : " of " + name;
    table.columns.push_back({"RMSE" + of, Align::right});
    table.columns.push_back({"in 90 % interval" + of, Align::right});
    table.columns.push_back({""});
  }
  for (const auto& [name, evaluation] : parts) {
    std::vector<Cell> cells{printable(name), fmt::format("{}", evaluation.rows),
                            number(evaluation.nll)};
    const auto band = chance_band(0.9, evaluation.rows - evaluation.censored, parts.size());
    for (const Evaluation::TargetScores& scores : evaluation.columns) {
      const double covered = scores.coverage[judged_level];
      cells.emplace_back(number(scores.rmse));
      cells.emplace_back(percent(covered));
      cells.emplace_back(fault_of(covered, band, target));
    }
    table.add(std::move(cells));
  }
  return table;
}

Table worst_table(const std::vector<WorstRow>& rows, const Target& target) {
  const auto number = [](double value) { return fmt::format("{:.4g}", value); };
  Table table;
  table.columns = {{"row", Align::right}, {"NLL", Align::right}};
  if (target.has_classes()) {
    for (const char* name : {"observed", "its probability", "predicted"}) {
      table.columns.push_back({name, Align::right});
    }
    const auto name = [&](double c) {
      return printable(target.classes[static_cast<std::size_t>(c)]);
    };
    for (const WorstRow& row : rows) {
      table.add({fmt::format("{}", row.number), number(row.nll), name(row.observed),
                 number(row.probability), name(row.predicted)});
    }
    return table;
  }
  table.columns.push_back({"observed " + target.names.front(), Align::right});
  for (const char* name : {"predicted", "90 % from", "to"}) {
    table.columns.push_back({name, Align::right});
  }
  for (const WorstRow& row : rows) {
    table.add({fmt::format("{}", row.number), number(row.nll), number(row.observed),
               number(row.predicted), number(row.low), number(row.high)});
  }
  return table;
}

}  // namespace probmix::report
