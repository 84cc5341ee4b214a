// Predictions against observations.
#pragma once

#include <string>
#include <vector>

#include "probmix/report/page/vega.hpp"

namespace probmix::report {

struct PredictionsPicture {
  std::string title;
  std::string caption;
  // Per row: the response, the predictive mean, and an interval.
  std::vector<double> observed = {}, mean = {}, low = {}, high = {};
};

// A point for each row with its interval as a line; on the diagonal the mean is right.
Figure predictions_chart(const PredictionsPicture& picture);

}  // namespace probmix::report
