// How far a search for good options has come (fit_model.hpp).
#pragma once

#include <vector>

#include "probmix/base/matrix.hpp"

namespace probmix {

struct SearchProgress {
  double seconds = 0;  // that training took
  // For each bracket the number of its trials, and of those that went on to each later round. With
  // a budget they depend on the time that was left, so that they have to be remembered.
  std::vector<std::vector<Index>> brackets = {};
};

}  // namespace probmix
