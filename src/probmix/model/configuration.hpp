// Options as JSON, by the names that they have on the command line: what a run is known by.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "probmix/base/json.hpp"
#include "probmix/data/window_split.hpp"
#include "probmix/mix/method.hpp"
#include "probmix/mix/options.hpp"
#include "probmix/nn/architecture.hpp"
#include "probmix/train/fit.hpp"

namespace probmix {

// Those of which the method makes use.
Json configuration_of(const MixOptions& options, const Method& method);
Json configuration_of(const TrainOptions& options);  // but for threads, on which nothing depends
Json configuration_of(const MlpOptions& options);
Json configuration_of(const Architecture& architecture);
Json configuration_of(const WindowOptions& options);
Json configuration_of(const WindowSplitOptions& options);
Json configuration_of(const std::string& family, const FamilyOptions& options);

// Names and values as text, for people.
std::vector<std::pair<std::string, std::string>> as_text(const Json& configuration);

}  // namespace probmix
