// Do the densities mean what they say? PIT and coverage of regressions, reliability of classes,
// over all runs of a method together.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "probmix/metric/calibration.hpp"
#include "probmix/report/charts/calibration.hpp"
#include "probmix/report/section.hpp"

namespace probmix {

namespace {

// The parts of a result on which a model is judged.
constexpr std::array<std::string_view, 3> test_parts = {"test", "id", "ood"};

// Sums of the histograms in the results of a method's cells, weighted by their rows.
struct PooledPit {
  PitHistogram histogram = {};
  double rows = 0;

  void add(const Json& part) {
    const Json& share = part.at("pit");
    const double count = part.at("rows").get<double>();
    for (std::size_t b = 0; b < PitHistogram::bins; ++b) {
      histogram.share[b] += share.at(b).get<double>() * count;
    }
    rows += count;
  }
  void finish() {
    for (double& share : histogram.share) share /= rows;
  }
};

struct PooledReliability {
  std::array<double, Reliability::bin_count> count{}, confidence{}, accuracy{};

  void add(const Json& part) {
    for (std::size_t b = 0; b < count.size(); ++b) {
      const Json& bin = part.at("reliability").at(b);
      const double n = bin.at("count").get<double>();
      if (n == 0) continue;
      count[b] += n;
      confidence[b] += n * bin.at("confidence").get<double>();
      accuracy[b] += n * bin.at("accuracy").get<double>();
    }
  }
};

template <class Pooled>
std::vector<std::pair<const Method*, Pooled>> pooled(const Section& section, std::string_view part,
                                                     const char* key) {
  std::vector<std::pair<const Method*, Pooled>> all;
  for (const CellSummary& cell : section.cells) {
    for (const RunRecord* run : cell.group.done) {
      const auto found = run->result.find(std::string(part));
      if (found == run->result.end() || !found->contains(key)) continue;
      if (found->at("rows") == 0) continue;
      auto entry = std::ranges::find(all, cell.method, [](const auto& e) { return e.first; });
      if (entry == all.end()) entry = all.insert(all.end(), {cell.method, Pooled{}});
      entry->second.add(*found);
    }
  }
  return all;
}

void add_pit(const Section& section, std::string_view part) {
  auto all = pooled<PooledPit>(section, part, "pit");
  if (all.empty()) return;
  std::vector<Figure> figures;
  CoveragePicture coverage{.title = "Coverage of central intervals", .caption = "", .curves = {}};
  Table table;
  table.caption = "Coverage of central intervals, and the calibration error of the PIT";
  table.columns = {{"method", Align::left},
                   {"50 %", Align::right},
                   {"90 %", Align::right},
                   {"error", Align::right}};
  std::vector<double> errors;
  for (auto& [method, pit] : all) {
    pit.finish();
    figures.push_back(pit_chart({.title = std::string(method->name),
                                 .caption = "",
                                 .share = {pit.histogram.share.begin(), pit.histogram.share.end()},
                                 .rows = pit.rows}));
    const auto covered = pit.histogram.coverage();
    CoverageCurve curve{.name = std::string(method->name), .nominal = {}, .empirical = {}};
    for (std::size_t l = 0; l < covered.size(); ++l) {
      curve.nominal.push_back(static_cast<double>(l + 1) / PitHistogram::levels);
      curve.empirical.push_back(covered[l]);
    }
    coverage.curves.push_back(std::move(curve));
    errors.push_back(pit.histogram.calibration_error());
    table.add({std::string(method->name), fmt::format("{:.1f} %", 100 * covered[4]),
               fmt::format("{:.1f} %", 100 * covered[8]), fmt::format("{:.3f}", errors.back())});
  }
  table.mark_best(3, errors);
  section.page.add_paragraph(fmt::format(
      "Calibration on the {} rows, all runs of a method together. Where the predictive "
      "distribution "
      "puts the observations (PIT): flat if it is right, high at both ends if it is too sure of "
      "itself, high in the middle if it is too wide.",
      part));
  section.page.add_figures(figures);
  section.page.add_figures(std::vector<Figure>{coverage_chart(coverage)}, {}, FigureGrid::wide);
  section.add_table(fmt::format("{}-calibration", part), std::move(table));
}

void add_reliability(const Section& section, std::string_view part) {
  const auto all = pooled<PooledReliability>(section, part, "reliability");
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
  section.page.add_paragraph(
      fmt::format("Reliability on the {} rows: of the rows to whose class a model gives a certain "
                  "probability, that part should be right.",
                  part));
  section.page.add_figures(figures);
}

}  // namespace

void add_calibration(const Section& section) {
  for (const std::string_view part : test_parts) {
    add_pit(section, part);
    add_reliability(section, part);
  }
}

}  // namespace probmix
