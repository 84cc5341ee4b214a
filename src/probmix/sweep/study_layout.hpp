// How the results of the studies are read: what tells their cells apart, and which scores they
// have. This is the one list; tables, --json, reports and exports are made from it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "probmix/mix/method.hpp"
#include "probmix/sweep/groups.hpp"

namespace probmix {

struct ScoreLayout {
  std::string key;      // its name in JSON and CSV: "test_nll"
  std::string pointer;  // its place in a result: "/test/nll"
  std::string title;    // "test NLL"
  bool larger = false;  // is better
};

struct StudyLayout {
  std::string name;               // as in a results file: "uci"
  std::string title;              // "UCI regression"
  std::string units;              // of NLL and RMSE
  std::vector<std::string> keys;  // of a cell, besides the method: "dataset"
  std::string repeat;             // what its runs differ in: "run" or "split"
  bool chooses = false;           // among settings of the mix, by validation (choice.hpp)
  std::size_t tabled = 0;         // so many of the scores, the first, stand in tables for people
  std::vector<ScoreLayout> scores;
  // By which scores methods are ranked and tested, in order of importance.
  std::vector<std::size_t> compared = {0, 1};

  // What a cell is known by: the keys, and the method.
  std::vector<std::string> cell_keys() const;
  // What its groups of cells are: "data sets".
  std::string groups_noun() const;
};

std::span<const StudyLayout> study_layouts();

// Throws an Error that lists the studies there are.
const StudyLayout& study_layout(std::string_view name);

// A method under certain conditions: a cell of the study's table.
struct CellSummary {
  Json keys = {};  // the study's
  const Method* method = nullptr;
  Json settings =
      Json::object();  // of the mix: alpha, beta, pooling, as far as the method makes use of them
  RunGroup group = {};
  std::vector<const RunRecord*> diverged = {};  // the runs that the group only counts
  std::size_t missing = 0;          // repeats that other methods under these conditions have
  std::vector<MeanSe> scores = {};  // in the order of the layout's

  // Its means are over the same runs as those of others.
  bool is_complete() const { return missing == 0 && diverged.empty(); }
};

// The mean of a score for comparing methods: the smaller the better (the negative of an accuracy),
// and infinite if a run diverged or its score is not finite, since the rest would be a favourable
// choice of runs. NaN, for cells that take no part, if repeats are missing.
double judged_mean(const StudyLayout& layout, const CellSummary& cell, std::size_t score);

// Those of a group; all NaN if only one of several takes part, which makes no comparison.
std::vector<double> judged_means(const StudyLayout& layout, std::span<const CellSummary> group,
                                 std::size_t score);

// The cells with the same keys, which follow each other: all methods on a data set, say.
std::vector<std::span<const CellSummary>> groups_of(std::span<const CellSummary> cells);

// In the order of the records, which must outlive the cells: of those with the same keys one after
// the other.
std::vector<CellSummary> sum_up(const StudyLayout& layout, std::span<const RunRecord> records);

// For --json and exports: keys, method, settings, runs, diverged, and each score with its _se and
// _sd.
Json to_json(const StudyLayout& layout, const CellSummary& cell);

}  // namespace probmix
