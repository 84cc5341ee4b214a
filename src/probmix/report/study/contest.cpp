#include "probmix/report/study/contest.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>

#include "probmix/metric/wilcoxon.hpp"

namespace probmix::report {

namespace {

// The score of each repeat; the worst possible for one that diverged.
std::map<std::string, double> by_repeat(const Contest& contest, const CellSummary& cell) {
  const ScoreLayout& score = contest.score_layout();
  const double worst = (score.larger ? -1 : 1) * std::numeric_limits<double>::infinity();
  std::map<std::string, double> values;
  const auto add = [&](const RunRecord& run, double value) {
    const Json& repeat = run.configuration.at(contest.section.layout.repeat);
    values[exact_json_text(repeat)] = std::isfinite(value) ? value : worst;
  };
  const std::vector<double> done = cell.group.values(score.pointer);
  for (std::size_t k = 0; k < done.size(); ++k) add(*cell.group.done[k], done[k]);
  for (const RunRecord* run : cell.diverged) add(*run, worst);
  return values;
}

}  // namespace

std::vector<const Method*> common_methods(std::span<const std::span<const CellSummary>> groups) {
  std::vector<const Method*> common;
  for (const Method& method : methods) {
    const bool everywhere = std::ranges::all_of(groups, [&](const auto group) {
      return std::ranges::count(group, &method, &CellSummary::method) > 0;
    });
    if (everywhere) common.push_back(&method);
  }
  return common;
}

Comparison compare(const Contest& contest, const CellSummary& a, const CellSummary& b) {
  const auto of_a = by_repeat(contest, a);
  const auto of_b = by_repeat(contest, b);
  std::vector<double> left, right, differences;
  std::size_t smaller = 0;
  for (const auto& [repeat, value] : of_a) {
    const auto other = of_b.find(repeat);
    if (other == of_b.end()) continue;
    left.push_back(value);
    right.push_back(other->second);
    differences.push_back(value == other->second ? 0 : value - other->second);
    smaller += value < other->second ? 1 : 0;
  }
  if (left.empty()) return {};
  const WilcoxonTest test = wilcoxon_test(left, right);
  return {.pairs = left.size(),
          .differing = test.n,
          .p = test.p,
          .direction = test.direction,
          .difference = median(std::move(differences)),
          .smaller = smaller};
}

Comparisons compare_all(const Contest& contest, std::vector<Rivals> rivals) {
  Comparisons all{std::move(rivals), std::vector<std::vector<Comparison>>(contest.groups.size())};
  for (std::size_t g = 0; g < all.found.size(); ++g) {
    for (const Rivals& r : all.rivals) {
      all.found[g].push_back(compare(contest, contest.cell(g, r.one), contest.cell(g, r.other)));
    }
  }
  return all;
}

}  // namespace probmix::report
