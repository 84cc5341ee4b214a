// The part of a report that covers one study, and what its sections share.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "probmix/report/charts/score_scale.hpp"
#include "probmix/report/page/html.hpp"
#include "probmix/report/study/report.hpp"
#include "probmix/sweep/study_layout.hpp"

namespace probmix::report {

// "yacht", "lstm", "α = 0.1", "pooling linear".
std::string key_text(const std::string& key, const Json& value);

// The scale that keeps the means of these cells distinguishable.
ScoreScale scale_of(std::span<const CellSummary> cells, std::size_t score);

// What distinguishes a group among all cells: "yacht", "GOOG, lstm", "α = 0.1, β = 0"; "all runs"
// if nothing does.
std::string group_name(const StudyLayout& layout, std::span<const CellSummary> cells,
                       std::span<const CellSummary> group);

// In the order of their first cells.
std::vector<const Method*> methods_of(std::span<const CellSummary> cells);

// Null if the group lacks the method.
const CellSummary* find_cell(std::span<const CellSummary> group, const Method* method);

// Whether any cell has a finite mean: without test rows there is none.
bool has_scores(std::span<const CellSummary> cells, std::size_t score);

// Only random embeddings make draws whose scores differ from those of the prediction.
inline bool has_draws(const Method& method) { return method.predicts_by_draws(); }
inline bool is_of_draws(const ScoreLayout& score) { return score.key.ends_with("draws_nll"); }

// Not of nothing; 0 between −∞ and ∞.
double median(std::vector<double> values);

struct Section {
  const StudyLayout& layout;
  std::span<const RunRecord> records;
  std::span<const CellSummary> cells;
  HtmlReport& page;
  std::vector<NamedTable>& tables;
  std::span<const Variant> variants = {};

  // For export only; the name gets the study's in front.
  void keep_table(const std::string& name, Table table) const;
  // On the page, and for export.
  void add_table(const std::string& name, const Table& table) const;
  std::string name_of(std::span<const CellSummary> group) const {
    return group_name(layout, cells, group);
  }
};

// Says which cells are not judged because repeats are missing; empty if there are none.
std::string gaps_text(const StudyLayout& layout, std::span<const CellSummary> cells);

// The groups to draw: all, except in a grid of settings, where every group would look much the
// same: only the preset (or the first).
std::vector<std::span<const CellSummary>> pictured_groups(const Section& section);

// The number of different α among the groups; 0 in a study without α.
std::size_t count_alphas(const Section& section);

// A score's name in a file's: "test-nll".
std::string file_name(const ScoreLayout& score);

// Each adds its headings, text, charts and tables, or nothing if there is nothing to show.
void add_divergences(const Section& section);        // which runs failed, and why
void add_scores(const Section& section);             // tables of the scores
void add_paper(const Section& section);              // our scores beside the paper's
void add_published(const Section& section);          // the default recipe beside other methods
void add_chosen_settings(const Section& section);    // what validation chose
void add_scores_over_alpha(const Section& section);  // for a grid of settings
void add_boxes(const Section& section);              // the runs of each method
void add_spread(const Section& section);             // medians, extremes, epochs that were kept
void add_tradeoff(const Section& section);           // NLL against RMSE
void add_statistics(const Section& section);         // ranks and tests between methods
void add_calibration(const Section& section);        // PIT, coverage, reliability
void add_training(const Section& section);           // loss curves of the first runs
void add_pictures(const Section& section);           // bands, regions, forecasts of the first runs
void add_variants(const Section& section);           // changes with other options
void add_configuration(const Section& section);

}  // namespace probmix::report
