// Are the differences between methods more than chance? Ranks over data sets, and paired tests over
// the splits or seeds of each.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "probmix/metric/wilcoxon.hpp"
#include "probmix/report/page/text.hpp"
#include "probmix/report/study/contest.hpp"

namespace probmix::report {

namespace {

std::vector<Rivals> all_with_first(const Contest& contest) {
  std::vector<Rivals> rivals;
  for (std::size_t m = 1; m < contest.methods.size(); ++m) rivals.push_back({m, 0});
  return rivals;
}

// Each ProbMix method with the one that mixes points where it fuses densities.
std::vector<Rivals> twins(const Contest& contest) {
  std::vector<Rivals> rivals;
  for (std::size_t a = 0; a < contest.methods.size(); ++a) {
    for (std::size_t b = 0; b < contest.methods.size(); ++b) {
      if (contest.methods[b] == twin_of(*contest.methods[a])) rivals.push_back({a, b});
    }
  }
  return rivals;
}

// "−0.31 (p 0.002)", bold if significant; "−0.31" if too few runs differ for a test. `labels` name
// the rows.
void add_tests(const Contest& contest, const Comparisons& all, const std::string& compared_with,
               const std::vector<std::string>& labels, const std::string& file) {
  Table table;
  table.caption = fmt::format(
      "{}: median difference from {}, and the p-value of Wilcoxon's paired test over {}s, "
      "corrected for the tests in a column (Holm); bold below {}",
      contest.score_layout().title, compared_with, contest.section.layout.repeat,
      significance_level);
  if (!all.all_have_enough_pairs()) {
    table.caption +=
        fmt::format("; no p-value where fewer than {} {}s differ, as it could not be below {}",
                    fewest_pairs, contest.section.layout.repeat, significance_level);
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
  contest.section.add_table(file_name(contest.score_layout()) + file, table);
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

// Where fusing densities is significantly better or worse than mixing points at the same place. The
// level is divided by the number of groups, since each is tested.
void add_twin_summary(const Section& section, const std::vector<Contest>& contests) {
  const std::vector<Rivals> rivals = twins(contests.front());
  if (rivals.empty()) return;
  const double strict = significance_level / static_cast<double>(contests.front().groups.size());
  std::vector<std::vector<Cell>> rows;
  for (const Rivals& r : rivals) {
    rows.push_back({fmt::format("{} − {}", contests.front().methods[r.one]->name,
                                contests.front().methods[r.other]->name)});
  }
  Table table;
  table.columns.push_back({"methods", Align::left});
  bool tested = false;
  for (const Contest& contest : contests) {
    table.columns.push_back({contest.score_layout().title + " better", Align::left});
    table.columns.push_back({contest.score_layout().title + " worse", Align::left});
    const Comparisons all = compare_all(contest, rivals);
    tested = tested || all.some_have_enough_pairs();
    std::vector<std::string> better(rivals.size()), worse(rivals.size());
    for (std::size_t g = 0; g < all.found.size(); ++g) {
      std::vector<double> p;
      for (const Comparison& found : all.found[g]) p.push_back(found.p);
      const std::vector<double> corrected = holm(p);
      for (std::size_t k = 0; k < p.size(); ++k) {
        const Comparison& found = all.found[g][k];
        if (!found.has_enough_pairs() || corrected[k] >= strict) continue;
        const bool larger = contest.score_layout().larger;
        std::string& list = (found.direction < 0) != larger ? better[k] : worse[k];
        const std::size_t won = larger ? found.pairs - found.smaller : found.smaller;
        list += fmt::format("{}{} {}/{}", list.empty() ? "" : ", ",
                            contest.section.name_of(contest.groups[g]), won, found.pairs);
      }
    }
    for (std::size_t k = 0; k < rivals.size(); ++k) {
      rows[k].emplace_back(better[k].empty() ? "–" : better[k]);
      rows[k].emplace_back(worse[k].empty() ? "–" : worse[k]);
    }
  }
  if (!tested) return;
  table.caption = fmt::format(
      "Where fusing densities is better or worse than mixing points at the same place (Wilcoxon, "
      "corrected for the pairs of methods, p below {} / {} {}), with the {}s on which it has the "
      "better score",
      significance_level, contests.front().groups.size(), section.layout.groups_noun(),
      section.layout.repeat);
  for (std::vector<Cell>& row : rows) table.add(std::move(row));
  section.page.add_subheading("Fused densities against mixed points");
  section.add_table("twins", table);
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
    const int better = contest.score_layout().larger ? 1 : -1;
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
      "On how many of {} {} the method of the row has a significantly better {} than that of the "
      "column (Wilcoxon, corrected for all pairs)",
      contest.groups.size(), contest.section.layout.groups_noun(), contest.score_layout().title);
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
  contest.section.add_table(file_name(contest.score_layout()) + "-wins", table);
}

// The score of this name, if every finished run has it.
std::optional<Contest> contest_by(const Contest& main, const std::string& key) {
  const auto& scores = main.section.layout.scores;
  const auto found = std::ranges::find(scores, key, &ScoreLayout::key);
  if (found == scores.end()) return std::nullopt;
  Contest contest = main;
  contest.score = to_size(found - scores.begin());
  const bool complete = std::ranges::all_of(main.section.cells, [&](const CellSummary& cell) {
    return cell.group.done.empty() || std::isfinite(cell.scores[contest.score].mean);
  });
  return complete ? std::optional(contest) : std::nullopt;
}

// What one density of a method with a random embedding is worth, without the mixture of draws.
void add_tests_of_draws(Contest contest) {
  std::erase_if(contest.methods, [&](const Method* method) {
    return method != contest.methods.front() && !has_draws(*method);
  });
  const Comparisons all = compare_all(contest, all_with_first(contest));
  if (has_draws(*contest.methods.front()) || !all.some_have_enough_pairs()) return;
  contest.section.page.add_subheading("Single draws of random embeddings");
  add_tests_with_first(contest, all);
}

void add_contest(const Contest& contest) {
  contest.section.page.add_subheading("Compared by " + contest.score_layout().title);
  const bool has_sets = contest.section.layout.keys.front() == "dataset";
  if (has_sets && contest.groups.size() >= 2) add_ranks(contest);
  const Comparisons all = compare_all(contest, all_with_first(contest));
  if (!all.some_have_enough_pairs()) {
    contest.section.page.add_paragraph(
        fmt::format("There are too few {}s to test methods against each other: with fewer than {} "
                    "that differ, nothing can be significant.",
                    contest.section.layout.repeat, fewest_pairs));
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
  std::vector<Contest> contests;
  for (const std::size_t score : section.layout.compared) {
    if (has_scores(section.cells, score)) contests.push_back({section, score, common, groups});
  }
  if (contests.empty()) return;
  for (const Contest& contest : contests) add_contest(contest);
  if (section.layout.keys.front() != "dataset" || groups.size() < 2) return;
  add_twin_summary(section, contests);
  const bool random = std::ranges::any_of(common, [](const Method* m) { return has_draws(*m); });
  if (const auto draws = contest_by(contests.front(), "test_draws_nll"); draws && random) {
    add_tests_of_draws(*draws);
    contests.push_back(*draws);
  }
  if (const auto validation = contest_by(contests.front(), "validation_nll")) {
    contests.push_back(*validation);
  }
  add_rank_table(section, contests);
}

}  // namespace probmix::report
