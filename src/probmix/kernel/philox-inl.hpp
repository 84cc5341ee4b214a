// Philox 4x32-10 (Salmon et al. 2011), one counter in each lane.
//
// Compiled once for each instruction set, as lanes-inl.hpp. Not for HWY_SCALAR: one lane has no
// even and odd halves.
#if defined(PROBMIX_KERNEL_PHILOX_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef PROBMIX_KERNEL_PHILOX_INL_HPP_
#undef PROBMIX_KERNEL_PHILOX_INL_HPP_
#else
#define PROBMIX_KERNEL_PHILOX_INL_HPP_
#endif

#include <hwy/highway.h>

#include <cstdint>

#include "probmix/kernel/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace probmix::kernel {
namespace HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR

using Unsigned32 = hn::RebindToUnsigned<Lanes32>;
using Unsigned64 = hn::Repartition<std::uint64_t, Lanes32>;
using VecU32 = hn::Vec<Unsigned32>;
using VecU64 = hn::Vec<Unsigned64>;

// The words of one block per lane; the high half of the block's number goes to the counter's second
// word. A word is the low half of a 64-bit lane; the high half holds garbage, which the
// multiplication does not read.
struct Blocks {
  VecU64 word0, word1, word2, word3;

  HWY_INLINE Blocks(VecU64 block, std::uint32_t counter1, std::uint32_t counter2,
                    std::uint32_t counter3)
      : word0(block),
        word1(hn::Xor(hn::Set(Unsigned64(), counter1), hn::ShiftRight<32>(block))),
        word2(hn::Set(Unsigned64(), counter2)),
        word3(hn::Set(Unsigned64(), counter3)) {}

  static HWY_INLINE VecU64 times(VecU64 x, std::uint32_t factor) {
    const Unsigned32 d;
    return hn::MulEven(hn::BitCast(d, x), hn::Set(d, factor));
  }
  HWY_INLINE void round(VecU64 key0, VecU64 key1) {
    const VecU64 product0 = times(word0, 0xD2511F53U);
    const VecU64 product1 = times(word2, 0xCD9E8D57U);
    word0 = hn::Xor(hn::Xor(hn::ShiftRight<32>(product1), word1), key0);
    word1 = product1;
    word2 = hn::Xor(hn::Xor(hn::ShiftRight<32>(product0), word3), key1);
    word3 = product0;
  }
};

// Ten rounds of two independent sets of blocks: one hides the latency of the other.
HWY_INLINE void philox(std::uint64_t seed, Blocks& a, Blocks& b) {
  const Unsigned64 d;
  VecU64 key0 = hn::Set(d, seed & 0xFFFFFFFFU);
  VecU64 key1 = hn::Set(d, seed >> 32);
  for (int round = 0; round < 10; ++round) {
    a.round(key0, key1);
    b.round(key0, key1);
    key0 = hn::Add(key0, hn::Set(d, 0x9E3779B9U));
    key1 = hn::Add(key1, hn::Set(d, 0xBB67AE85U));
  }
}

// The four words of as many consecutive blocks as a vector has 32-bit lanes.
struct Words {
  VecU32 word0, word1, word2, word3;

  HWY_INLINE Words(std::uint64_t seed, std::uint64_t first_block, std::uint32_t counter1,
                   std::uint32_t counter2, std::uint32_t counter3) {
    const Unsigned64 d;
    // Even lanes count even blocks, so that merging both sets puts blocks in order.
    const VecU64 even = hn::Add(hn::Set(d, first_block), hn::Add(hn::Iota(d, 0), hn::Iota(d, 0)));
    Blocks a(even, counter1, counter2, counter3);
    Blocks b(hn::Add(even, hn::Set(d, 1)), counter1, counter2, counter3);
    philox(seed, a, b);
    word0 = merge(a.word0, b.word0);
    word1 = merge(a.word1, b.word1);
    word2 = merge(a.word2, b.word2);
    word3 = merge(a.word3, b.word3);
  }

 private:
  static HWY_INLINE VecU32 merge(VecU64 low, VecU64 high) {
    const Unsigned32 d;
    return hn::OddEven(hn::BitCast(d, hn::ShiftLeft<32>(high)), hn::BitCast(d, low));
  }
};

#endif  // HWY_SCALAR

}  // namespace HWY_NAMESPACE
}  // namespace probmix::kernel
HWY_AFTER_NAMESPACE();

#endif  // PROBMIX_KERNEL_PHILOX_INL_HPP_
