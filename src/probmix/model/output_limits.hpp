// The outputs that a network may predict. For a row unlike any that it learned from, a network can
// be far from everything it said before: a single one that gives such a row a spread of a million
// ruins the mean and the CRPS of the whole mixture.
#pragma once

#include "probmix/base/matrix.hpp"
#include "probmix/mix/method.hpp"
#include "probmix/nn/network.hpp"

namespace probmix {

// The lower limits of all outputs, and the upper ones; empty: there are none.
using OutputLimits = AlignedVector<float>;

// The range of each output over these rows, and as much again on either side.
OutputLimits output_limits(const Network<float>& network, const Method& method,
                           const AlignedVector<float>& parameters, View<const float> x,
                           Index members, std::uint64_t seed);

// Moves what is beyond the limits onto them.
void limit_outputs(View<float> outputs, const OutputLimits& limits);

}  // namespace probmix
