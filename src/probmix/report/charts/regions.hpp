// The decision regions of a classifier over two features.
#pragma once

#include <string>
#include <vector>

#include "probmix/report/page/range.hpp"
#include "probmix/report/page/vega.hpp"

namespace probmix::report {

struct RegionPicture {
  std::string title;
  std::string caption;
  // A grid of equal cells over these ranges; `across` cells a row, rows from low y to high y.
  Range x, y;
  int across = 0;
  // Per cell: the most probable class and its probability.
  std::vector<int> predicted;
  std::vector<double> probability;
  // The training data.
  std::vector<double> point_x, point_y;
  std::vector<int> point_class;
  std::vector<std::string> class_names;
  std::string x_label = "x₁";
  std::string y_label = "x₂";
};

// A class is a colour; its probability is the strength of the colour, faintest at chance level.
// Throws if lengths or classes do not fit, and for more than 10,000 cells.
Figure region_chart(const RegionPicture& picture);

}  // namespace probmix::report
