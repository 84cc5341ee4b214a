// Are the differences between methods more than chance? Ranks over data sets, and paired tests over
// the splits or seeds of each.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "probmix/metric/ranks.hpp"
#include "probmix/metric/wilcoxon.hpp"
#include "probmix/report/charts/ranks.hpp"
#include "probmix/report/section.hpp"
#include "probmix/report/text.hpp"

namespace probmix {

namespace {

constexpr double level = 0.05;

std::vector<const Method*> common_methods(const Section& section) {
  std::vector<const Method*> common;
  const auto groups = groups_of(section.cells);
  for (const Method& method : methods) {
    const bool everywhere = std::ranges::all_of(groups, [&](const auto group) {
      const auto cell = std::ranges::find(group, &method, &CellSummary::method);
      return cell != group.end();
    });
    if (everywhere) common.push_back(&method);
  }
  return common;
}

const CellSummary& cell_of(std::span<const CellSummary> group, const Method* method) {
  return *std::ranges::find(group, method, &CellSummary::method);
}

// Two methods on one data set, run by run.
struct Comparison {
  double p = 1;
  int direction = 0;      // −1: a tends to be better
  double difference = 0;  // median of a − b: one collapsed run should not decide
};

Comparison compare(const StudyView& view, const CellSummary& a, const CellSummary& b) {
  const auto by_repeat = [&](const CellSummary& cell) {
    std::map<std::string, double> values;
    const std::vector<double> all = cell.group.values(view.scores.front().pointer);
    for (std::size_t k = 0; k < all.size(); ++k) {
      if (std::isfinite(all[k])) {
        values[cell.group.done[k]->configuration.at(view.repeat).dump()] = all[k];
      }
    }
    return values;
  };
  const auto of_a = by_repeat(a);
  const auto of_b = by_repeat(b);
  std::vector<double> left, right, differences;
  for (const auto& [repeat, value] : of_a) {
    const auto other = of_b.find(repeat);
    if (other == of_b.end()) continue;
    left.push_back(value);
    right.push_back(other->second);
    differences.push_back(value - other->second);
  }
  if (left.empty()) return {};
  std::ranges::sort(differences);
  const std::size_t half = differences.size() / 2;
  const WilcoxonTest test = wilcoxon_test(left, right);
  return {.p = test.p,
          .direction = test.direction,
          .difference = differences.size() % 2 == 1
                            ? differences[half]
                            : (differences[half - 1] + differences[half]) / 2};
}

void add_ranks(const Section& section, const std::vector<const Method*>& common) {
  const auto groups = groups_of(section.cells);
  Matrix<double> scores(std::ssize(groups), std::ssize(common));
  for (Index g = 0; g < scores.rows(); ++g) {
    for (Index m = 0; m < scores.cols(); ++m) {
      scores(g, m) = judged_mean(cell_of(groups[to_size(g)], common[to_size(m)]), 0);
    }
  }
  const View<const double> view = scores.view();
  const std::vector<double> ranks = average_ranks(view);
  const double critical = nemenyi_critical_difference(scores.cols(), scores.rows(), level);
  const FriedmanTest friedman = friedman_test(view);
  RankPicture picture{.title = fmt::format("Average ranks by {}", section.view.scores[0].title),
                      .caption = "",
                      .methods = {},
                      .groups = {},
                      .critical_difference = critical};
  Table table;
  table.columns = {{"method", Align::left}, {"average rank", Align::right}};
  std::vector<std::size_t> order(common.size());
  for (std::size_t m = 0; m < order.size(); ++m) order[m] = m;
  std::ranges::stable_sort(order, {}, [&](std::size_t m) { return ranks[m]; });
  for (const std::size_t m : order) {
    picture.methods.push_back({std::string(common[m]->name), ranks[m], common[m]->probabilistic});
    table.add({std::string(common[m]->name), fmt::format("{:.2f}", ranks[m])});
  }
  for (const std::vector<Index>& clique : cliques(ranks, critical)) {
    picture.groups.push_back({ranks[to_size(clique.front())], ranks[to_size(clique.back())]});
  }
  section.page.add_paragraph(fmt::format(
      "Ranks of the methods by {}, 1 the best, averaged over {} {}. Are they all alike? Friedman's "
      "test: p = {:.2g} (Iman and Davenport). Two methods differ at the level {} if their ranks "
      "are {:.2f} apart (Nemenyi); bars join those that do not.",
      section.view.scores[0].title, groups.size(),
      section.view.keys.size() > 1 ? "data sets and networks" : "data sets", friedman.f_p, level,
      critical));
  section.page.add_figures(std::vector<Figure>{rank_chart(picture)}, {}, FigureGrid::wide);
  section.add_table("ranks", std::move(table));
}

// "−0.31 (p 0.002)", bold if it is significant.
void add_tests(const Section& section, const std::vector<const Method*>& common) {
  const Method* const base = common.front();
  const auto groups = groups_of(section.cells);
  Table table;
  table.caption = fmt::format(
      "{}: median difference to {}, and the p-value of Wilcoxon's paired test over {}s, corrected "
      "for "
      "the number of methods (Holm); bold below {}",
      section.view.scores[0].title, base->name, section.view.repeat, level);
  table.columns.push_back({"method", Align::left});
  std::vector<std::vector<Cell>> rows;
  for (std::size_t m = 1; m < common.size(); ++m) {
    rows.push_back({std::string(common[m]->name)});
  }
  for (const auto group : groups) {
    table.columns.push_back({group_name(section, group), Align::right});
    std::vector<Comparison> found;
    std::vector<double> p;
    for (std::size_t m = 1; m < common.size(); ++m) {
      found.push_back(compare(section.view, cell_of(group, common[m]), cell_of(group, base)));
      p.push_back(found.back().p);
    }
    const std::vector<double> corrected = holm(p);
    for (std::size_t m = 0; m < found.size(); ++m) {
      Cell cell(fmt::format("{:+.3g} (p {:.2g})", found[m].difference, corrected[m]));
      cell.best = corrected[m] < level;
      rows[m].push_back(std::move(cell));
    }
  }
  for (std::vector<Cell>& row : rows) table.add(std::move(row));
  section.add_table("tests", std::move(table));
}

// On how many data sets is the method of a row significantly better than that of a column?
void add_wins(const Section& section, const std::vector<const Method*>& common) {
  const auto groups = groups_of(section.cells);
  const std::size_t n = common.size();
  std::vector<std::vector<int>> wins(n, std::vector<int>(n));
  for (const auto group : groups) {
    std::vector<Comparison> found;
    std::vector<double> p;
    for (std::size_t a = 0; a < n; ++a) {
      for (std::size_t b = a + 1; b < n; ++b) {
        found.push_back(
            compare(section.view, cell_of(group, common[a]), cell_of(group, common[b])));
        p.push_back(found.back().p);
      }
    }
    const std::vector<double> corrected = holm(p);
    std::size_t k = 0;
    for (std::size_t a = 0; a < n; ++a) {
      for (std::size_t b = a + 1; b < n; ++b, ++k) {
        if (corrected[k] >= level) continue;
        ++(found[k].direction < 0 ? wins[a][b] : wins[b][a]);
      }
    }
  }
  Table table;
  table.caption = fmt::format(
      "Of {} data sets, those on which the method of the row has a significantly smaller {} than "
      "that of the column (Wilcoxon, corrected for all pairs of a data set)",
      groups.size(), section.view.scores[0].title);
  table.columns.push_back({"", Align::left});
  for (const Method* const method : common) {
    table.columns.push_back({std::string(method->name), Align::right});
  }
  for (std::size_t a = 0; a < n; ++a) {
    std::vector<Cell> row = {std::string(common[a]->name)};
    for (std::size_t b = 0; b < n; ++b) {
      row.emplace_back(a == b ? "·" : fmt::format("{}", wins[a][b]));
    }
    table.add(std::move(row));
  }
  section.add_table("wins", std::move(table));
}

}  // namespace

void add_statistics(const Section& section) {
  const bool judged = std::ranges::any_of(
      section.cells, [](const CellSummary& c) { return std::isfinite(judged_mean(c, 0)); });
  if (!judged) return;  // without test rows
  const std::vector<const Method*> common = common_methods(section);
  if (common.size() < 2) return;
  const bool has_sets = section.view.keys.front() == "dataset";
  if (has_sets && groups_of(section.cells).size() >= 2) add_ranks(section, common);
  const std::size_t runs = section.cells.front().group.done.size();
  if (runs < 5) return;  // no difference can be significant
  add_tests(section, common);
  if (has_sets) add_wins(section, common);
}

}  // namespace probmix
