// Bounds for statistical tests. A correct implementation exceeds each with probability at most
// `false_failure`; with fixed seeds a test that passes once always passes.
#pragma once

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <cmath>
#include <span>
#include <vector>

namespace probmix::test {

inline constexpr double false_failure = 1e-9;  // of one bound; a test program has some hundred

// log(2 / p): the tail bounds below are 2 exp(−...).
inline double log_inverse() { return std::log(2 / false_failure); }

// sup |F_n − F| of n independent draws (Dvoretzky, Kiefer, Wolfowitz, Massart); also bounds the
// difference of a frequency from its probability.
inline double ks_bound(std::size_t n) {
  return std::sqrt(log_inverse() / (2 * static_cast<double>(n)));
}

// sup |F_n − F|, for a continuous cdf.
template <class Cdf>
double ks_distance(std::vector<double> draws, const Cdf& cdf) {
  std::sort(draws.begin(), draws.end());
  const auto n = static_cast<double>(draws.size());
  double worst = 0;
  for (std::size_t i = 0; i < draws.size(); ++i) {
    const double at = cdf(draws[i]);
    worst = std::max({worst, at - static_cast<double>(i) / n, static_cast<double>(i + 1) / n - at});
  }
  return worst;
}

// |mean − E| of n draws that are sub-Gaussian with this variance: normal ones, and symmetric Beta
// ones (Marchal, Arbel 2017).
inline double mean_bound(std::size_t n, double variance) {
  return std::sqrt(2 * variance * log_inverse() / static_cast<double>(n));
}

// |mean square − variance| of n such draws about their mean. Above: E exp(s X²) is at most that of
// a normal, so Laurent and Massart's bound of χ² holds; below: E exp(−s X²) <= exp(−s σ² + 3 s²
// σ⁴/2) as the kurtosis is at most 3.
inline double variance_bound(std::size_t n, double variance) {
  const double rate = log_inverse() / static_cast<double>(n);
  return variance * (std::sqrt(6 * rate) + 2 * rate);
}

// Pearson's X² divided by its critical value: a correct implementation stays below 1. Cells of
// probability 0 must be empty; expected counts should be 50 or more for the χ² law to hold that far
// out.
inline double chi_square_ratio(std::span<const long> counts, std::span<const double> probability) {
  double n = 0;
  for (const long count : counts) n += static_cast<double>(count);
  double sum = 0;
  int cells = 0;
  for (std::size_t c = 0; c < counts.size(); ++c) {
    const double expected = n * probability[c];
    if (expected == 0) {
      if (counts[c] != 0) return INFINITY;
      continue;
    }
    const double excess = static_cast<double>(counts[c]) - expected;
    sum += excess * excess / expected;
    ++cells;
  }
  if (cells < 2) return 0;
  const boost::math::chi_squared law(cells - 1);
  return sum / boost::math::quantile(boost::math::complement(law, false_failure));
}

}  // namespace probmix::test
