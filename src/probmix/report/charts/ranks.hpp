// A critical-difference diagram (Demšar 2006): the average ranks of methods over data sets on one
// axis, and bars over groups whose ranks do not differ significantly.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "probmix/report/page/range.hpp"
#include "probmix/report/page/vega.hpp"

namespace probmix::report {

struct RankedMethod {
  std::string name;
  double rank = 0;    // the average over data sets, 1 is best
  bool ours = false;  // a ProbMix method: in another colour
};

struct RankPicture {
  std::string title;
  std::string caption;
  std::vector<RankedMethod> methods;  // in any order
  std::vector<Range> groups;  // from the best to the worst rank of each group that a bar joins
  std::optional<double> critical_difference = std::nullopt;  // goes into the caption
};

// All methods are labelled on the left, the best on top: labels on both sides would leave no room
// for the axis on paper and on a phone.
// Throws for ranks outside 1 to the number of methods.
Figure rank_chart(const RankPicture& picture);

}  // namespace probmix::report
