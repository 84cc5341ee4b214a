// Standardisation of windows: each channel with one mean and scale for all steps, from the rows of
// the series that the inputs of training windows cover, each row counted once; the target from the
// targets of training windows. No other row has an influence.
#pragma once

#include <vector>

#include "probmix/data/scaling.hpp"
#include "probmix/data/windows.hpp"

namespace probmix {

class WindowScaler {
 public:
  // `train`: windows by number. Throws an Error if their targets are all the same.
  WindowScaler(const Windows& windows, const std::vector<Index>& train);

  const Scaler& channels() const { return channels_; }
  const Scaler& target() const { return target_; }

  // Any rows of Windows::x, and of Windows::y.
  template <class Real>
  Matrix<Real> apply_x(View<const double> x) const {
    Matrix<Real> scaled(x.rows, x.cols);
    for (Index r = 0; r < x.rows; ++r) {
      for (Index c = 0; c < x.cols; ++c) {
        scaled(r, c) = static_cast<Real>(channels_.apply(c % channel_count_, x(r, c)));
      }
    }
    return scaled;
  }
  Matrix<double> apply_y(View<const double> y) const { return target_.apply<double>(y); }
  double invert_y(double y) const { return target_.invert(0, y); }

 private:
  Index channel_count_;
  Scaler channels_;
  Scaler target_;
};

}  // namespace probmix
