#include "probmix/report/study/published.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "probmix/paper/published.hpp"
#include "probmix/report/page/text.hpp"
#include "probmix/report/study/section.hpp"
#include "probmix/report/study/study_table.hpp"

namespace probmix::report {

namespace {

std::string dataset_of(const CellSummary& cell) { return cell.keys.value("dataset", ""); }

std::size_t score_named(const StudyLayout& layout, std::string_view key) {
  const auto found = std::ranges::find(layout.scores, key, &ScoreLayout::key);
  return static_cast<std::size_t>(found - layout.scores.begin());
}

// The data sets where something is published: how many, and those where ours is not better.
struct Standing {
  std::size_t sets = 0;
  std::vector<std::string> lost = {};

  std::string text(const std::string& against) const {
    return fmt::format("below {} on {} of {} data sets{}", against, sets - lost.size(), sets,
                       lost.empty() ? "" : fmt::format(" (not on {})", fmt::join(lost, ", ")));
  }
};

Standing standing(const StudyLayout& layout, std::span<const CellSummary> cells,
                  bool is_pretrained) {
  const std::size_t nll = score_named(layout, "test_nll");
  Standing result;
  for (const CellSummary& cell : cells) {
    double best = std::numeric_limits<double>::infinity();
    for (const PublishedFigure& figure : published_figures()) {
      if (figure.dataset == dataset_of(cell) && figure.score == "test_nll" &&
          figure.is_pretrained == is_pretrained) {
        best = std::min(best, figure.value);
      }
    }
    if (!std::isfinite(best)) continue;
    ++result.sets;
    if (!(judged_mean(layout, cell, nll) < best)) result.lost.push_back(dataset_of(cell));
  }
  return result;
}

}  // namespace

std::optional<Table> published_table(const StudyLayout& layout, std::span<const CellSummary> cells,
                                     std::size_t score) {
  std::vector<std::string> methods;
  std::vector<std::vector<double>> values;  // of each method, for each cell
  for (const PublishedFigure& figure : published_figures()) {
    const auto cell = std::ranges::find(cells, figure.dataset, dataset_of);
    if (figure.score != layout.scores[score].key || cell == cells.end()) continue;
    const auto found = std::ranges::find(methods, figure.method);
    const auto row = static_cast<std::size_t>(found - methods.begin());
    if (found == methods.end()) {
      methods.push_back(figure.method);
      values.emplace_back(cells.size(), std::nan(""));
    }
    values[row][to_size(cell - cells.begin())] = figure.value;
  }
  if (methods.empty()) return {};
  Table table;
  table.caption = fmt::format("{}: published means, and ours ± standard error over {}s",
                              layout.scores[score].title, layout.repeat);
  table.columns.push_back({"method", Align::left});
  for (const CellSummary& cell : cells) {
    table.columns.push_back({dataset_of(cell), Align::right});
  }
  for (std::size_t m = 0; m < methods.size(); ++m) {
    std::vector<Cell> row = {methods[m]};
    for (const double value : values[m]) {
      row.emplace_back(std::isnan(value) ? "–" : format_mean_se(value, std::nan("")));
    }
    table.add(std::move(row));
  }
  table.add_rule();
  std::vector<Cell> ours = {"probmix, default"};
  std::vector<double>& means = values.emplace_back();
  for (const CellSummary& cell : cells) {
    ours.emplace_back(score_text(cell, score) + doubt_text(layout, cell));
    means.push_back(judged_mean(layout, cell, score));
  }
  table.add(std::move(ours));
  const bool is_better_if_smaller = layout.scores[score].key != "coverage_90";
  for (std::size_t c = 0; c < cells.size() && is_better_if_smaller; ++c) {
    std::vector<double> column;
    for (const std::vector<double>& row : values) column.push_back(row[c]);
    const bool is_contest =
        std::ranges::count_if(column, [](double v) { return !std::isnan(v); }) > 1;
    if (is_contest) table.mark_best(c + 1, column);
  }
  return table;
}

std::string published_verdict(const StudyLayout& layout, std::span<const CellSummary> cells) {
  const Standing offline = standing(layout, cells, false);
  const Standing pretrained = standing(layout, cells, true);
  if (offline.sets == 0) return "";
  std::string text = "The test NLL is " + offline.text("the best published without pretraining");
  if (pretrained.sets > 0) text += ", and " + pretrained.text("that of TabPFN v2");
  return text + ".";
}

std::string marginal_verdict(const StudyLayout& layout, std::span<const CellSummary> cells) {
  const std::size_t nll = score_named(layout, "test_nll");
  const std::size_t marginal = score_named(layout, "marginal_nll");
  const std::size_t covered = score_named(layout, "coverage_90");
  const std::size_t seconds = score_named(layout, "seconds");
  std::vector<std::string> worse;
  double coverage = 0, intervals = 0, total = 0;
  for (const CellSummary& cell : cells) {
    if (!(judged_mean(layout, cell, nll) <= cell.scores[marginal].mean)) {
      worse.push_back(dataset_of(cell));
    }
    if (std::isfinite(cell.scores[covered].mean)) {
      coverage += cell.scores[covered].mean;
      ++intervals;
    }
    if (std::isfinite(cell.scores[seconds].mean)) total += cell.scores[seconds].mean;
  }
  std::string text =
      worse.empty()
          ? fmt::format("No NLL of the {} tables is above that of the marginal density",
                        cells.size())
          : fmt::format("The NLL is above that of the marginal density on {} of {} tables: {}",
                        worse.size(), cells.size(), fmt::join(worse, ", "));
  if (intervals > 0) {
    text += fmt::format("; 90 % intervals hold {:.1f} % on average", 100 * coverage / intervals);
  }
  return text + fmt::format("; {:.3g} CPU s to train and predict one {} of each.", total, layout.repeat);
}

void add_published(const Section& section) {
  if (section.layout.name == "tables") {
    section.page.add_paragraph(marginal_verdict(section.layout, section.cells));
  }
  if (section.layout.name != "best") return;
  const std::string verdict = published_verdict(section.layout, section.cells);
  if (verdict.empty()) return;
  section.page.add_subheading("Beside published figures");
  section.page.add_paragraph(verdict);
  for (std::size_t k = 0; k < section.layout.scores.size(); ++k) {
    const auto table = published_table(section.layout, section.cells, k);
    if (table) section.add_table(file_name(section.layout.scores[k]) + "-published", *table);
  }
}

}  // namespace probmix::report
