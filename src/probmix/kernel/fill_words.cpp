// fill_words; its naive twin is Stream (base/random.hpp).
#include <Random123/philox.h>

#include <algorithm>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "probmix/kernel/fill_words.cpp"
#include <hwy/foreach_target.h>

#include "probmix/kernel/fill_words.hpp"
#include "probmix/kernel/philox-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace probmix::kernel {
namespace HWY_NAMESPACE {

// counter: what follows the number of the block.
void fill_words_lanes(std::uint64_t seed, const std::uint32_t* counter, std::uint32_t first_block,
                      std::uint32_t* out, Index n) {
#if HWY_TARGET == HWY_SCALAR
  const r123::Philox4x32::key_type key = {
      {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}};
  for (Index q = 0; q < n; q += 4, ++first_block) {
    const r123::Philox4x32::ctr_type words =
        r123::Philox4x32()({{first_block, counter[0], counter[1], counter[2]}}, key);
    std::copy_n(words.begin(), std::min<Index>(4, n - q), out + q);
  }
#else
  const Unsigned32 d;
  const auto lanes = static_cast<Index>(hn::Lanes(d));
  const auto four_each = [&](Index q, std::uint32_t* to) HWY_ATTR {
    const Words words(seed, first_block + static_cast<std::uint64_t>(q / 4), counter[0], counter[1],
                      counter[2]);
    hn::StoreInterleaved4(words.word0, words.word1, words.word2, words.word3, d, to);
  };
  Index q = 0;
  for (; q + 4 * lanes <= n; q += 4 * lanes) four_each(q, out + q);
  if (q < n) {
    HWY_ALIGN std::uint32_t rest[4 * HWY_MAX_BYTES / sizeof(std::uint32_t)];
    four_each(q, rest);
    std::memcpy(out + q, rest, static_cast<std::size_t>(n - q) * sizeof(std::uint32_t));
  }
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace probmix::kernel
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace probmix::kernel {

HWY_EXPORT(fill_words_lanes);

void fill_words(std::uint64_t seed, std::uint32_t purpose, std::uint64_t major, std::uint32_t minor,
                std::uint32_t first_block, std::uint32_t* out, Index n) {
  const std::uint32_t counter[] = {minor, static_cast<std::uint32_t>(major),
                                   static_cast<std::uint32_t>(major >> 32) ^ (purpose << 24)};
  HWY_DYNAMIC_DISPATCH(fill_words_lanes)(seed, counter, first_block, out, n);
}

}  // namespace probmix::kernel
#endif  // HWY_ONCE
