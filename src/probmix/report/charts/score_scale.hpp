// The axis of a score. Scores differ by orders of magnitude, and the NLL may be negative: symlog is
// linear around zero and logarithmic far away.
#pragma once

#include <string_view>
#include <vector>

#include "probmix/base/json.hpp"
#include "probmix/report/page/range.hpp"

namespace probmix::report {

enum class ScoreScale { linear, symlog };

// A score's place on the scale, and back.
double scaled(ScoreScale scale, double score);
double unscaled(ScoreScale scale, double place);

// The scores at the ends of a range of places, with a margin.
Range score_domain(ScoreScale scale, Range places);

// A channel of Vega-Lite.
Json score_axis(std::string_view field, std::string_view title, ScoreScale scale, Range domain);

// Zero and signed powers of ten within the range: every second, third, ... of many, and two and
// five times as much where there are few. None next to zero, where the scale is linear.
std::vector<double> symlog_ticks(Range range);

}  // namespace probmix::report
