// The part of a report that is about one study, and what its paragraphs are made of.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "probmix/report/charts/score_scale.hpp"
#include "probmix/report/html.hpp"
#include "probmix/report/report.hpp"
#include "probmix/sweep/views.hpp"

namespace probmix {

// "yacht", "lstm", "α = 0.1", "pooling linear".
std::string key_text(const std::string& key, const Json& value);

// How to draw the means of these cells.
ScoreScale scale_of(std::span<const CellSummary> cells, std::size_t score);

// "yacht", "GOOG, lstm", "α = 0.1, β = 0": what tells a group from the others among all cells, and
// "all runs" if nothing does.
std::string group_name(const StudyView& view, std::span<const CellSummary> cells,
                       std::span<const CellSummary> group);

struct Section {
  const StudyView& view;
  std::span<const RunRecord> records;
  std::span<const CellSummary> cells;
  HtmlReport& page;
  std::vector<NamedTable>& tables;

  // Shows a table, and keeps it for export.
  void add_table(const std::string& name, Table table) const;
  std::string name_of(std::span<const CellSummary> group) const {
    return group_name(view, cells, group);
  }
};

// Which cells are not judged since repeats are missing; empty if there are none.
std::string gaps_text(const StudyView& view, std::span<const CellSummary> cells);

// All groups; of a grid of settings, which would be many times the same picture, the usual point
// (or the first).
std::vector<std::span<const CellSummary>> pictured_groups(const Section& section);

// The name of a score in that of a file: "test-nll".
std::string file_name(const ScoreView& score);

// One paragraph with a heading each, and nothing where there is nothing to show.
void add_divergences(const Section& section);  // which runs failed, and why
void add_scores(const Section& section);       // tables, ours beside the paper's
void add_sweep(const Section& section);        // over α, of a grid of settings
void add_boxes(const Section& section);        // the runs of each method
void add_tradeoff(const Section& section);     // NLL against RMSE
void add_statistics(const Section& section);   // ranks and tests between methods
void add_calibration(const Section& section);  // PIT, coverage, reliability
void add_curves(const Section& section);       // of the first runs
void add_pictures(const Section& section);     // of the first runs: bands, regions, forecasts
void add_configuration(const Section& section);

}  // namespace probmix
