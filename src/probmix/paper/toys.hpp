// The paper's toy problems: a hundred rows of synthetic data, a small MLP, and all methods over a
// grid. The presets fix what the paper leaves open; docs/results explains these choices.
#pragma once

#include <memory>

#include "probmix/sweep/study_data.hpp"

namespace probmix {

// In the regression, x of training rows is in (toy_from, toy_to), and out of distribution in
// (toy_to, toy_ood_to).
inline constexpr double toy_from = -4, toy_to = 4, toy_ood_to = 6;

struct ToyData {
  Index rows = 100;
  Index test_rows = 1000;  // of each kind
  bool new_data = false;   // a new data set for each run, instead of one for all
};

// The regression: y = x³ + ε, trained on x in (−4, 4), judged there on fresh rows ("id", in
// distribution) and on x in (4, 6) ("ood", out of distribution), in standardised units. Pictures:
// {"bands": {"x", "mean", "lower", "upper", "train_x", "train_y"}}, the central 95 % over x in the
// units of the data.
FitOptions toy_regression_options();
std::shared_ptr<const StudyData> toy_regression_data(const ToyData& toy, FitOptions options);

// The classification: three noisy rings in the plane, one for each class, judged on fresh rows
// ("test"). Pictures: {"regions": {"from", "to", "points": n, "class": [n · n, row by row,
// upwards], "probability", "train_x1", "train_x2", "train_class"}}.
FitOptions toy_classification_options();
std::shared_ptr<const StudyData> toy_classification_data(const ToyData& toy, FitOptions options);

}  // namespace probmix
