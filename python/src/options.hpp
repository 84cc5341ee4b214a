// The options of a training as parameters of Python: underscores for hyphens, and `random_state`
// for `seed`, as scikit-learn calls it.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <string_view>

#include "probmix/options/option.hpp"

namespace probmix::python {

std::string parameter_of(std::string_view option);

// A message of the library, with options spelled as parameters.
std::string with_parameters(std::string_view message);

// From a dict of option names (as the library spells them) and values; these options count as
// given. Throws a UsageError that names the option.
FitOptions options_from(const nanobind::dict& given);

}  // namespace probmix::python
