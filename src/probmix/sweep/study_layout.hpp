// How to read the results of each study: what distinguishes its cells, and which scores it has.
// This is the one list; tables, --json, reports and exports are made from it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "probmix/mix/method.hpp"
#include "probmix/sweep/groups.hpp"

namespace probmix {

struct ScoreLayout {
  std::string key;        // its name in JSON and CSV: "test_nll"
  std::string pointer;    // its place in a run (number_of): "/test/nll"
  std::string title;      // "test NLL"
  bool larger = false;    // larger is better
  bool optional = false;  // may be absent from results
};

struct StudyLayout {
  std::string name;               // as in a results file: "uci"
  std::string title;              // "UCI regression"
  std::string units;              // of NLL and RMSE
  std::vector<std::string> keys;  // of a cell, besides the method: "dataset"
  std::string repeat;             // the name of a repeat: "run", "split" or "fold"
  bool chooses = false;           // chooses settings of the mix by validation (choice.hpp)
  std::size_t tabled = 0;         // how many of the scores, from the first, are in tables
  std::vector<ScoreLayout> scores;
  // Indices of the scores by which methods are ranked and tested, most important first.
  std::vector<std::size_t> compared = {0, 1};

  // The keys that identify a cell: `keys` and the method.
  std::vector<std::string> cell_keys() const;
  // What a group of cells is, in the plural: "data sets".
  std::string groups_noun() const;
};

std::span<const StudyLayout> study_layouts();

// Throws an Error that lists the existing studies.
const StudyLayout& study_layout(std::string_view name);

// A method under certain conditions: a cell of the study's table.
struct CellSummary {
  Json keys = {};  // the study's keys with their values
  const Method* method = nullptr;
  Json settings = Json::object();  // of the mix: alpha, beta, pooling, if the method uses them
  RunGroup group = {};
  std::vector<const RunRecord*> diverged = {};  // the runs that the group only counts
  std::size_t missing = 0;                      // number of repeats that only other methods have
  std::vector<MeanSe> scores = {};              // in the layout's order

  // Whether its means are over the same repeats as those of other methods.
  bool is_complete() const { return missing == 0 && diverged.empty(); }
};

// The mean of a score for comparing methods: smaller is better (an accuracy is negated). Infinite
// if a run diverged or its score is not finite, since the other runs would be a favourable
// selection. NaN if repeats are missing: the cell is not compared.
double judged_mean(const StudyLayout& layout, const CellSummary& cell, std::size_t score);

// The judged means of a group; all NaN if only one of several cells can be compared.
std::vector<double> judged_means(const StudyLayout& layout, std::span<const CellSummary> group,
                                 std::size_t score);

// Splits cells into runs of equal keys: for example, all methods on a data set.
std::vector<std::span<const CellSummary>> groups_of(std::span<const CellSummary> cells);

// Summaries in the order of the records, which must outlive them; cells with the same keys follow
// each other.
std::vector<CellSummary> sum_up(const StudyLayout& layout, std::span<const RunRecord> records);

// For --json and exports: keys, method, settings, runs, diverged, and each score with its _se and
// _sd.
Json to_json(const StudyLayout& layout, const CellSummary& cell);

}  // namespace probmix
