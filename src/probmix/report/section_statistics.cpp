// Are the differences between methods more than chance? Ranks over data sets, and paired tests over
// the splits or seeds of each.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "probmix/metric/ranks.hpp"
#include "probmix/metric/wilcoxon.hpp"
#include "probmix/report/charts/ranks.hpp"
#include "probmix/report/section.hpp"
#include "probmix/report/text.hpp"

namespace probmix {

namespace {

constexpr double level = 0.05;
// With fewer pairs that differ, even differences of one sign have p > level: 2 / 2⁵.
constexpr Index fewest_pairs = 6;

// What is compared, by which score.
struct Contest {
  const Section& section;
  std::size_t score;
  std::vector<const Method*> methods;  // that all groups have
  std::vector<std::span<const CellSummary>> groups;

  const ScoreView& score_view() const { return section.view.scores[score]; }
  const CellSummary& cell(std::size_t group, std::size_t method) const {
    return *std::ranges::find(groups[group], methods[method], &CellSummary::method);
  }
};

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

// Two methods in one group, repeat by repeat.
struct Comparison {
  std::size_t pairs = 0;
  Index differing = 0;  // of the pairs
  double p = 1;
  int direction = 0;      // −1: a tends to have the smaller score
  double difference = 0;  // median of a − b: one collapsed run should not decide

  bool has_enough_pairs() const { return differing >= fewest_pairs; }
  bool is_significant(double corrected) const { return has_enough_pairs() && corrected < level; }
};

double median(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  const double below = values[values.size() % 2 == 1 ? half : half - 1];
  return below == -values[half] ? 0 : (below + values[half]) / 2;  // also of −∞ and ∞
}

// The score of each repeat; of one that diverged the worst there is.
std::map<std::string, double> by_repeat(const Contest& contest, const CellSummary& cell) {
  const ScoreView& score = contest.score_view();
  const double worst = (score.larger ? -1 : 1) * std::numeric_limits<double>::infinity();
  std::map<std::string, double> values;
  const auto add = [&](const RunRecord& run, double value) {
    const Json& repeat = run.configuration.at(contest.section.view.repeat);
    values[repeat.dump()] = std::isfinite(value) ? value : worst;
  };
  const std::vector<double> done = cell.group.values(score.pointer);
  for (std::size_t k = 0; k < done.size(); ++k) add(*cell.group.done[k], done[k]);
  for (const RunRecord* run : cell.diverged) add(*run, worst);
  return values;
}

Comparison compare(const Contest& contest, const CellSummary& a, const CellSummary& b) {
  const auto of_a = by_repeat(contest, a);
  const auto of_b = by_repeat(contest, b);
  std::vector<double> left, right, differences;
  for (const auto& [repeat, value] : of_a) {
    const auto other = of_b.find(repeat);
    if (other == of_b.end()) continue;
    left.push_back(value);
    right.push_back(other->second);
    differences.push_back(value == other->second ? 0 : value - other->second);
  }
  if (left.empty()) return {};
  const WilcoxonTest test = wilcoxon_test(left, right);
  return {.pairs = left.size(),
          .differing = test.n,
          .p = test.p,
          .direction = test.direction,
          .difference = median(std::move(differences))};
}

// The methods with all repeats in all groups.
std::vector<const Method*> complete_methods(const Contest& contest) {
  std::vector<const Method*> complete;
  for (std::size_t m = 0; m < contest.methods.size(); ++m) {
    bool everywhere = true;
    for (std::size_t g = 0; g < contest.groups.size(); ++g) {
      everywhere = everywhere && contest.cell(g, m).missing == 0;
    }
    if (everywhere) complete.push_back(contest.methods[m]);
  }
  return complete;
}

void add_ranks(const Contest& contest) {
  const auto& common = contest.methods;
  const std::string& title = contest.score_view().title;
  Matrix<double> scores(std::ssize(contest.groups), std::ssize(common));
  for (std::size_t g = 0; g < contest.groups.size(); ++g) {
    for (std::size_t m = 0; m < common.size(); ++m) {
      scores(static_cast<Index>(g), static_cast<Index>(m)) =
          judged_mean(contest.section.view, contest.cell(g, m), contest.score);
    }
  }
  const View<const double> view = scores.view();
  const std::vector<double> ranks = average_ranks(view);
  const double critical = nemenyi_critical_difference(scores.cols(), scores.rows(), level);
  RankPicture picture{.title = fmt::format("Average ranks by {}", title),
                      .caption = "",
                      .methods = {},
                      .groups = {},
                      .critical_difference = critical};
  Table table;
  table.columns = {{"method", Align::left}, {"average rank", Align::right}};
  std::vector<std::size_t> order(common.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t m) { return ranks[m]; });
  for (const std::size_t m : order) {
    picture.methods.push_back({std::string(common[m]->name), ranks[m], common[m]->probabilistic});
    table.add({std::string(common[m]->name), fmt::format("{:.2f}", ranks[m])});
  }
  for (const std::vector<Index>& clique : cliques(ranks, critical)) {
    picture.groups.push_back({ranks[to_size(clique.front())], ranks[to_size(clique.back())]});
  }
  contest.section.page.add_paragraph(fmt::format(
      "Ranks of the methods by {}, 1 the best, averaged over {} {}. Are they all alike? Friedman's "
      "test: p = {:.2g} (Iman and Davenport). Two methods differ at the level {} if their ranks "
      "are {:.2f} apart (Nemenyi); bars join those that do not.",
      title, contest.groups.size(), contest.section.view.groups_noun(), friedman_test(view).f_p,
      level, critical));
  contest.section.page.add_figures(std::vector<Figure>{rank_chart(picture)}, {}, FigureGrid::wide);
  contest.section.add_table(file_name(contest.score_view()) + "-ranks", std::move(table));
}

// Methods with gaps have no ranks: neither the rest of their repeats nor the last place is theirs.
void add_ranks_of_complete(const Contest& contest) {
  Contest ranked = contest;
  ranked.methods = complete_methods(contest);
  const std::size_t left_out = contest.methods.size() - ranked.methods.size();
  if (left_out > 0) {
    contest.section.page.add_paragraph(
        fmt::format("Without ranks, since they lack {}s that others have: {} of {} methods.",
                    contest.section.view.repeat, left_out, contest.methods.size()));
  }
  if (ranked.methods.size() >= 2) add_ranks(ranked);
}

// Methods, by their places, of which one is compared with the other.
struct Rivals {
  std::size_t one, other;
};

// What is compared in one table, group by group.
struct Comparisons {
  std::vector<Rivals> rivals;
  std::vector<std::vector<Comparison>> found;  // of each group

  bool some_have_enough_pairs() const {
    return std::ranges::any_of(found, [](const auto& group) {
      return std::ranges::any_of(group, &Comparison::has_enough_pairs);
    });
  }
  bool all_have_enough_pairs() const {
    return std::ranges::all_of(found, [](const auto& group) {
      return std::ranges::all_of(group, &Comparison::has_enough_pairs);
    });
  }
};

Comparisons compare_all(const Contest& contest, std::vector<Rivals> rivals) {
  Comparisons all{std::move(rivals), std::vector<std::vector<Comparison>>(contest.groups.size())};
  for (std::size_t g = 0; g < all.found.size(); ++g) {
    for (const Rivals& r : all.rivals) {
      all.found[g].push_back(compare(contest, contest.cell(g, r.one), contest.cell(g, r.other)));
    }
  }
  return all;
}

std::vector<Rivals> all_with_first(const Contest& contest) {
  std::vector<Rivals> rivals;
  for (std::size_t m = 1; m < contest.methods.size(); ++m) rivals.push_back({m, 0});
  return rivals;
}

// ProbMix methods with those that mix points where they fuse densities.
std::vector<Rivals> twins(const Contest& contest) {
  std::vector<Rivals> rivals;
  for (std::size_t a = 0; a < contest.methods.size(); ++a) {
    for (std::size_t b = 0; b < contest.methods.size(); ++b) {
      if (contest.methods[b] == twin_of(*contest.methods[a])) rivals.push_back({a, b});
    }
  }
  return rivals;
}

// "−0.31 (p 0.002)", bold if it is significant; "−0.31" if too few runs differ to tell. `labels`
// name the rows.
void add_tests(const Contest& contest, const Comparisons& all, const std::string& compared_with,
               const std::vector<std::string>& labels, const std::string& file) {
  Table table;
  table.caption = fmt::format(
      "{}: median difference to {}, and the p-value of Wilcoxon's paired test over {}s, corrected "
      "for the tests of a column (Holm); bold below {}",
      contest.score_view().title, compared_with, contest.section.view.repeat, level);
  if (!all.all_have_enough_pairs()) {
    table.caption += fmt::format(
        "; without a p-value where fewer than {} {}s differ, so that none could be below {}",
        fewest_pairs, contest.section.view.repeat, level);
  }
  table.columns.push_back({"method", Align::left});
  std::vector<std::vector<Cell>> rows;
  for (const std::string& label : labels) rows.push_back({label});
  for (std::size_t g = 0; g < all.found.size(); ++g) {
    table.columns.push_back({contest.section.name_of(contest.groups[g]), Align::right});
    std::vector<double> p;
    for (const Comparison& found : all.found[g]) p.push_back(found.p);
    const std::vector<double> corrected = holm(p);
    for (std::size_t k = 0; k < p.size(); ++k) {
      const Comparison& found = all.found[g][k];
      Cell cell(
          found.pairs == 0 ? "–"
          : found.has_enough_pairs()
              ? fmt::format("{} ({})", format_difference(found.difference), format_p(corrected[k]))
              : format_difference(found.difference));
      cell.best = found.is_significant(corrected[k]);
      rows[k].push_back(std::move(cell));
    }
  }
  for (std::vector<Cell>& row : rows) table.add(std::move(row));
  contest.section.add_table(file_name(contest.score_view()) + file, std::move(table));
}

void add_tests_with_first(const Contest& contest, const Comparisons& all) {
  std::vector<std::string> labels;
  for (const Rivals& r : all.rivals) labels.emplace_back(contest.methods[r.one]->name);
  add_tests(contest, all, std::string(contest.methods.front()->name), labels, "-tests");
}

void add_tests_of_twins(const Contest& contest) {
  const Comparisons all = compare_all(contest, twins(contest));
  if (all.rivals.empty()) return;
  std::vector<std::string> labels;
  for (const Rivals& r : all.rivals) {
    labels.push_back(
        fmt::format("{} − {}", contest.methods[r.one]->name, contest.methods[r.other]->name));
  }
  add_tests(contest, all, "the method that mixes points at the same place", labels, "-twins");
}

// On how many data sets is the method of a row significantly better than that of a column?
void add_wins(const Contest& contest) {
  const std::size_t n = contest.methods.size();
  std::vector<std::vector<int>> wins(n, std::vector<int>(n));
  for (std::size_t g = 0; g < contest.groups.size(); ++g) {
    std::vector<Comparison> found;
    std::vector<double> p;
    for (std::size_t a = 0; a < n; ++a) {
      for (std::size_t b = a + 1; b < n; ++b) {
        found.push_back(compare(contest, contest.cell(g, a), contest.cell(g, b)));
        p.push_back(found.back().p);
      }
    }
    const std::vector<double> corrected = holm(p);
    const int better = contest.score_view().larger ? 1 : -1;
    std::size_t k = 0;
    for (std::size_t a = 0; a < n; ++a) {
      for (std::size_t b = a + 1; b < n; ++b, ++k) {
        if (!found[k].is_significant(corrected[k])) continue;
        ++(found[k].direction == better ? wins[a][b] : wins[b][a]);
      }
    }
  }
  Table table;
  table.caption = fmt::format(
      "Of {} {}, those on which the method of the row has a significantly better {} than that of "
      "the column (Wilcoxon, corrected for all pairs)",
      contest.groups.size(), contest.section.view.groups_noun(), contest.score_view().title);
  table.columns.push_back({"", Align::left});
  for (const Method* const method : contest.methods) {
    table.columns.push_back({std::string(method->name), Align::right});
  }
  for (std::size_t a = 0; a < n; ++a) {
    std::vector<Cell> row = {std::string(contest.methods[a]->name)};
    for (std::size_t b = 0; b < n; ++b) {
      row.emplace_back(a == b ? "·" : fmt::format("{}", wins[a][b]));
    }
    table.add(std::move(row));
  }
  contest.section.add_table(file_name(contest.score_view()) + "-wins", std::move(table));
}

void add_contest(const Contest& contest) {
  const bool has_scores = std::ranges::any_of(contest.section.cells, [&](const CellSummary& cell) {
    return std::isfinite(cell.scores[contest.score].mean);
  });
  if (!has_scores) return;  // without test rows
  contest.section.page.add_subheading("Compared by " + contest.score_view().title);
  const bool has_sets = contest.section.view.keys.front() == "dataset";
  if (has_sets && contest.groups.size() >= 2) add_ranks_of_complete(contest);
  const Comparisons all = compare_all(contest, all_with_first(contest));
  if (!all.some_have_enough_pairs()) {
    contest.section.page.add_paragraph(
        fmt::format("For a test between two methods there are too few {0}s: with fewer than {1} "
                    "that differ nothing can be significant.",
                    contest.section.view.repeat, fewest_pairs));
    return;
  }
  add_tests_with_first(contest, all);
  add_tests_of_twins(contest);
  if (has_sets) add_wins(contest);
}

}  // namespace

void add_statistics(const Section& section) {
  const auto groups = groups_of(section.cells);
  const std::vector<const Method*> common = common_methods(groups);
  if (common.size() < 2) return;
  for (const std::size_t score : section.view.compared) {
    add_contest({section, score, common, groups});
  }
}

}  // namespace probmix
