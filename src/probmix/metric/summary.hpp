// Mean, its standard error and the standard deviation over runs.
#pragma once

#include <cmath>
#include <limits>
#include <span>

namespace probmix {

struct MeanSe {
  double mean = std::numeric_limits<double>::quiet_NaN();
  double se = std::numeric_limits<double>::quiet_NaN();  // of the mean; NaN below two values
  double sd = std::numeric_limits<double>::quiet_NaN();  // of a value (n − 1); NaN likewise
};

inline MeanSe mean_se(std::span<const double> values) {
  const auto n = static_cast<double>(values.size());
  if (values.empty()) return {};
  double sum = 0;
  for (const double v : values) sum += v;
  const double mean = sum / n;
  if (values.size() < 2) return {mean};
  double squares = 0;
  for (const double v : values) squares += (v - mean) * (v - mean);
  const double variance = squares / (n - 1);
  return {mean, std::sqrt(variance / n), std::sqrt(variance)};
}

}  // namespace probmix
