#include "probmix/report/model/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "probmix/base/printable.hpp"
#include "probmix/math/special.hpp"

namespace probmix::report {
namespace {

// How many of `rows` rows right 90 % intervals may contain: the fewest and the most that are no
// surprise, as 95 of 100 tables have no more or fewer. With several looks, at all of them at once.
struct ChanceBand {
  Index low, high, rows;

  double low_share() const { return static_cast<double>(low) / static_cast<double>(rows); }
  double high_share() const { return static_cast<double>(high) / static_cast<double>(rows); }
};

// P(X <= k) for a binomial X.
double binomial_cdf(Index k, Index n, double probability) {
  if (k < 0) return 0;
  if (k >= n) return 1;
  return beta_cdf(static_cast<double>(n - k), static_cast<double>(k + 1), 1 - probability);
}

ChanceBand chance_band(double probability, Index rows, std::size_t looks = 1) {
  const double tail = 0.025 / static_cast<double>(looks);
  // The smallest number for which a condition holds that then holds for all larger ones.
  const auto smallest = [&](const auto& holds) {
    Index from = 0, to = rows;
    while (from < to) {
      const Index k = (from + to) / 2;
      if (holds(k)) {
        to = k;
      } else {
        from = k + 1;
      }
    }
    return from;
  };
  return {smallest([&](Index k) { return binomial_cdf(k, rows, probability) > tail; }),
          smallest([&](Index k) { return 1 - binomial_cdf(k, rows, probability) <= tail; }), rows};
}

constexpr double level = 0.9;
constexpr std::size_t level_number = 2;
static_assert(Evaluation::levels[level_number] == level);

// What is wrong with intervals that contain this share of their rows; empty if that may be chance.
std::string fault_of(double covered, const ChanceBand& band, const Target& target) {
  const auto contained = std::llround(covered * static_cast<double>(band.rows));
  if (contained < band.low) return "too narrow";
  const bool discrete = std::visit([](const auto& f) { return bool{f.discrete}; }, target.make());
  if (contained > band.high) return discrete ? "wide, as is normal for counts" : "too wide";
  return "";
}

std::string coverage_verdict(const Evaluation& evaluation, std::size_t column,
                             const Target& target) {
  const Index rows = evaluation.rows - evaluation.censored;
  const double covered = evaluation.columns[column].coverage[level_number];
  const ChanceBand band = chance_band(level, rows, evaluation.columns.size());
  std::string judgement = fault_of(covered, band, target);
  if (judgement.empty()) judgement = "as they should";
  const std::string of =
      target.names.size() == 1 ? "" : fmt::format(" of {}", in_quotes(target.names[column]));
  return fmt::format(
      "The 90 % intervals{} contain {:.1f} % of {} row{}: {} (by chance {:.1f} to {:.1f} %)", of,
      100 * covered, rows, rows == 1 ? "" : "s", judgement, 100 * band.low_share(),
      100 * band.high_share());
}

std::string beside(const Gain& gain, std::string_view name) {
  const std::string error = std::isfinite(gain.error) ? fmt::format(" ± {:.1g}", gain.error) : "";
  return fmt::format("{:.2g}{} {} that of {}", std::abs(gain.mean), error,
                     gain.mean >= 0 ? "below" : "above", name);
}

void add_nll_verdict(const EvaluationBeside& found, std::vector<std::string>& sentences) {
  std::vector<std::string> parts;
  if (found.linear) parts.push_back(beside(found.over_linear, "a linear model"));
  if (found.marginal) parts.push_back(beside(found.over_marginal, "one density for all rows"));
  if (parts.empty()) return;
  sentences.push_back(fmt::format("NLL {:.4g}: {}", found.model.nll, fmt::join(parts, ", ")));
  const Gain& gain = found.over_marginal;
  if (found.marginal && gain.mean < -2 * gain.error) {
    sentences.push_back(
        "For these rows the model is worse than one density for all of them: do not use it here");
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
    const auto band = chance_band(level, evaluation.rows - evaluation.censored,
                                  parts.size() * target.names.size());
    for (const Evaluation::TargetScores& scores : evaluation.columns) {
      const double covered = scores.coverage[level_number];
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
    table.add({fmt::format("{}", row.number), number(row.nll),
               row.is_censored ? "censored" : number(row.observed), number(row.predicted),
               number(row.low), number(row.high)});
  }
  return table;
}

}  // namespace probmix::report
