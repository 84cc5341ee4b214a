// What the result of a run must look like before anything uses it: results files come from outside.
#pragma once

#include <string>

#include "probmix/base/json.hpp"

namespace probmix {

// What is wrong, with its place ("curve: epoch and loss differ in length"); empty if nothing is.
// Scores are checked where they are read.
std::string result_fault(const Json& result);

}  // namespace probmix
