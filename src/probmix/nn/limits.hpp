// How large a network may be: limits shared by the options, the layers and the readers of files.
#pragma once

#include "probmix/base/matrix.hpp"

namespace probmix::limits {

inline constexpr Index width = 1 << 16;  // of a hidden layer or an embedding
inline constexpr Index units = 1 << 14;  // of an LSTM or transformer, whose weights are square
inline constexpr Index layers = 64;      // of one kind
inline constexpr Index heads = 1 << 10;
inline constexpr Index networks = 1000;  // of a group that was trained with the same options
inline constexpr std::size_t groups = 100;
// In the mixture that is predicted for a row: networks times draws. Ten times as many take minutes
// for a hundred rows.
inline constexpr Index densities = 10'000;
inline constexpr double forget_bias = 100;  // far beyond 10 a gate is open or shut for good

}  // namespace probmix::limits
