// Standard normals in bulk.
#pragma once

#include <cstdint>

#include "probmix/base/matrix.hpp"

namespace probmix::kernel {

// out[0 .. n) = standard normals: number q is a pure function of (seed, purpose, major, q), by
// Philox 4x32-10 with key = seed and counter = (q / 4 in two words, major, purpose) as in
// base/random.hpp, the four words of a block making two Box–Muller pairs
// (u = (word + ½) · 2^-32 in (0, 1); radius from words 0 and 2, angle from words 1 and 3).
// The double version uses the same words, so both agree to float precision. `first`, a multiple of
// 4, is the number to start from.
void fill_normal(std::uint64_t seed, std::uint32_t purpose, std::uint64_t major, float* out,
                 Index n, Index first = 0);
void fill_normal(std::uint64_t seed, std::uint32_t purpose, std::uint64_t major, double* out,
                 Index n, Index first = 0);

}  // namespace probmix::kernel
