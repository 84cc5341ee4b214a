// Charts of the first runs: predictive bands, decision regions, forecasts.
#include <fmt/format.h>

#include <utility>

#include "probmix/data/synthetic.hpp"
#include "probmix/paper/toys.hpp"
#include "probmix/report/charts/bands.hpp"
#include "probmix/report/charts/density.hpp"
#include "probmix/report/charts/regions.hpp"
#include "probmix/report/charts/series.hpp"
#include "probmix/report/study/section.hpp"
#include "probmix/report/study/study_table.hpp"

namespace probmix::report {

namespace {

// The picture that the first run of a cell recorded; null if no run has one.
const Json* picture_of(const CellSummary& cell, const char* kind) {
  for (const RunRecord* run : cell.group.done) {
    const auto pictures = run->result.find("pictures");
    if (pictures != run->result.end() && pictures->contains(kind)) return &(*pictures)[kind];
  }
  return nullptr;
}

std::string first_score(const Section& section, const CellSummary& cell, std::size_t score = 0) {
  return fmt::format("{}: {} {}", cell.method->name, section.layout.scores[score].title,
                     score_text(cell, score));
}

void add_bands(const Section& section, std::span<const CellSummary> group) {
  std::vector<BandPicture> pictures;
  for (const CellSummary& cell : group) {
    const Json* const bands = picture_of(cell, "bands");
    if (bands == nullptr || !bands->contains("train_x")) continue;
    BandPicture picture;
    picture.title = cell.method->name;
    picture.caption = first_score(section, cell, 1);
    bands->at("x").get_to(picture.x);
    bands->at("mean").get_to(picture.mean);
    bands->at("lower").get_to(picture.lower);
    bands->at("upper").get_to(picture.upper);
    bands->at("train_x").get_to(picture.train_x);
    bands->at("train_y").get_to(picture.train_y);
    for (const double x : picture.x) picture.truth.push_back(toy_regression_mean(x));
    picture.no_data = {{picture.x.front(), toy_from}, {toy_to, picture.x.back()}};
    pictures.push_back(std::move(picture));
  }
  if (pictures.empty()) return;
  const Range y_range = common_y_range(pictures);
  std::vector<Figure> figures;
  for (BandPicture& picture : pictures) {
    picture.y_range = y_range;
    figures.push_back(band_chart(picture));
  }
  section.page.add_subheading("Predictive densities");
  section.page.add_paragraph(
      fmt::format("The first run of each method: {}.", section.name_of(group)));
  section.page.add_figures(figures, band_legend(pictures));
}

void add_regions(const Section& section, std::span<const CellSummary> group) {
  std::vector<Figure> figures;
  for (const CellSummary& cell : group) {
    const Json* const regions = picture_of(cell, "regions");
    if (regions == nullptr) continue;
    const double from = regions->at("from").get<double>();
    const double to = regions->at("to").get<double>();
    const int across = regions->at("points").get<int>();
    const double half = (to - from) / (across - 1) / 2;  // points are the centres of cells
    RegionPicture picture;
    picture.title = cell.method->name;
    picture.caption = first_score(section, cell);
    picture.x = picture.y = {from - half, to + half};
    picture.across = across;
    regions->at("class").get_to(picture.predicted);
    regions->at("probability").get_to(picture.probability);
    regions->at("train_x1").get_to(picture.point_x);
    regions->at("train_x2").get_to(picture.point_y);
    regions->at("train_class").get_to(picture.point_class);
    picture.class_names = {"inner ring", "middle ring", "outer ring"};
    figures.push_back(region_chart(picture));
  }
  if (figures.empty()) return;
  section.page.add_subheading("Decision regions");
  section.page.add_paragraph(
      fmt::format("The first run of each method: {}.", section.name_of(group)));
  section.page.add_figures(figures);
}

void add_forecasts(const Section& section, std::span<const CellSummary> group) {
  std::vector<SeriesPicture> pictures;
  std::vector<std::vector<Figure>> densities;
  for (const CellSummary& cell : group) {
    const Json* const series = picture_of(cell, "series");
    const Json* const bands = picture_of(cell, "bands");
    const Json* const curves = picture_of(cell, "densities");
    if (series == nullptr || bands == nullptr || curves == nullptr) continue;
    SeriesPicture picture;
    picture.title = cell.method->name;
    picture.caption = first_score(section, cell);
    series->at("time").get_to(picture.time);
    series->at("value").get_to(picture.value);
    series->at("name").get_to(picture.y_label);
    if (series->contains("test_from")) picture.test_from = series->at("test_from").get<double>();
    if (series->contains("validation_from")) {
      picture.validation_from = series->at("validation_from").get<double>();
    }
    bands->at("time").get_to(picture.target_time);
    bands->at("mean").get_to(picture.mean);
    bands->at("lower95").get_to(picture.lower95);
    bands->at("lower50").get_to(picture.lower50);
    bands->at("upper50").get_to(picture.upper50);
    bands->at("upper95").get_to(picture.upper95);
    pictures.push_back(std::move(picture));
    auto& row = densities.emplace_back();
    for (const Json& json : *curves) {
      DensityPicture density;
      density.title = density_title(json.at("time").get<double>(), json.at("nll").get<double>());
      density.caption = fmt::format("{}: {} of {}", cell.method->name,
                                    json.at("which").get_ref<const std::string&>(),
                                    json.at("part").get_ref<const std::string&>());
      json.at("y").get_to(density.y);
      json.at("density").get_to(density.density);
      density.observed = json.at("observed").get<double>();
      row.push_back(density_chart(density));
    }
  }
  if (pictures.empty()) return;
  const Range y_range = common_y_range(pictures);
  std::vector<Figure> figures;
  for (SeriesPicture& picture : pictures) {
    picture.y_range = y_range;
    figures.push_back(series_chart(picture));
  }
  section.page.add_subheading("Forecasts: " + section.name_of(group));
  section.page.add_paragraph(
      "The first run of each method: the forecasts, each at the day it is for, and the densities "
      "with the best and the worst NLL in training and test.");
  section.page.add_figures(figures, series_legend(pictures), FigureGrid::wide);
  for (const std::vector<Figure>& row : densities) {
    section.page.add_figures(
        row, &row == &densities.front() ? density_legend() : std::vector<LegendItem>{},
        FigureGrid::rows_of_four);
  }
}

}  // namespace

void add_pictures(const Section& section) {
  for (const auto group : pictured_groups(section)) {
    add_bands(section, group);
    add_regions(section, group);
    add_forecasts(section, group);
  }
}

}  // namespace probmix::report
