// How the learning rate changes over the steps of a training.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "probmix/base/matrix.hpp"

namespace probmix {

// constant    the learning rate, after a linear rise
// cosine      the same rise, then half a cosine down to 0 (Loshchilov & Hutter 2017, no restarts)
// one-cycle   half a cosine up from 1/25 of the learning rate, then half a cosine down to 1/250000
//             (Smith & Topin 2018, as in torch.optim.lr_scheduler.OneCycleLR; Adam's β1 stays)
// plateau     as constant; when patience runs out it falls (patience.hpp)
enum class Schedule { constant, cosine, one_cycle, plateau };
inline constexpr std::array<std::string_view, 4> schedule_names = {"constant", "cosine",
                                                                   "one-cycle", "plateau"};

struct ScheduleOptions {
  std::optional<Schedule> kind = {};  // unset: constant, or chosen by the code that knows the data
  // The share of the steps in which the rate rises; unset: 0.3 for one-cycle, else 0.
  std::optional<double> warm_up = {};

  double warm_up_share() const { return warm_up.value_or(kind == Schedule::one_cycle ? 0.3 : 0.0); }
  // Whether the rate depends on the number of steps.
  bool has_length() const {
    return kind == Schedule::cosine || kind == Schedule::one_cycle || warm_up_share() > 0;
  }
};

// Throws a UsageError unless 0 <= warm-up < 1.
void check_options(const ScheduleOptions& options);

// What the learning rate is multiplied by in step 0, 1, ..., steps − 1.
double rate_factor(const ScheduleOptions& options, Index step, Index steps);

}  // namespace probmix
