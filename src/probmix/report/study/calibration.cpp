// Are the densities calibrated? PIT and coverage for numbers, reliability for classes, over all
// runs of a method together.
#include "probmix/metric/calibration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "probmix/base/error.hpp"
#include "probmix/report/charts/calibration.hpp"
#include "probmix/report/study/section.hpp"

namespace probmix::report {

namespace {

// The parts of the data on which a model is judged.
constexpr std::array<std::string_view, 3> test_parts = {"test", "id", "ood"};

bool has_number(const Json& object, const char* key) {
  return object.is_object() && object.contains(key) && object[key].is_number();
}

// What the runs of a cell recorded for a part of the data, skipping runs without it.
template <class Pooled>
std::vector<const Json*> parts_of(const CellSummary& cell, std::string_view part) {
  std::vector<const Json*> parts;
  for (const RunRecord* run : cell.group.done) {
    const auto found = run->result.find(std::string(part));
    if (found == run->result.end() || !found->contains(Pooled::key)) continue;
    const Json& bins = found->at(Pooled::key);
    check(has_number(*found, "rows") && bins.is_array() && bins.size() == Pooled::bins &&
              std::ranges::all_of(bins, Pooled::is_bin),
          "{}: /{} of the result lacks a valid {}: {} bins, and the number of rows", name_of(*run),
          part, Pooled::key, Pooled::bins);
    if (found->at("rows") != 0) parts.push_back(&*found);
  }
  return parts;
}

// The number of distinct rows on which the runs of a cell were judged: splits share some rows,
// seeds share all.
double distinct_rows(const CellSummary& cell, const std::vector<const Json*>& parts) {
  double sum = 0, most = 0;
  for (const Json* part : parts) {
    sum += part->at("rows").get<double>();
    most = std::max(most, part->at("rows").get<double>());
  }
  const Json& configuration = cell.group.done.front()->configuration;
  const bool has_parts = configuration.contains("split") || configuration.contains("fold");
  return has_parts ? std::min(sum, configuration.at("rows").get<double>()) : most;
}

// Histograms averaged with their rows as weights.
struct PooledPit {
  static constexpr const char* key = "pit";
  static constexpr std::size_t bins = PitHistogram::bins;
  static bool is_bin(const Json& bin) { return bin.is_number(); }

  PitHistogram histogram = {};
  double rows = 0;
  double distinct = 0;

  void add(const CellSummary& cell, const std::vector<const Json*>& parts) {
    if (parts.empty()) return;
    for (const Json* part : parts) {
      const double count = part->at("rows").get<double>();
      for (std::size_t b = 0; b < bins; ++b) {
        const double share = part->at(key).at(b).get<double>();
        histogram.share[b] = (histogram.share[b] * rows + share * count) / (rows + count);
      }
      rows += count;
    }
    distinct += distinct_rows(cell, parts);
  }
};

struct PooledReliability {
  static constexpr const char* key = "reliability";
  static constexpr std::size_t bins = Reliability::bin_count;
  static bool is_bin(const Json& bin) {
    return has_number(bin, "count") && has_number(bin, "confidence") && has_number(bin, "accuracy");
  }

  std::array<double, bins> count{}, confidence{}, accuracy{};

  void add(const CellSummary&, const std::vector<const Json*>& parts) {
    for (const Json* part : parts) {
      for (std::size_t b = 0; b < bins; ++b) {
        const Json& bin = part->at(key).at(b);
        const double n = bin.at("count").get<double>();
        if (n == 0) continue;
        count[b] += n;
        confidence[b] += n * bin.at("confidence").get<double>();
        accuracy[b] += n * bin.at("accuracy").get<double>();
      }
    }
  }
};

using Groups = std::vector<std::span<const CellSummary>>;

template <class Pooled>
std::vector<std::pair<const Method*, Pooled>> pooled(const Groups& groups, std::string_view part) {
  std::vector<std::pair<const Method*, Pooled>> all;
  for (const auto group : groups) {
    for (const CellSummary& cell : group) {
      const auto parts = parts_of<Pooled>(cell, part);
      if (parts.empty()) continue;
      auto entry = std::ranges::find(all, cell.method, [](const auto& e) { return e.first; });
      if (entry == all.end()) entry = all.insert(all.end(), {cell.method, Pooled{}});
      entry->second.add(cell, parts);
    }
  }
  return all;
}

std::string error_text(const PooledPit& pit) {
  return fmt::format("{:.3f}", pit.histogram.calibration_error());
}

// For marking the best: NaN if runs of the method are missing or diverged.
double judged_error(const Groups& groups, const Method* method, const PooledPit& pit) {
  const bool complete = std::ranges::all_of(groups, [&](const auto group) {
    const auto cell = std::ranges::find(group, method, &CellSummary::method);
    return cell != group.end() && cell->is_complete();
  });
  return complete ? pit.histogram.calibration_error() : std::nan("");
}

// One chart per group: densities too wide in one could hide those too narrow in another.
void add_coverage(const Section& section, const Groups& groups, std::string_view part) {
  std::vector<Figure> figures;
  for (const auto group : groups) {
    CoveragePicture coverage{
        .title = groups.size() == 1 ? "Coverage of central intervals" : section.name_of(group),
        .caption = "",
        .curves = {}};
    for (const auto& [method, pit] : pooled<PooledPit>({group}, part)) {
      coverage.curves.push_back(coverage_curve(std::string(method->name), pit.histogram));
    }
    if (!coverage.curves.empty()) figures.push_back(coverage_chart(coverage));
  }
  if (groups.size() == 1) {
    section.page.add_figures(figures, {}, FigureGrid::wide);
    return;
  }
  section.page.add_subheading(fmt::format("Coverage of central intervals on the {} rows", part));
  section.page.add_paragraph(
      "The share of observations inside central intervals against their nominal level: above the "
      "diagonal the densities are too wide, below it too narrow.");
  section.page.add_figures(figures);
}

// One error per group, since a method too wide on one data set and too narrow on the next is not
// calibrated.
void add_errors(const Section& section, const Groups& groups, std::string_view part,
                const std::vector<std::pair<const Method*, PooledPit>>& all) {
  if (groups.size() < 2) return;
  Table table;
  table.caption = fmt::format("Calibration error of the PIT on the {} rows of each group", part);
  table.columns.push_back({"method", Align::left});
  std::vector<std::vector<Cell>> rows;
  for (const auto& [method, pit] : all) rows.push_back({std::string(method->name)});
  std::vector<std::vector<double>> errors;
  for (const auto group : groups) {
    table.columns.push_back({section.name_of(group), Align::right});
    const auto of_group = pooled<PooledPit>({group}, part);
    auto& column = errors.emplace_back();
    for (std::size_t m = 0; m < all.size(); ++m) {
      const auto found =
          std::ranges::find(of_group, all[m].first, [](const auto& e) { return e.first; });
      const PooledPit* const pit = found == of_group.end() ? nullptr : &found->second;
      column.push_back(pit ? judged_error({group}, all[m].first, *pit) : std::nan(""));
      rows[m].emplace_back(pit ? error_text(*pit) : "–");
    }
  }
  for (auto& row : rows) table.add(std::move(row));
  for (std::size_t g = 0; g < errors.size(); ++g) table.mark_best(g + 1, errors[g]);
  section.add_table(fmt::format("{}-calibration-errors", part), table);
}

void add_pit(const Section& section, const Groups& groups, std::string_view part) {
  const auto all = pooled<PooledPit>(groups, part);
  if (all.empty()) return;
  std::vector<Figure> figures;
  Table table;
  table.caption = "Coverage of central intervals, and the calibration error of the PIT";
  table.columns = {{"method", Align::left},
                   {"50 %", Align::right},
                   {"90 %", Align::right},
                   {"error", Align::right}};
  std::vector<double> errors;
  for (const auto& [method, pit] : all) {
    figures.push_back(pit_chart({.title = std::string(method->name),
                                 .caption = "",
                                 .share = {pit.histogram.share.begin(), pit.histogram.share.end()},
                                 .rows = pit.distinct}));
    const auto covered = pit.histogram.coverage();
    errors.push_back(judged_error(groups, method, pit));
    table.add({std::string(method->name), fmt::format("{:.1f} %", 100 * covered[4]),
               fmt::format("{:.1f} %", 100 * covered[8]), error_text(pit)});
  }
  table.mark_best(3, errors);
  section.page.add_subheading(fmt::format("Calibration on the {} rows", part));
  section.page.add_paragraph(fmt::format(
      "{}, all runs of a method together. The PIT is where an observation falls in its predictive "
      "distribution: its histogram is flat if the densities are right, high at both ends if they "
      "are too narrow, high in the middle if they are too wide. The band shows what chance allows, "
      "counting each row once although repeated runs share rows.",
      groups.size() == 1 ? section.name_of(groups.front())
                         : fmt::format("{} {}", groups.size(), section.layout.groups_noun())));
  section.page.add_figures(figures);
  section.add_table(fmt::format("{}-calibration", part), table);
  add_errors(section, groups, part, all);
  add_coverage(section, groups, part);
}

void add_reliability(const Section& section, const Groups& groups, std::string_view part) {
  const auto all = pooled<PooledReliability>(groups, part);
  if (all.empty()) return;
  std::vector<Figure> figures;
  for (const auto& [method, bins] : all) {
    ReliabilityPicture picture{.title = std::string(method->name),
                               .caption = "",
                               .confidence = {},
                               .accuracy = {},
                               .count = {}};
    for (std::size_t b = 0; b < bins.count.size(); ++b) {
      if (bins.count[b] == 0) continue;
      picture.confidence.push_back(bins.confidence[b] / bins.count[b]);
      picture.accuracy.push_back(bins.accuracy[b] / bins.count[b]);
      picture.count.push_back(bins.count[b]);
    }
    figures.push_back(reliability_chart(picture));
  }
  section.page.add_subheading(fmt::format("Reliability on the {} rows", part));
  section.page.add_paragraph(
      fmt::format("{}. Among rows predicted with probability p, a share p should be right.",
                  section.name_of(groups.front())));
  section.page.add_figures(figures);
}

}  // namespace

void add_calibration(const Section& section) {
  const Groups groups = pictured_groups(section);
  for (const std::string_view part : test_parts) {
    add_pit(section, groups, part);
    add_reliability(section, groups, part);
  }
}

}  // namespace probmix::report
