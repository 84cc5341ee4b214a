// fill_normal: Philox 4x32-10 (Salmon et al. 2011) with one counter in each lane, then Box–Muller.
//
// Each number depends on its own counter only, so a longer fill begins with the same bits. Radius
// and angle are taken from the integers: both tails of u and every small angle keep their relative
// precision, which the float nearest to u would lose. Against exact arithmetic on the same words
// the error is below 3e-7 of the pair's radius, from the smallest (1.5e-5) to the largest (6.76).
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "probmix/kernel/fill_normal.cpp"
#include <hwy/foreach_target.h>

#include "probmix/kernel/fill_normal.hpp"
#include "probmix/kernel/lanes-inl.hpp"
#include "probmix/kernel/naive.hpp"
#include "probmix/kernel/philox-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace probmix::kernel {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

// One lane has no even and odd halves; only processors without SSSE3 come here.
void fill_normal_lanes(std::uint64_t seed, std::uint32_t counter2, std::uint32_t counter3,
                       float* out, Index n, Index first) {
  const std::uint64_t major = (static_cast<std::uint64_t>(counter3) << 32) | counter2;
  naive::fill_normal(seed, 0, major, out, n, first);
}

#else

using Signed32 = hn::RebindToSigned<Lanes32>;
using VecI32 = hn::Vec<Signed32>;

// −2 log u for u = (word + ½) · 2^-32.
//
// v = min(u, 1 − u) has full relative precision in float. With u = 2^e m, m in [√½, √2), and
// f = m − 1, the series of log(1 + f) = 2 atanh(s), s = f / (2 + f), |s| < 0.172, ends after s^9
// with relative error 2e-9. e = 0 means u >= √½, where f is −v, exactly.
HWY_INLINE Vec32 minus_two_log(VecU32 word) {
  const Lanes32 d;
  const Signed32 di;
  const VecI32 signed_word = hn::BitCast(di, word);
  const VecI32 is_high = hn::BroadcastSignBit(signed_word);  // −1 where u > ½
  const Vec32 half = constant(0.5F);
  const Vec32 one = constant(1.0F);
  const Vec32 v =
      hn::Mul(hn::Add(hn::ConvertTo(d, hn::Xor(signed_word, is_high)), half), constant(0x1p-32F));
  const Vec32 u = hn::IfThenElse(hn::MaskFromVec(hn::BitCast(d, is_high)), hn::Sub(one, v), v);

  const VecI32 root_half = hn::Set(di, 0x3F3504F3);  // the bits of √½
  const VecI32 above = hn::Sub(hn::BitCast(di, u), root_half);
  const VecI32 e = hn::ShiftRight<23>(above);
  const VecI32 mantissa = hn::And(above, hn::Set(di, 0x7FFFFF));
  const Vec32 m = hn::BitCast(d, hn::Add(mantissa, root_half));
  const Vec32 e_float = hn::ConvertTo(d, e);
  const Vec32 f = hn::IfThenElse(hn::Eq(e_float, constant(0.0F)), hn::Neg(v), hn::Sub(m, one));

  const Vec32 s = hn::Mul(f, reciprocal(hn::Add(constant(2.0F), f)));
  const Vec32 s2 = hn::Mul(s, s);
  Vec32 p = constant(4.0F / 9);
  p = hn::MulAdd(p, s2, constant(4.0F / 7));
  p = hn::MulAdd(p, s2, constant(4.0F / 5));
  p = hn::MulAdd(p, s2, constant(4.0F / 3));
  const Vec32 twice = hn::MulAdd(hn::Mul(p, s2), s, hn::Mul(constant(4.0F), s));  // 2 log(1 + f)
  return hn::NegMulSub(e_float, constant(1.386294361F), twice);                   // 2 log 2
}

struct CosSin {
  Vec32 cos, sin;
};

// cos and sin of 2π u, u = (word + ½) · 2^-32: the nearest quarter turn q, and a rest within an
// eighth turn for minimax polynomials (error below 4e-9 before rounding).
HWY_INLINE CosSin cos_sin_of_turn(VecU32 word) {
  const Lanes32 d;
  const Unsigned32 du;
  const Signed32 di;
  const VecU32 q = hn::ShiftRight<30>(hn::Add(word, hn::Set(du, 1U << 29)));
  const VecI32 rest = hn::BitCast(di, hn::Sub(word, hn::ShiftLeft<30>(q)));
  const Vec32 unit = constant(1.4629180793e-9F);  // 2π · 2^-32
  const Vec32 x = hn::Mul(hn::Add(hn::ConvertTo(d, rest), constant(0.5F)), unit);
  const Vec32 x2 = hn::Mul(x, x);

  Vec32 p = constant(-0.0001951528317F);
  p = hn::MulAdd(p, x2, constant(0.008332160762F));
  p = hn::MulAdd(p, x2, constant(-0.1666665461F));
  const Vec32 sin_x = hn::MulAdd(hn::Mul(p, x2), x, x);
  p = constant(2.443845155e-05F);
  p = hn::MulAdd(p, x2, constant(-0.001388736752F));
  p = hn::MulAdd(p, x2, constant(0.04166664687F));
  p = hn::MulAdd(p, x2, constant(-0.5F));
  const Vec32 cos_x = hn::MulAdd(p, x2, constant(1.0F));

  // q = 0: (c, s), 1: (−s, c), 2: (−c, −s), 3: (s, −c).
  const VecU32 one = hn::Set(du, 1);
  const VecU32 two = hn::Set(du, 2);
  const auto is_odd = hn::RebindMask(d, hn::Eq(hn::And(q, one), one));
  const auto sign = [&](VecU32 quarter) HWY_ATTR {
    return hn::BitCast(d, hn::ShiftLeft<30>(hn::And(quarter, two)));
  };
  return {hn::Xor(hn::IfThenElse(is_odd, sin_x, cos_x), sign(hn::Add(q, one))),
          hn::Xor(hn::IfThenElse(is_odd, cos_x, sin_x), sign(q))};
}

void fill_normal_lanes(std::uint64_t seed, std::uint32_t counter2, std::uint32_t counter3,
                       float* out, Index n, Index first) {
  const Lanes32 d;
  const auto lanes = static_cast<Index>(hn::Lanes(d));

  const auto four_each = [&](Index first_block, float* to) HWY_ATTR {
    const Words words(seed, static_cast<std::uint64_t>(first_block), 0, counter2, counter3);
    const Vec32 radius0 = root(minus_two_log(words.word0));
    const Vec32 radius1 = root(minus_two_log(words.word2));
    const CosSin turn0 = cos_sin_of_turn(words.word1);
    const CosSin turn1 = cos_sin_of_turn(words.word3);
    hn::StoreInterleaved4(hn::Mul(radius0, turn0.cos), hn::Mul(radius0, turn0.sin),
                          hn::Mul(radius1, turn1.cos), hn::Mul(radius1, turn1.sin), d, to);
  };

  Index q = 0;
  for (; q + 4 * lanes <= n; q += 4 * lanes) four_each((first + q) / 4, out + q);
  if (q < n) {
    HWY_ALIGN float rest[4 * HWY_MAX_BYTES / sizeof(float)];
    four_each((first + q) / 4, rest);
    std::memcpy(out + q, rest, static_cast<std::size_t>(n - q) * sizeof(float));
  }
}

#endif  // HWY_SCALAR

}  // namespace HWY_NAMESPACE
}  // namespace probmix::kernel
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace probmix::kernel {

HWY_EXPORT(fill_normal_lanes);

void fill_normal(std::uint64_t seed, std::uint32_t purpose, std::uint64_t major, float* out,
                 Index n, Index first) {
  const auto counter2 = static_cast<std::uint32_t>(major);
  const auto counter3 = static_cast<std::uint32_t>(major >> 32) ^ (purpose << 24);
  HWY_DYNAMIC_DISPATCH(fill_normal_lanes)(seed, counter2, counter3, out, n, first);
}
void fill_normal(std::uint64_t seed, std::uint32_t purpose, std::uint64_t major, double* out,
                 Index n, Index first) {
  naive::fill_normal(seed, purpose, major, out, n, first);
}

}  // namespace probmix::kernel
#endif  // HWY_ONCE
