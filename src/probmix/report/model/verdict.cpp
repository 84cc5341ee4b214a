#include "probmix/report/model/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "probmix/base/printable.hpp"

namespace probmix::report {
namespace {

// The shares of `rows` rows that an event of this probability has in 95 of 100 tables.
std::pair<double, double> chance_band(double probability, Index rows) {
  const double deviation = std::sqrt(probability * (1 - probability) / static_cast<double>(rows));
  return {std::max(0.0, probability - 1.96 * deviation),
          std::min(1.0, probability + 1.96 * deviation)};
}

std::string coverage_verdict(const Evaluation& evaluation, std::size_t column,
                             const Target& target) {
  constexpr std::size_t level = 2;
  static_assert(Evaluation::levels[level] == 0.9);
  const Index rows = evaluation.rows - evaluation.censored;
  const double covered = evaluation.columns[column].coverage[level];
  const auto [low, high] = chance_band(0.9, rows);
  const bool discrete = std::visit([](const auto& f) { return bool{f.discrete}; }, target.make());
  std::string judgement = "as they should";
  if (covered < low) judgement = "too narrow";
  if (covered > high) judgement = discrete ? "as those of counts may" : "too wide";
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

}  // namespace probmix::report
