// What the scores of a model mean, in sentences.
#pragma once

#include <string>
#include <vector>

#include "probmix/model/beside_baseline.hpp"

namespace probmix::report {

std::vector<std::string> verdict(const EvaluationBeside& found, const Target& target);

}  // namespace probmix::report
