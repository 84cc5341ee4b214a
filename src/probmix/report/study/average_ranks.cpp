// Average ranks of the methods over data sets.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "probmix/metric/ranks.hpp"
#include "probmix/paper/printed.hpp"
#include "probmix/report/charts/ranks.hpp"
#include "probmix/report/study/contest.hpp"

namespace probmix::report {

namespace {

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

// A row for each group, a column for each method; the smaller, the better.
Matrix<double> scores_of(const Contest& contest, auto&& score) {
  Matrix<double> scores(std::ssize(contest.groups), std::ssize(contest.methods));
  for (std::size_t g = 0; g < contest.groups.size(); ++g) {
    for (std::size_t m = 0; m < contest.methods.size(); ++m) {
      scores(static_cast<Index>(g), static_cast<Index>(m)) = score(contest.cell(g, m));
    }
  }
  return scores;
}

Matrix<double> judged_scores(const Contest& contest) {
  return scores_of(contest, [&](const CellSummary& cell) {
    return judged_mean(contest.section.layout, cell, contest.score);
  });
}

// For methods that the paper has in every group.
Matrix<double> paper_scores(const Contest& contest) {
  return scores_of(contest, [&](const CellSummary& cell) {
    const double mean =
        paper_figure(contest.section.layout, contest.score_layout().key, cell).value().mean;
    return contest.score_layout().larger ? -mean : mean;
  });
}

std::vector<const Method*> methods_in_paper(const Contest& contest) {
  std::vector<const Method*> known;
  for (std::size_t m = 0; m < contest.methods.size(); ++m) {
    bool everywhere = true;
    for (std::size_t g = 0; g < contest.groups.size(); ++g) {
      const CellSummary& cell = contest.cell(g, m);
      everywhere =
          everywhere && paper_figure(contest.section.layout, contest.score_layout().key, cell);
    }
    if (everywhere) known.push_back(contest.methods[m]);
  }
  return known;
}

void add_rank_chart(const Contest& contest) {
  const auto& common = contest.methods;
  const std::string& title = contest.score_layout().title;
  const Matrix<double> scores = judged_scores(contest);
  const View<const double> view = scores.view();
  const std::vector<double> ranks = average_ranks(view);
  const double critical =
      nemenyi_critical_difference(scores.cols(), scores.rows(), significance_level);
  RankPicture picture{.title = fmt::format("Average ranks by {}", title),
                      .caption = "",
                      .methods = {},
                      .groups = {},
                      .critical_difference = critical};
  std::vector<std::size_t> order(common.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t m) { return ranks[m]; });
  for (const std::size_t m : order) {
    picture.methods.push_back({std::string(common[m]->name), ranks[m], common[m]->probabilistic});
  }
  for (const std::vector<Index>& clique : cliques(ranks, critical)) {
    picture.groups.push_back({ranks[to_size(clique.front())], ranks[to_size(clique.back())]});
  }
  contest.section.page.add_paragraph(fmt::format(
      "The methods ranked by {}, 1 is best, averaged over {} {}. Friedman's test of whether all "
      "are alike has p = {:.2g} (Iman and Davenport). Two methods differ at the level {} if their "
      "average ranks are at least {:.2f} apart (Nemenyi); bars join those that do not.",
      title, contest.groups.size(), contest.section.layout.groups_noun(), friedman_test(view).f_p,
      significance_level, critical));
  contest.section.page.add_figures(std::vector<Figure>{rank_chart(picture)}, {}, FigureGrid::wide);
}

}  // namespace

// A method with missing repeats has no rank: neither the remaining repeats nor last place would be
// fair.
void add_ranks(const Contest& contest) {
  Contest ranked = contest;
  ranked.methods = complete_methods(contest);
  const std::size_t left_out = contest.methods.size() - ranked.methods.size();
  if (left_out > 0) {
    contest.section.page.add_paragraph(
        fmt::format("{} of {} methods have no rank because they lack {}s that others have.",
                    left_out, contest.methods.size(), contest.section.layout.repeat));
  }
  if (ranked.methods.size() >= 2) add_rank_chart(ranked);
}

// A row for each score, and for the paper's figures; a column for each method.
void add_rank_table(const Section& section, const std::vector<Contest>& contests) {
  Table table;
  table.caption = fmt::format("Average ranks over {} {}, 1 is best; the best of each row in bold",
                              contests.front().groups.size(), section.layout.groups_noun());
  table.columns.push_back({"by", Align::left});
  const auto& common = contests.front().methods;
  for (const Method* const method : common) {
    table.columns.push_back({std::string(method->name), Align::right});
  }
  const auto add = [&](const std::string& label, const std::vector<const Method*>& ranked,
                       const Matrix<double>& scores) {
    const std::vector<double> found = average_ranks(scores.view());
    const double best = *std::ranges::min_element(found);
    std::vector<Cell> row = {label};
    for (const Method* const method : common) {
      const auto at = std::ranges::find(ranked, method);
      const bool has_rank = at != ranked.end();
      const double rank = has_rank ? found[to_size(at - ranked.begin())] : 0;
      row.emplace_back(has_rank ? fmt::format("{:.2f}", rank) : "–");
      row.back().best = has_rank && rank == best;
    }
    table.add(std::move(row));
  };
  for (const Contest& contest : contests) {
    Contest ranked = contest;
    ranked.methods = complete_methods(contest);
    if (ranked.methods.size() >= 2) {
      add(contest.score_layout().title, ranked.methods, judged_scores(ranked));
    }
    ranked.methods = methods_in_paper(contest);
    if (ranked.methods.size() >= 2) {
      add(contest.score_layout().title + ", the paper's", ranked.methods, paper_scores(ranked));
    }
  }
  if (table.rows.empty()) return;
  section.page.add_subheading("Average ranks");
  section.add_table("ranks", table);
}

}  // namespace probmix::report
