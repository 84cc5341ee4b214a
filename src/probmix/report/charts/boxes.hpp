// Box plots of a score over the runs of each method, on one axis.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "probmix/report/charts/score_scale.hpp"
#include "probmix/report/page/vega.hpp"

namespace probmix::report {

struct BoxGroup {
  std::string name;
  // One value per run. Values that are not finite diverged: counted beside the name, not drawn.
  std::vector<double> values;
  bool ours = false;                           // a ProbMix method: in another colour
  std::optional<double> paper = std::nullopt;  // the mean that the paper reports
};

struct BoxPicture {
  std::string title;
  std::string caption;
  std::string score;             // the title of the axis
  std::vector<BoxGroup> groups;  // from top to bottom
  ScoreScale scale = ScoreScale::linear;
};

// Whiskers reach the furthest run within 1.5 interquartile ranges; runs beyond are points. A run
// further from all whiskers than these are from each other is a triangle at the edge.
// Throws if two groups have the same name.
Figure box_chart(const BoxPicture& picture);

}  // namespace probmix::report
