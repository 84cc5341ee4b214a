#include "probmix/report/charts/density.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "probmix/base/error.hpp"
#include "probmix/report/page/range.hpp"
#include "report/charts/spec_check.hpp"
#include "report/page/markup_check.hpp"

namespace probmix::report {
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

Range domain(const Json& spec, const char* channel) {
  const Json found = find_layer(spec, "line").at("encoding").at(channel).at("scale").at("domain");
  return {found.at(0), found.at(1)};
}

TEST(DensityTitle, DateAndScore) {
  EXPECT_EQ(density_title(18340, 12.345), "2020-03-19 · NLL 12.35");
  EXPECT_EQ(density_title(18340, -0.001), "2020-03-19 · NLL 0.00");
  EXPECT_EQ(density_title(18340, 1e300), "2020-03-19 · NLL 1e+300");
  EXPECT_EQ(density_title(18340, kInf), "2020-03-19 · NLL diverged");
  EXPECT_EQ(density_title(18340, kNan), "2020-03-19 · NLL diverged");
}

TEST(DensityChart, DrawsTheCurveAndTheObservation) {
  const Figure figure = density_chart(gaussian(4.25, 0.5, 5.5));
  EXPECT_EQ(spec_error(figure.spec), "");
  // The observation above the density, which would hide it.
  EXPECT_EQ(marks(figure.spec), (std::vector<std::string>{"area", "line", "rule"}));
  EXPECT_EQ(figure.title, "a <title>");
  EXPECT_EQ(figure.alt,
            "a <title>: predictive density, highest at 4.25, and the observed value 5.5. worst of "
            "test");
  EXPECT_EQ(rows_of(figure.spec, find_layer(figure.spec, "rule")).at(0).at("y"), 5.5);
  EXPECT_EQ(count_marks(density_chart(gaussian(4, 0.5, kNan)).spec, "rule"), 0U);
}

TEST(DensityChart, ShowsTheBulkNotTheTails) {
  DensityPicture p = gaussian(0, 1, 0);
  DensityPicture broken = p;
  broken.density[30] = kNan;  // five standard deviations away: without weight
  for (const auto& picture : {p, broken}) {
    const Json spec = density_chart(picture).spec;
    // 2 · 3.3 to 3.4 standard deviations (the grid's step is 0.1) and 2 · 6 % of margin.
    EXPECT_NEAR(domain(spec, "x").size(), 2 * 3.35 * 1.12, 0.12);
    EXPECT_NEAR(domain(spec, "x").low + domain(spec, "x").high, 0, 1e-6);
    EXPECT_EQ(domain(spec, "y").low, 0);
    EXPECT_NEAR(domain(spec, "y").high, 1.08, 1e-6);  // the peak has room above
  }
}

TEST(DensityChart, HoldsANarrowDensityAndAFarObservation) {
  for (const double observed : {3.0, -200.0, 1e6}) {
    const Range x = domain(density_chart(gaussian(3, 1e-3, observed)).spec, "x");
    for (const double value : {3.0, observed}) {
      EXPECT_GT(value, x.low + 0.04 * x.size()) << observed;
      EXPECT_LT(value, x.high - 0.04 * x.size()) << observed;
    }
    EXPECT_LT(x.size(), 1.15 * std::max(0.0067, std::abs(observed - 3))) << observed;
  }
}

TEST(DensityChart, ACoarseGridEnclosesItsPeak) {
  DensityPicture p;
  p.y = {-2, -1, 0, 1, 2};
  p.density = {0, 0, 1, 0, 0};
  p.observed = 0;
  // All mass lies from −1 to 1; the margin is 6 % of that.
  EXPECT_NEAR(domain(density_chart(p).spec, "x").low, -1.12, 1e-6);
  EXPECT_NEAR(domain(density_chart(p).spec, "x").high, 1.12, 1e-6);
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
    const Json spec = density_chart(picture).spec;
    EXPECT_EQ(spec_error(spec), "");
    EXPECT_GT(domain(spec, "x").size(), 0);
    EXPECT_GT(domain(spec, "y").size(), 0);
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
  EXPECT_TRUE(contains(legend_markup(density_legend()), "predictive density"));
  EXPECT_TRUE(contains(legend_markup(density_legend()), "observed"));
}

}  // namespace
}  // namespace probmix::report
