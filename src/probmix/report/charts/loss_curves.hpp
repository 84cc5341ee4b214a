// Training and validation losses of several methods over the epochs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "probmix/report/page/vega.hpp"

namespace probmix::report {

struct LossCurve {
  std::string name;
  std::vector<double> epoch = {};                   // ascending
  std::vector<double> train = {}, validation = {};  // after these epochs; either may be empty
  std::optional<double> best_epoch = std::nullopt;  // marked on the validation loss,
  std::optional<double> best_loss = std::nullopt;   // or at this loss
};

// The validation loss at the best epoch, interpolated between the recorded epochs. Needs both.
double loss_at_best(const LossCurve& curve);

struct LossPicture {
  std::string title;
  std::string caption;
  std::string loss = "loss";  // the title of the axis
  std::vector<LossCurve> curves;
};

// The first losses, and those of a model that overfits, may be orders of magnitude above the rest
// and are cut off. Throws if train or validation is neither empty nor as long as the epochs.
Figure loss_chart(const LossPicture& picture);

}  // namespace probmix::report
