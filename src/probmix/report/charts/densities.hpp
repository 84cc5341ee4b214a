// Several densities of one variable in one chart, with the value they should explain.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "probmix/report/page/vega.hpp"

namespace probmix::report {

struct DensityLine {
  std::string name;
  std::vector<double> density;  // on the grid of the picture
  bool dashed = false;
};

struct DensitiesPicture {
  std::string title;
  std::string caption;
  std::string x_label = "y";
  std::vector<double> y;  // an ascending grid, fine enough for the narrowest peak
  std::vector<DensityLine> lines;
  std::string mark_label = "target";
  double mark = std::numeric_limits<double>::quiet_NaN();  // not drawn unless finite
};

// Throws if a density is not as long as the grid.
Figure densities_chart(const DensitiesPicture& picture);

}  // namespace probmix::report
