#include "probmix/report/study/illustration_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "probmix/report/charts/bands.hpp"
#include "probmix/report/charts/densities.hpp"
#include "probmix/report/charts/spec.hpp"
#include "probmix/report/page/html.hpp"
#include "probmix/report/page/text.hpp"

namespace probmix::report {

namespace {

double normal_density(double y, double mean, double variance) {
  return std::exp(-0.5 * (y - mean) * (y - mean) / variance) /
         std::sqrt(2 * std::numbers::pi * variance);
}

double mixed_input(const Illustration& example) {
  return example.lambda * example.x[0] + (1 - example.lambda) * example.x[1];
}

std::string input_text(const Illustration& example, std::size_t point) {
  return "x = " + format_fixed(example.x[point], 0);
}

// The process y = x³ + (½x² + 1) ε with both observations, and the point that Mix makes of them.
Figure process_chart(const Illustration& example) {
  BandPicture picture;
  picture.title = "The process, two observations, and the point that Mix makes of them";
  const double reach = 1.3 * std::max(std::abs(example.x[0]), std::abs(example.x[1]));
  constexpr int steps = 120;
  for (int k = 0; k <= steps; ++k) {
    const double x = reach * (2.0 * k / steps - 1);
    const double mean = x * x * x, deviation = 0.5 * x * x + 1;
    picture.x.push_back(x);
    picture.mean.push_back(mean);
    picture.lower.push_back(mean - 1.96 * deviation);
    picture.upper.push_back(mean + 1.96 * deviation);
  }
  picture.train_x.assign(example.x.begin(), example.x.end());
  picture.train_y.assign(example.y.begin(), example.y.end());
  picture.test_x = {mixed_input(example)};
  picture.test_y = {example.target};
  picture.caption = fmt::format(
      "Mix asks the model for y = {:.4g} at x = {:.4g}, where the truth is {:.4g} ± {:.3g}.",
      example.target, mixed_input(example), example.mix.mean, std::sqrt(example.mix.variance));
  Figure figure = band_chart(picture);
  // Large: three points are all the data.
  for (Json& layer : figure.spec["layer"]) {
    if (layer["mark"]["type"] == "point") layer["mark"].update({{"size", 70}, {"opacity", 1}});
  }
  figure.legend = {{Swatch::line, std::string(colour::mean), "mean"},
                   {Swatch::area, std::string(colour::interval), "95 % band"},
                   {Swatch::points, std::string(colour::data), "the two observations"},
                   {Swatch::points, std::string(colour::observed), "Mix's point"}};
  return figure;
}

Figure density_figure(const Illustration& example) {
  const auto& first = example.points[0];
  const auto& second = example.points[1];
  DensitiesPicture picture;
  picture.title = "Which density each method asks to explain the target";
  picture.mark = example.target;
  picture.mark_label = fmt::format("target {:.4g}", example.target);
  Range range = Range::nothing();
  for (const JudgedDensity& density : {first, second, example.mix, example.probmix}) {
    const double deviation = std::sqrt(density.variance);
    range.include(density.mean - 3.5 * deviation);
    range.include(density.mean + 3.5 * deviation);
  }
  constexpr int steps = 500;
  for (int k = 0; k <= steps; ++k) picture.y.push_back(range.low + range.size() * k / steps);
  const auto add = [&](std::string name, auto&& density) {
    DensityLine& line = picture.lines.emplace_back(DensityLine{std::move(name), {}});
    for (const double y : picture.y) line.density.push_back(density(y));
  };
  const auto gaussian = [](const JudgedDensity& density) {
    return [density](double y) { return normal_density(y, density.mean, density.variance); };
  };
  for (std::size_t p = 0; p < example.points.size(); ++p) {
    add(input_text(example, p), gaussian(example.points[p]));
  }
  add(fmt::format("mix, NLL {}", format_fixed(example.mix.nll, 1)), gaussian(example.mix));
  add(fmt::format("probmix, NLL {}", format_fixed(example.probmix.nll, 1)),
      gaussian(example.probmix));
  add(fmt::format("probmix, linear, NLL {}", format_fixed(example.probmix_linear.nll, 1)),
      [&](double y) {
        return example.lambda * gaussian(first)(y) + (1 - example.lambda) * gaussian(second)(y);
      });
  picture.lines.back().dashed = true;  // where it follows the densities of the observations
  return densities_chart(picture);
}

}  // namespace

Table illustration_table(const Illustration& example) {
  Table table;
  table.columns = {{"density"},
                   {"judged at y", Align::right},
                   {"mean", Align::right},
                   {"variance", Align::right},
                   {"NLL", Align::right}};
  const auto add = [&](const std::string& name, double y, const JudgedDensity& density) {
    table.add({name, format_fixed(y, 2), format_fixed(density.mean, 2),
               format_fixed(density.variance, 2), format_fixed(density.nll, 2)});
  };
  for (std::size_t p = 0; p < example.points.size(); ++p) {
    add(input_text(example, p), example.y[p], example.points[p]);
  }
  add("mix", example.target, example.mix);
  add("probmix", example.target, example.probmix);
  add("probmix, linear", example.target, example.probmix_linear);
  return table;
}

std::string illustration_page(const Illustration& example) {
  HtmlReport page(
      "Two observations, mixed and pooled",
      fmt::format("What Mix and ProbMix ask of a model that already knows the truth, y = x³ + "
                  "(½x² + 1) ε, for two observations and λ = {:.4g}.",
                  example.lambda));
  page.add_paragraph(fmt::format(
      "Both methods fuse the responses to the target {:.4g}. Mix also interpolates the inputs and "
      "judges the target by the density there, which assumes that the truth is linear in between: "
      "its NLL is {}. ProbMix pools the densities of the two observations instead, and has {} "
      "(log-linear) or {} (linear). A perfect model should not have to change.",
      example.target, format_fixed(example.mix.nll, 1), format_fixed(example.probmix.nll, 1),
      format_fixed(example.probmix_linear.nll, 1)));
  page.add_figures(std::vector{process_chart(example), density_figure(example)}, {},
                   FigureGrid::wide);
  page.add_table(illustration_table(example));
  return page.html();
}

}  // namespace probmix::report
