// Random words in bulk.
#pragma once

#include <cstdint>

#include "probmix/base/matrix.hpp"

namespace probmix::kernel {

// out[0 .. n) = the words of the stream (seed, purpose, major, minor) of base/random.hpp from its
// block number `first_block` on, four to a block.
void fill_words(std::uint64_t seed, std::uint32_t purpose, std::uint64_t major, std::uint32_t minor,
                std::uint32_t first_block, std::uint32_t* out, Index n);

}  // namespace probmix::kernel
