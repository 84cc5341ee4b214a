// Methods compared with each other by a score: what ranks and paired tests share.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "probmix/report/study/section.hpp"

namespace probmix::report {

inline constexpr double significance_level = 0.05;
// With five pairs that differ, even differences of one sign have p = 2 / 2⁵ > 0.05.
inline constexpr Index fewest_pairs = 6;

// Methods to be compared by a score.
struct Contest {
  const Section& section;
  std::size_t score;
  std::vector<const Method*> methods;  // those in all groups
  std::vector<std::span<const CellSummary>> groups;

  const ScoreLayout& score_layout() const { return section.layout.scores[score]; }
  const CellSummary& cell(std::size_t group, std::size_t method) const {
    return *std::ranges::find(groups[group], methods[method], &CellSummary::method);
  }
};

std::vector<const Method*> common_methods(std::span<const std::span<const CellSummary>> groups);

// Two methods in one group, repeat by repeat.
struct Comparison {
  std::size_t pairs = 0;
  Index differing = 0;  // of the pairs
  double p = 1;
  int direction = 0;        // −1: a tends to have the smaller score
  double difference = 0;    // median of a − b, so that one collapsed run does not decide
  std::size_t smaller = 0;  // pairs with a < b

  bool has_enough_pairs() const { return differing >= fewest_pairs; }
  bool is_significant(double corrected) const {
    return has_enough_pairs() && corrected < significance_level;
  }
};

Comparison compare(const Contest& contest, const CellSummary& a, const CellSummary& b);

// Two methods to compare, by their places.
struct Rivals {
  std::size_t one, other;
};

// The comparisons of one table.
struct Comparisons {
  std::vector<Rivals> rivals;
  std::vector<std::vector<Comparison>> found;  // group by group

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

Comparisons compare_all(const Contest& contest, std::vector<Rivals> rivals);

// Both take contests over the same methods and groups.
void add_ranks(const Contest& contest);  // by one score, with the critical difference
void add_rank_table(const Section& section, const std::vector<Contest>& contests);

}  // namespace probmix::report
