// A score over the values of a setting: a line for each method.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "probmix/report/charts/score_scale.hpp"
#include "probmix/report/page/vega.hpp"

namespace probmix::report {

struct ScoreLine {
  std::string name;
  std::vector<double> mean, error;  // one for each value of the setting; NaN breaks the line
};

struct ScoreLinesPicture {
  std::string title;
  std::string caption;
  std::string setting;              // the title of the x axis
  std::vector<std::string> values;  // of the setting, evenly spaced from left to right
  std::string score;                // the title of the y axis
  std::vector<ScoreLine> lines;
  ScoreScale scale = ScoreScale::linear;
  std::optional<Range> y_range = std::nullopt;  // default: that of its own lines
};

// For pictures to be compared; they must have the same scale.
Range common_y_range(std::span<const ScoreLinesPicture> pictures);

// Means with error bars. Throws unless each line has one mean and error per value.
Figure score_lines_chart(const ScoreLinesPicture& picture);

}  // namespace probmix::report
