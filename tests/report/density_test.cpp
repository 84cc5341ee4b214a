#include "probmix/report/density.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "probmix/base/error.hpp"
#include "report/markup_check.hpp"

namespace probmix {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

DensityPicture gaussian(double mean, double sd, double observed) {
  DensityPicture p;
  p.title = "a <title>";
  p.caption = "worst of test";
  for (int i = -80; i <= 80; ++i) {
    p.y.push_back(mean + 0.1 * i * sd);
    p.density.push_back(std::exp(-0.005 * i * i) / sd);
  }
  p.observed = observed;
  return p;
}

// The x of all points of the (one) path of this class, in pixels.
std::vector<double> path_x(const std::string& svg, const std::string& css) {
  std::vector<double> x;
  std::size_t at = svg.find("d=\"", svg.find("class=\"" + css + "\""));
  const std::size_t end = svg.find("\"/>", at);
  while ((at = svg.find_first_of("ML", at)) < end) x.push_back(std::stod(svg.substr(++at)));
  return x;
}

double plot_width(const std::string& svg) {
  return std::stod(svg.substr(svg.find("width=\"", svg.find("<svg x=")) + 7));
}

TEST(DensityTitle, DateAndScore) {
  EXPECT_EQ(density_title(18340, 12.345), "2020-03-19 · NLL 12.35");
  EXPECT_EQ(density_title(18340, -0.001), "2020-03-19 · NLL 0.00");
  EXPECT_EQ(density_title(18340, 1e300), "2020-03-19 · NLL 1e+300");
  EXPECT_EQ(density_title(18340, kInf), "2020-03-19 · NLL diverged");
  EXPECT_EQ(density_title(18340, kNan), "2020-03-19 · NLL diverged");
}

TEST(DensityChart, DrawsTheCurveAndTheObservation) {
  const std::string svg = density_chart(gaussian(4.25, 0.5, 5.5));
  EXPECT_EQ(markup_error(svg), "");
  for (const auto* part : {"band density", "line density", "marker observed", ">a &lt;title&gt;<",
                           "aria-label=\"a &lt;title&gt;: predictive density, highest at 4.25, and "
                           "the observed value 5.5. worst of test\""}) {
    EXPECT_TRUE(contains(svg, part)) << part << "\n" << svg;
  }
  // Above the density, which would hide it.
  EXPECT_GT(svg.find("marker observed"), svg.find("line density"));
  EXPECT_FALSE(contains(density_chart(gaussian(4, 0.5, kNan)), "observed"));
}

TEST(DensityChart, ShowsTheBulkNotTheTails) {
  DensityPicture p = gaussian(0, 1, 0);
  DensityPicture broken = p;
  broken.density[30] = kNan;  // five standard deviations away: without weight
  for (const auto& picture : {p, broken}) {
    const std::string svg = density_chart(picture);
    // 16 standard deviations of grid, of which 2 · 3.3 to 3.4 (the grid's step is 0.1) and 2 · 6 %
    // of margin fill the plot.
    const auto x = path_x(svg, "line density");
    EXPECT_NEAR((x.back() - x.front()) / plot_width(svg), 16 / (2 * 3.35 * 1.12), 0.04);
    // The peak has room above: 8 % of the density, and the plot is 120 high.
    EXPECT_TRUE(contains(svg, "height=\"120\""));
    const std::string curve = svg.substr(svg.find("line density"));
    EXPECT_TRUE(contains(curve.substr(0, curve.find("/>")), " 8.89L")) << curve;
    // The middle of the density is in the middle.
    EXPECT_NEAR(path_x(svg, "marker observed").at(0), plot_width(svg) / 2, 0.01);
  }
}

TEST(DensityChart, HoldsANarrowDensityAndAFarObservation) {
  for (const double observed : {3.0, -200.0, 1e6}) {
    const std::string svg = density_chart(gaussian(3, 1e-3, observed));
    const double width = plot_width(svg);
    const auto marker = path_x(svg, "marker observed");
    const auto curve = path_x(svg, "line density");
    ASSERT_EQ(marker.size(), 1U) << observed;
    const double middle = curve[curve.size() / 2];
    EXPECT_TRUE(middle > 5 && middle < width - 5) << middle;
    EXPECT_TRUE(marker[0] > 5 && marker[0] < width - 5) << marker[0];
    if (observed != 3) {
      EXPECT_GT(std::abs(middle - marker[0]), 0.8 * width);
    }
  }
}

TEST(DensityChart, ACoarseGridEnclosesItsPeak) {
  DensityPicture p;
  p.y = {-2, -1, 0, 1, 2};
  p.density = {0, 0, 1, 0, 0};
  p.observed = 0;
  // All mass lies from −1 to 1: those are 1 / 1.12 of the width.
  const auto x = path_x(density_chart(p), "line density");
  ASSERT_EQ(x.size(), 5U);
  EXPECT_NEAR((0 - x[0]) / (x[1] - x[0]), 1 - 0.12, 1e-3);
}

TEST(DensityChart, WhatIsNotFinite) {
  DensityPicture p = gaussian(0, 1, kInf);
  p.density[40] = kNan;
  p.density[80] = kInf;
  p.y.front() = -kInf;
  p.y.back() = kNan;
  for (const auto& picture : {p, DensityPicture{}, DensityPicture{"", "", {kNan}, {2}, 1},
                              DensityPicture{"", "", {0, 1}, {kInf, kInf}, kNan},
                              DensityPicture{"", "", {0, 1}, {1e308, 1e308}, -1e308},
                              DensityPicture{"", "", {0, 1}, {0, 0}, 7}}) {
    const std::string svg = density_chart(picture);
    EXPECT_EQ(markup_error(svg), "");
    EXPECT_FALSE(mentions_non_finite(svg)) << svg;
  }
}

TEST(DensityChart, RefusesWhatDoesNotBelongTogether) {
  DensityPicture p = gaussian(0, 1, 0);
  std::swap(p.y[3], p.y[4]);
  EXPECT_THROW(density_chart(p), Error);
  p = gaussian(0, 1, 0);
  p.density.pop_back();
  EXPECT_THROW(density_chart(p), Error);
}

TEST(DensityLegend, NamesBoth) {
  EXPECT_EQ(markup_error(density_legend()), "");
  EXPECT_TRUE(contains(density_legend(), "band density"));
  EXPECT_TRUE(contains(density_legend(), "marker observed"));
}

}  // namespace
}  // namespace probmix
