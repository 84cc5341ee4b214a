// The predictive density of one row: a mixture of members of a family, all of equal weight.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "probmix/base/matrix.hpp"
#include "probmix/family/families.hpp"

namespace probmix {

template <ExponentialFamily F>
class Mixture {
 public:
  // `out` holds one row of network outputs for each member.
  template <class Real>
  Mixture(const F& family, View<const Real> out)
      : family_(family), phi_(out.rows, family.naturals()) {
    std::vector<double> row(static_cast<std::size_t>(out.cols));
    for (Index s = 0; s < out.rows; ++s) {
      std::copy_n(out.row(s), out.cols, row.begin());
      family.link(row.data(), phi_.row(s));
    }
  }

  // Of every column; the probabilities of classes.
  std::vector<double> mean() const {
    std::vector<double> member(static_cast<std::size_t>(family_.moments()));
    std::vector<double> mean(member.size());
    for (Index s = 0; s < phi_.rows(); ++s) {
      family_.mean(phi_.row(s), member.data());
      for (std::size_t c = 0; c < mean.size(); ++c) mean[c] += member[c];
    }
    for (double& m : mean) m /= static_cast<double>(phi_.rows());
    return mean;
  }
  double mean(int column) const { return mean()[static_cast<std::size_t>(column)]; }

  double cdf(int column, double y) const {
    double sum = 0;
    for (Index s = 0; s < phi_.rows(); ++s) sum += family_.cdf(phi_.row(s), column, y);
    return sum / static_cast<double>(phi_.rows());
  }

  // The smallest y (to rounding) whose cdf is at least u, 0 < u < 1: bisection between the smallest
  // and the largest quantile of the members, which enclose it.
  double quantile(int column, double u) const {
    double low = family_.quantile(phi_.row(0), column, u);
    double high = low;
    for (Index s = 1; s < phi_.rows(); ++s) {
      const double q = family_.quantile(phi_.row(s), column, u);
      low = std::min(low, q);
      high = std::max(high, q);
    }
    if (cdf(column, low) >= u) return low;
    for (;;) {
      const double half = low + (high - low) / 2;
      const double middle = F::discrete ? std::floor(half) : half;
      if (!(low < middle && middle < high)) return high;
      (cdf(column, middle) < u ? low : high) = middle;
    }
  }

 private:
  F family_;
  Matrix<double> phi_;
};

}  // namespace probmix
