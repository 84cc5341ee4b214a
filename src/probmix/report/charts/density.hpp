// One conditional density p(y|x) with the value that was observed.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "probmix/report/page/vega.hpp"

namespace probmix::report {

struct DensityPicture {
  std::string title;  // see density_title
  std::string caption;
  // The density on an ascending grid of y, fine enough for its narrowest peak.
  std::vector<double> y, density;
  double observed = std::numeric_limits<double>::quiet_NaN();  // not drawn unless finite
};

// "2020-03-19 · NLL 12.3"; days since 1970-01-01.
std::string density_title(double day, double nll);

// Shows all but 0.1 % of the mass, and the observation however far away. Throws if y and density
// differ in length or y descends.
Figure density_chart(const DensityPicture& picture);

// To be shown once above the pictures.
std::vector<LegendItem> density_legend();

}  // namespace probmix::report
