// One figure of every kind of chart, with made-up data, for the tests of the page.
#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "probmix/report/charts/bands.hpp"
#include "probmix/report/charts/boxes.hpp"
#include "probmix/report/charts/calibration.hpp"
#include "probmix/report/charts/densities.hpp"
#include "probmix/report/charts/density.hpp"
#include "probmix/report/charts/loss_curves.hpp"
#include "probmix/report/charts/predictions.hpp"
#include "probmix/report/charts/ranks.hpp"
#include "probmix/report/charts/regions.hpp"
#include "probmix/report/charts/scatter.hpp"
#include "probmix/report/charts/score_lines.hpp"
#include "probmix/report/charts/series.hpp"

namespace probmix::report::samples {

inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kInf = std::numeric_limits<double>::infinity();

inline const std::vector<std::string> kMethods{
    "erm",         "mix",       "loc-mix",       "m-mix",       "loc-m-mix",    "probmix",
    "loc-probmix", "m-probmix", "loc-m-probmix", "probmix-lin", "m-probmix-lin"};

inline bool ours(std::size_t method) { return method >= 5; }

// In [0, 1), the same on every machine.
inline double noise(std::size_t i) {
  return std::fmod(0.618033988749895 * static_cast<double>(i + 1), 1);
}

inline BandPicture bands() {
  BandPicture p;
  p.title = "loc-m-probmix";
  p.caption = "OOD NLL 10.4 ± 2.4";
  for (int i = 0; i <= 60; ++i) {
    const double x = -6 + 0.2 * i, outside = std::max(0.0, std::abs(x) - 4);
    p.x.push_back(x);
    p.truth.push_back(x * x * x);
    p.mean.push_back(x * x * x * (1 - 0.1 * outside));
    p.lower.push_back(p.mean.back() - 8 - 60 * outside);
    p.upper.push_back(p.mean.back() + 8 + 60 * outside);
  }
  for (std::size_t i = 0; i < 40; ++i) {
    const double x = 8 * noise(i) - 4;
    p.train_x.push_back(x);
    p.train_y.push_back(x * x * x + 14 * noise(7 * i + 3) - 7);
  }
  p.test_x = {4.5, 5, 5.5};
  p.test_y = {91, 125, 166};
  p.no_data = {{-kInf, -4}, {4, 6}};
  return p;
}

inline SeriesPicture series() {
  SeriesPicture p;
  p.title = "probmix";
  p.caption = "test NLL −0.66 ± 0.01";
  p.y_label = "Close";
  for (int day = 17897; p.time.size() < 300; ++day) {
    if (const int weekday = (day + 4) % 7; weekday == 0 || weekday == 6) continue;
    const double t = static_cast<double>(p.time.size());
    p.time.push_back(day);
    p.value.push_back(100 + 0.1 * t + 6 * std::sin(t / 17) + 3 * noise(p.time.size()));
    if (t < 40 || (t > 200 && t < 225)) continue;
    const double width = t > 225 ? 9 : 5;
    p.target_time.push_back(day);
    p.mean.push_back(101.5 + 0.1 * t + 5 * std::sin((t - 4) / 17));
    p.lower95.push_back(p.mean.back() - width);
    p.lower50.push_back(p.mean.back() - width / 3);
    p.upper50.push_back(p.mean.back() + width / 3);
    p.upper95.push_back(p.mean.back() + width);
  }
  p.mean[30] = kNan;
  p.upper95[60] = kInf;
  p.validation_from = p.time[160];
  p.test_from = p.time[220];
  return p;
}

inline DensityPicture density() {
  DensityPicture p;
  p.title = density_title(18340, 4.321);
  p.caption = "probmix: worst of test";
  for (int i = -60; i <= 60; ++i) {
    const double y = 0.1 * i;
    p.y.push_back(100 + y);
    p.density.push_back(0.3 * std::exp(-y * y / 2) + 0.1 * std::exp(-2 * (y - 2) * (y - 2)));
  }
  p.observed = 104.5;
  return p;
}

inline DensitiesPicture densities() {
  DensitiesPicture p;
  p.title = "Which density explains the target";
  p.caption = "λ = 0.8";
  p.lines = {{"mix", {}}, {"probmix", {}}};
  p.mark = 80;
  p.mark_label = "target 80";
  for (int y = 0; y <= 150; ++y) {
    p.y.push_back(y);
    p.lines[0].density.push_back(0.07 * std::exp(-(y - 27) * (y - 27) / 60.0));
    p.lines[1].density.push_back(0.03 * std::exp(-(y - 75) * (y - 75) / 364.0));
  }
  return p;
}

inline BoxPicture boxes(ScoreScale scale) {
  BoxPicture p;
  p.title = "Test NLL, GOOG, lstm";
  p.caption = "20 runs each; smaller is better.";
  p.score = "test NLL";
  p.scale = scale;
  for (std::size_t m = 0; m < kMethods.size(); ++m) {
    BoxGroup group{kMethods[m], {}, ours(m)};
    const double level = scale == ScoreScale::linear ? 2 : std::pow(10.0, 4.0 * noise(m));
    for (std::size_t r = 0; r < 20; ++r) {
      group.values.push_back(level * (0.7 + 0.6 * noise(20 * m + r)) - (ours(m) ? 1 : 0));
    }
    group.values.push_back(3 * level);
    if (m == 1) group.values.push_back(kNan);
    if (m % 3 != 2) group.paper = 0.9 * level;
    p.groups.push_back(std::move(group));
  }
  return p;
}

inline PitPicture pit() {
  PitPicture p;
  p.title = "PIT of probmix";
  p.caption = "1,000 rows of test";
  p.rows = 1000;
  p.share.resize(20);
  for (std::size_t i = 0; i < 1000; ++i) {
    p.share[static_cast<std::size_t>(20 * std::pow(noise(i), 1.2))] += 0.001;
  }
  return p;
}

inline CoveragePicture coverage() {
  CoveragePicture p;
  p.title = "Coverage";
  p.caption = "Central intervals, test.";
  for (std::size_t m = 0; m < kMethods.size(); ++m) {
    CoverageCurve curve{kMethods[m], {}, {}};
    for (int i = 1; i < 20; ++i) {
      curve.nominal.push_back(0.05 * i);
      curve.empirical.push_back(std::pow(0.05 * i, 0.6 + 0.1 * static_cast<double>(m)));
    }
    p.curves.push_back(std::move(curve));
  }
  return p;
}

inline ReliabilityPicture reliability() {
  ReliabilityPicture p;
  p.title = "Reliability of probmix";
  p.caption = "ECE 0.031";
  for (int b = 0; b < 10; ++b) {
    p.confidence.push_back(0.05 + 0.1 * b);
    p.accuracy.push_back(b < 2 ? kNan : std::pow(0.05 + 0.1 * b, 1.3));
    p.count.push_back(b < 2 ? 0 : 10.0 * b * b * b);
  }
  return p;
}

inline ScatterPicture scatter() {
  ScatterPicture p;
  p.title = "NLL against RMSE";
  p.caption = "Means over runs; the lower left is best.";
  p.x_label = "test RMSE";
  p.y_label = "test NLL";
  for (std::size_t m = 0; m < kMethods.size(); ++m) {
    p.points.push_back(
        {kMethods[m], 0.3 + 0.2 * noise(m), 1 + 2 * noise(3 * m + 1) * noise(m), ours(m)});
  }
  p.points.push_back({"diverged", kNan, 1});
  return p;
}

inline LossPicture losses() {
  LossPicture p;
  p.title = "Losses of training";
  p.caption = "First run.";
  p.loss = "NLL";
  for (std::size_t m = 0; m < 4; ++m) {
    LossCurve curve{.name = kMethods[2 * m + 1], .best_epoch = 40 + 20 * static_cast<int>(m)};
    for (std::size_t e = 1; e <= 150; ++e) {
      const double t = static_cast<double>(e);
      curve.epoch.push_back(t);
      curve.train.push_back(30 / (t * t) + std::exp(-t / 40) + 0.1 * static_cast<double>(m));
      curve.validation.push_back(curve.train.back() + 0.1 + 0.00002 * t * t + 0.03 * noise(e));
    }
    p.curves.push_back(std::move(curve));
  }
  return p;
}

inline RegionPicture regions() {
  RegionPicture p;
  p.title = "Decision regions of probmix";
  p.caption = "Accuracy 0.93";
  p.x = {-2, 2};
  p.y = {-1.5, 1.5};
  p.across = 50;
  p.class_names = {"inner", "outer", "right"};
  const auto classify = [](double x, double y) { return x > 1 ? 2 : x * x + y * y < 0.8 ? 0 : 1; };
  for (int r = 0; r < 40; ++r) {
    for (int c = 0; c < 50; ++c) {
      const double x = -2 + 4 * (c + 0.5) / 50, y = -1.5 + 3 * (r + 0.5) / 40;
      p.predicted.push_back(classify(x, y));
      p.probability.push_back(0.4 + 0.6 * std::min(1.0, std::abs(x * x + y * y - 0.8)));
    }
  }
  for (std::size_t i = 0; i < 80; ++i) {
    p.point_x.push_back(4 * noise(i) - 2);
    p.point_y.push_back(3 * noise(5 * i + 2) - 1.5);
    p.point_class.push_back(classify(p.point_x.back(), p.point_y.back()));
  }
  return p;
}

inline RankPicture ranks() {
  RankPicture p;
  p.title = "Average ranks by test NLL";
  p.caption = "Over 20 stocks.";
  for (std::size_t m = 0; m < kMethods.size(); ++m) {
    p.methods.push_back({kMethods[m], 1.5 + 0.9 * static_cast<double>((7 * m) % 11), ours(m)});
  }
  p.groups = {{1.5, 4.2}, {3.3, 6}, {6.9, 10.5}};
  p.critical_difference = 2.95;
  return p;
}

inline PredictionsPicture predictions() {
  PredictionsPicture p;
  p.title = "Predicted and observed price";
  p.caption = "120 rows of test";
  for (std::size_t i = 0; i < 120; ++i) {
    const double mean = 100 * noise(i), spread = 5 + 0.2 * mean;
    p.mean.push_back(mean);
    p.low.push_back(mean - spread);
    p.high.push_back(mean + spread);
    p.observed.push_back(mean + 2.2 * spread * (noise(7 * i + 3) - 0.5));
  }
  return p;
}

inline ScoreLinesPicture score_lines() {
  ScoreLinesPicture p;
  p.title = "pooling linear";
  p.setting = "α";
  p.values = {"1e-32", "0.01", "0.1", "1"};
  p.score = "OOD NLL";
  p.scale = ScoreScale::symlog;
  for (std::size_t m = 0; m < kMethods.size(); ++m) {
    ScoreLine line{.name = kMethods[m], .mean = {}, .error = {}};
    for (std::size_t v = 0; v < p.values.size(); ++v) {
      line.mean.push_back(std::pow(10.0, 3 * noise(4 * m + v)) - 1);
      line.error.push_back(0.2 * line.mean.back());
    }
    p.lines.push_back(std::move(line));
  }
  p.lines[2].mean[1] = kNan;   // not run
  p.lines[3].error[0] = kNan;  // run once
  return p;
}

inline std::vector<Figure> all() {
  return {band_chart(bands()),
          series_chart(series()),
          density_chart(density()),
          densities_chart(densities()),
          box_chart(boxes(ScoreScale::linear)),
          box_chart(boxes(ScoreScale::symlog)),
          pit_chart(pit()),
          coverage_chart(coverage()),
          reliability_chart(reliability()),
          scatter_chart(scatter()),
          predictions_chart(predictions()),
          loss_chart(losses()),
          region_chart(regions()),
          rank_chart(ranks()),
          score_lines_chart(score_lines())};
}

}  // namespace probmix::report::samples
