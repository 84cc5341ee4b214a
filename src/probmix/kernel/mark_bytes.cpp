#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "probmix/kernel/mark_bytes.cpp"
#include "probmix/kernel/mark_bytes.hpp"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <array>
#include <bit>

HWY_BEFORE_NAMESPACE();
namespace probmix::kernel {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

std::uint64_t mark_bytes_lanes(const char* text, char separator) {
  const hn::CappedTag<std::uint8_t, marked_bytes> d;
  const std::size_t step = hn::Lanes(d);
  if (step < 8) return naive::mark_bytes(text, separator);  // no vectors
  const auto quote = hn::Set(d, std::uint8_t{'"'});
  const auto separators = hn::Set(d, static_cast<std::uint8_t>(separator));
  std::array<std::uint8_t, marked_bytes / 8> bits{};
  for (std::size_t k = 0; k < marked_bytes; k += step) {
    const auto block = hn::LoadU(d, reinterpret_cast<const std::uint8_t*>(text) + k);
    // Tests whether min(byte, quote) is the byte, since SSE and AVX cannot compare unsigned bytes.
    const auto found = hn::Or(hn::Eq(hn::Min(block, quote), block), hn::Eq(block, separators));
    hn::StoreMaskBits(d, found, bits.data() + k / 8);
  }
  return std::bit_cast<std::uint64_t>(bits);
}

}  // namespace HWY_NAMESPACE
}  // namespace probmix::kernel
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace probmix::kernel {

HWY_EXPORT(mark_bytes_lanes);

std::uint64_t mark_bytes(const char* text, char separator) {
  return HWY_DYNAMIC_DISPATCH(mark_bytes_lanes)(text, separator);
}

}  // namespace probmix::kernel
#endif  // HWY_ONCE
