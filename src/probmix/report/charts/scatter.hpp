// One score against another, a labelled point per method.
#pragma once

#include <string>
#include <vector>

#include "probmix/report/page/vega.hpp"

namespace probmix::report {

struct ScatterPoint {
  std::string label;
  double x = 0, y = 0;  // left out unless both are finite
  bool ours = false;    // a ProbMix method: in another colour
};

struct ScatterPicture {
  std::string title;
  std::string caption;
  std::string x_label, y_label;
  std::vector<ScatterPoint> points;
};

// Each label is on the side of its point where it covers least of the other labels and points.
Figure scatter_chart(const ScatterPicture& picture);

}  // namespace probmix::report
