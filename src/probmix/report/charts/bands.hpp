// Predictive bands over a single feature x, where the model saw data and where it did not.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "probmix/report/page/range.hpp"
#include "probmix/report/page/vega.hpp"

namespace probmix::report {

struct BandPicture {
  std::string title;
  std::string caption;
  // The prediction on an increasing grid of x.
  std::vector<double> x, mean, lower, upper;
  std::vector<double> train_x, train_y;
  // Optional, empty if absent; `truth` is the noiseless curve on the grid `x`.
  std::vector<double> test_x, test_y;
  std::vector<double> truth;
  // Where there was no training data: shaded.
  std::vector<Range> no_data;
  // Set it to the same in pictures to be compared (see common_y_range).
  std::optional<Range> y_range;
  std::string x_label = "x";
  std::string y_label = "y";
};

// A y range for all pictures: the data, the truth and the bands, but bands only up to half the
// extent of the data beyond it, so that one method that explodes does not flatten the others.
Range common_y_range(std::span<const BandPicture> pictures);

// Throws if vectors that belong together differ in length.
Figure band_chart(const BandPicture& picture);

// A legend for all pictures, to be shown once above them.
std::vector<LegendItem> band_legend(std::span<const BandPicture> pictures);

}  // namespace probmix::report
