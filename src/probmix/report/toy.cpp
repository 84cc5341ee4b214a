#include "probmix/report/toy.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "probmix/experiment/configuration.hpp"
#include "probmix/report/bands.hpp"
#include "probmix/report/html.hpp"
#include "probmix/report/text.hpp"

namespace probmix {

Table toy_table(std::span<const ToySummary> summaries) {
  Table table;
  table.columns = {{"method", Align::left},   {"ID NLL", Align::right},
                   {"OOD NLL", Align::right}, {"OOD, single draws", Align::right},
                   {"ID MSE", Align::right},  {"OOD MSE", Align::right}};
  const MeanSe ToySummary::*const columns[] = {&ToySummary::id_nll, &ToySummary::ood_nll,
                                               &ToySummary::ood_draws_nll, &ToySummary::id_mse,
                                               &ToySummary::ood_mse};
  for (const ToySummary& s : summaries) {
    std::vector<Cell> cells{std::string(s.method->name)};
    for (const auto column : columns) {
      cells.emplace_back(format_mean_se((s.*column).mean, (s.*column).se));
    }
    table.add(std::move(cells));
  }
  std::vector<double> values(summaries.size());
  for (std::size_t c = 0; c < std::size(columns); ++c) {
    std::ranges::transform(summaries, values.begin(),
                           [&](const ToySummary& s) { return (s.*columns[c]).mean; });
    table.mark_best(c + 1, values);
  }
  return table;
}

namespace {

// "Best out of distribution: loc-m-probmix, with an NLL of 10.4 ± 2.4 against 69.9 ± 23.1 of erm."
std::string verdict(std::span<const ToySummary> summaries) {
  const auto ood = [](const ToySummary& s) { return s.ood_nll.mean; };
  const auto text = [](const ToySummary& s) {
    return format_mean_se(s.ood_nll.mean, s.ood_nll.se);
  };
  const ToySummary& best = *std::ranges::min_element(summaries, {}, ood);
  const auto erm =
      std::ranges::find(summaries, "erm", [](const ToySummary& s) { return s.method->name; });
  if (erm == summaries.end() || &*erm == &best) return "";
  return fmt::format(" Best out of distribution: {}, with an NLL of {} against {} of erm.",
                     best.method->name, text(best), text(*erm));
}

}  // namespace

std::vector<std::pair<std::string, std::string>> toy_configuration(const ToyRegression& study,
                                                                   Index runs) {
  Json json = {{"runs", runs},
               {"seed", study.seed},
               {"new-data", study.new_data},
               {"rows", study.rows},
               {"validation", study.validation},
               {"test-rows", study.test_rows},
               {"members", study.members}};
  json.update(configuration_of(study.mix));
  json.update(configuration_of(study.train));
  json.update(configuration_of(study.network));
  json.update(configuration_of(study.family, study.family_options));
  return as_text(json);
}

std::string toy_page(const ToyRegression& study, Index runs,
                     std::span<const ToySummary> summaries) {
  HtmlReport page(
      "Toy regression",
      fmt::format("A small network learns the density of y = x³ + ε from {} points with "
                  "x between −4 and 4, trained in {} ways. A density that can be "
                  "trusted widens where it has seen no data: out of distribution (OOD), "
                  "x between 4 and 6, its negative log-likelihood (NLL) stays small.{}",
                  study.rows, summaries.size(), verdict(summaries)));
  page.add_heading("Results");
  page.add_paragraph(fmt::format(
      "Mean ± standard error over {} {}, in standardised units; smaller is better. "
      "ID: fresh rows with x between −4 and 4. A random embedding predicts with {}.",
      runs, runs == 1 ? "run" : "runs",
      study.members == 0
          ? "its mean"
          : fmt::format("a mixture of {} draws; 'single draws' judges each draw alone, as "
                        "the paper's figures do",
                        study.members)));
  page.add_table(toy_table(summaries));

  page.add_heading("Predictive densities");
  std::vector<BandPicture> pictures;
  for (const ToySummary& s : summaries) {
    BandPicture picture;
    picture.title = s.method->name;
    picture.caption =
        fmt::format("{}: OOD NLL {}", s.method->name, format_mean_se(s.ood_nll.mean, s.ood_nll.se));
    picture.x = s.bands.x;
    picture.mean = s.bands.mean;
    picture.lower = s.bands.lower;
    picture.upper = s.bands.upper;
    for (const double x : s.bands.x) picture.truth.push_back(toy_regression_mean(x));
    for (Index r = 0; r < s.bands.train.x.rows(); ++r) {
      picture.train_x.push_back(s.bands.train.x(r, 0));
      picture.train_y.push_back(s.bands.train.y(r, 0));
    }
    picture.no_data = {{picture.x.front(), toy_from}, {toy_to, picture.x.back()}};
    pictures.push_back(std::move(picture));
  }
  const Range y_range = common_y_range(pictures);
  std::vector<Figure> figures;
  for (BandPicture& picture : pictures) {
    picture.y_range = y_range;
    figures.push_back({band_chart(picture), picture.caption});
  }
  page.add_figures(figures, band_legend(pictures));

  page.add_details("Configuration", toy_configuration(study, runs));
  return page.html();
}

}  // namespace probmix
