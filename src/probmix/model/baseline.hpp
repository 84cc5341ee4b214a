// What a model is compared with: simple predictions from the same training rows.
#pragma once

#include <optional>

#include "probmix/model/fit_model.hpp"

namespace probmix {

// The marginal density of the training rows, and a linear model of the same family.
Baseline fit_baseline(const ModelFit& fit, const Model& model);

// Models that predict what the baseline of this one does; nothing if it has none.
std::optional<Model> marginal_model(const Model& model);
std::optional<Model> linear_model(const Model& model);

}  // namespace probmix
