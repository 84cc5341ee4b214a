// The activations on vectors: one struct each, `forward` beside the `derivative` that backward
// multiplies with, computed from the output or (from_pre) from the pre-activation.
//
// Maximum relative error of forward, down to results of 1e-36 (measured on SSE4 and AVX2):
// leaky-relu 1e-7, elu 1.5e-7, sigmoid 1.5e-7, silu 2e-7, tanh 2.5e-7, softplus 2.5e-7, gelu 5e-6
// (2e-7 of max(1, |y|): its lower tail loses digits to exp(−x²/2)). Derivatives: 3e-7 absolute.
// NaN gives NaN everywhere; an infinite input gives the limit or NaN, never another finite value.
//
// Compiled once for each instruction set, like lanes-inl.hpp.
#if defined(PROBMIX_KERNEL_ACTIVATION_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef PROBMIX_KERNEL_ACTIVATION_INL_HPP_
#undef PROBMIX_KERNEL_ACTIVATION_INL_HPP_
#else
#define PROBMIX_KERNEL_ACTIVATION_INL_HPP_
#endif

#include "probmix/kernel/activation.hpp"
#include "probmix/kernel/lanes-inl.hpp"
#include "probmix/kernel/naive.hpp"

HWY_BEFORE_NAMESPACE();
namespace probmix::kernel {
namespace HWY_NAMESPACE {

struct Identity {
  static constexpr bool from_pre = false;
  static HWY_INLINE Vec32 forward(Vec32 x) { return x; }
  static HWY_INLINE Vec32 derivative(Vec32 /*y*/) { return constant(1.0F); }
};

// Not Max(x, 0): that may return 0 for NaN.
HWY_INLINE Vec32 positive_part(Vec32 x) { return hn::IfThenZeroElse(hn::Lt(x, constant(0.0F)), x); }

struct Relu {
  static constexpr bool from_pre = false;
  static HWY_INLINE Vec32 forward(Vec32 x) { return positive_part(x); }
  static HWY_INLINE Vec32 derivative(Vec32 y) {
    const Vec32 zero = constant(0.0F);
    return hn::IfThenElse(hn::Gt(y, zero), constant(1.0F), hn::Mul(zero, y));  // 0 · NaN is NaN
  }
};

struct LeakyRelu {
  static constexpr bool from_pre = false;
  static constexpr float slope = static_cast<float>(naive::leaky_slope);
  static HWY_INLINE Vec32 forward(Vec32 x) {
    return hn::IfThenElse(hn::Lt(x, constant(0.0F)), hn::Mul(constant(slope), x), x);
  }
  static HWY_INLINE Vec32 derivative(Vec32 y) {
    const Vec32 zero = constant(0.0F);
    return hn::IfThenElse(hn::Gt(y, zero), constant(1.0F), hn::MulAdd(zero, y, constant(slope)));
  }
};

struct Elu {
  static constexpr bool from_pre = false;
  static HWY_INLINE Vec32 forward(Vec32 x) {
    return hn::IfThenElse(hn::Gt(x, constant(0.0F)), x, hn::Expm1(Lanes32(), x));
  }
  static HWY_INLINE Vec32 derivative(Vec32 y) {
    const Vec32 one = constant(1.0F);
    return hn::IfThenElse(hn::Gt(y, constant(0.0F)), one, hn::Add(y, one));
  }
};

struct Tanh {
  static constexpr bool from_pre = false;
  static HWY_INLINE Vec32 forward(Vec32 x) { return hn::Tanh(Lanes32(), x); }
  static HWY_INLINE Vec32 derivative(Vec32 y) { return hn::NegMulAdd(y, y, constant(1.0F)); }
};

struct Sigmoid {
  static constexpr bool from_pre = false;
  static HWY_INLINE Vec32 forward(Vec32 x) {
    const Vec32 one = constant(1.0F);
    return hn::Div(one, hn::Add(one, exp(hn::Neg(x))));
  }
  static HWY_INLINE Vec32 derivative(Vec32 y) { return hn::Mul(y, hn::Sub(constant(1.0F), y)); }
};

struct Softplus {
  static constexpr bool from_pre = false;
  static HWY_INLINE Vec32 forward(Vec32 x) {
    const Vec32 e = exp(hn::Neg(hn::Abs(x)));
    return hn::Add(positive_part(x), hn::Log1p(Lanes32(), e));
  }
  // σ(x) = 1 − e^(−y); expm1 keeps it for small y.
  static HWY_INLINE Vec32 derivative(Vec32 y) { return hn::Neg(hn::Expm1(Lanes32(), hn::Neg(y))); }
};

struct Silu {
  static constexpr bool from_pre = true;
  static HWY_INLINE Vec32 forward(Vec32 x) { return hn::Mul(x, Sigmoid::forward(x)); }
  // s (1 + x (1 − s)) with 1 − s = e s, which does not cancel; the bound keeps e s from being ∞ ·
  // 0.
  static HWY_INLINE Vec32 derivative(Vec32 pre) {
    const Vec32 one = constant(1.0F);
    const Vec32 e = exp(hn::Min(hn::Neg(pre), constant(88.0F)));
    const Vec32 s = hn::Div(one, hn::Add(one, e));
    return hn::Mul(s, hn::MulAdd(pre, hn::Mul(e, s), one));
  }
};

// x Φ(x), the exact form (not the tanh approximation).
struct Gelu {
  static constexpr bool from_pre = true;

  // Φ(−|x|) = exp(−x²/2) · t · P(t) with t = 1 / (1 + 0.3 |x|); a minimax fit of ½ erfcx(|x|/√2) on
  // |x| <= 14 with relative error below 1.5e-7. Φ(|x|) is the complement.
  static HWY_INLINE Vec32 cdf(Vec32 x, Vec32 gauss) {
    const Vec32 one = constant(1.0F);
    const Vec32 t = hn::Div(one, hn::MulAdd(constant(0.3F), hn::Abs(x), one));
    Vec32 p = constant(0.03567477855F);
    p = hn::MulAdd(p, t, constant(-0.157203101F));
    p = hn::MulAdd(p, t, constant(0.206353537F));
    p = hn::MulAdd(p, t, constant(-0.05368367141F));
    p = hn::MulAdd(p, t, constant(0.1285616403F));
    p = hn::MulAdd(p, t, constant(0.09991348824F));
    p = hn::MulAdd(p, t, constant(0.1207539566F));
    p = hn::MulAdd(p, t, constant(0.1196292988F));
    const Vec32 lower = hn::Mul(gauss, hn::Mul(t, p));
    return hn::IfThenElse(hn::Lt(x, constant(0.0F)), lower, hn::Sub(one, lower));
  }
  static HWY_INLINE Vec32 gauss(Vec32 x) { return exp(hn::Mul(hn::Mul(constant(-0.5F), x), x)); }

  static HWY_INLINE Vec32 forward(Vec32 x) { return hn::Mul(x, cdf(x, gauss(x))); }
  static HWY_INLINE Vec32 derivative(Vec32 pre) {
    const Vec32 e = gauss(pre);
    const Vec32 density = hn::Mul(constant(0.3989422804F), e);  // 1 / sqrt(2 π)
    return hn::MulAdd(pre, density, cdf(pre, e));
  }
};

// f(Act{}) for the activation of that name: keeps the switch outside every loop.
template <class F>
HWY_INLINE void with_activation(Activation act, const F& f) {
  switch (act) {
    case Activation::identity:
      return f(Identity{});
    case Activation::relu:
      return f(Relu{});
    case Activation::leaky_relu:
      return f(LeakyRelu{});
    case Activation::elu:
      return f(Elu{});
    case Activation::tanh:
      return f(Tanh{});
    case Activation::sigmoid:
      return f(Sigmoid{});
    case Activation::softplus:
      return f(Softplus{});
    case Activation::silu:
      return f(Silu{});
    case Activation::gelu:
      return f(Gelu{});
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace probmix::kernel
HWY_AFTER_NAMESPACE();

#endif  // PROBMIX_KERNEL_ACTIVATION_INL_HPP_
