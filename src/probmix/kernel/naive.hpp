// The naive twins: every kernel as the plainest scalar loop, for any Real. They are the double
// precision path (gradient checks), and the reference for tests of the fast float kernels.
// Contracts are those of the kernels' own headers; nothing here is tuned.
#pragma once

#include <Random123/philox.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>

#include "probmix/kernel/adam.hpp"
#include "probmix/kernel/bias_activation.hpp"
#include "probmix/kernel/fuse_gaussian.hpp"
#include "probmix/kernel/gemm.hpp"
#include "probmix/kernel/product.hpp"

namespace probmix::kernel::naive {

inline constexpr double leaky_slope = 0.01;

template <class Real>
Real sigmoid(Real x) {
  return 1 / (1 + std::exp(-x));
}

// Φ(x), the standard normal distribution function; erfc keeps the lower tail accurate.
template <class Real>
Real normal_cdf(Real x) {
  return std::erfc(-x / std::numbers::sqrt2_v<Real>) / 2;
}

// Comparisons are written so that NaN falls through to a branch that returns it.
template <class Real>
Real activate(Activation act, Real x) {
  switch (act) {
    case Activation::identity:
      return x;
    case Activation::relu:
      return x < 0 ? Real{0} : x;
    case Activation::leaky_relu:
      return x < 0 ? static_cast<Real>(leaky_slope) * x : x;
    case Activation::elu:
      return x > 0 ? x : std::expm1(x);
    case Activation::tanh:
      return std::tanh(x);
    case Activation::sigmoid:
      return sigmoid(x);
    case Activation::softplus:
      return (x < 0 ? Real{0} : x) + std::log1p(std::exp(-std::abs(x)));
    case Activation::silu:
      return x * sigmoid(x);
    case Activation::gelu:
      return x * normal_cdf(x);
  }
  return x;
}

// act'(pre), from the output y where it determines the derivative (see needs_pre). A kink has the
// derivative of its left side, as in PyTorch. NaN gives NaN: 0 · y is 0 for every finite y.
template <class Real>
Real derivative(Activation act, Real y, Real pre) {
  switch (act) {
    case Activation::identity:
      return 1;
    case Activation::relu:
      return y > 0 ? Real{1} : 0 * y;
    case Activation::leaky_relu:
      return y > 0 ? Real{1} : static_cast<Real>(leaky_slope) + 0 * y;
    case Activation::elu:
      return y > 0 ? Real{1} : y + 1;
    case Activation::tanh:
      return 1 - y * y;
    case Activation::sigmoid:
      return y * (1 - y);
    case Activation::softplus:
      return -std::expm1(-y);
    case Activation::silu: {
      const Real s = sigmoid(pre);
      return s * (1 + pre * (1 - s));
    }
    case Activation::gelu: {
      const Real density =
          std::exp(-pre * pre / 2) * std::numbers::inv_sqrtpi_v<Real> / std::numbers::sqrt2_v<Real>;
      return normal_cdf(pre) + pre * density;
    }
  }
  return 1;
}

template <class Real>
void bias_activation_forward(ColumnActivation act, View<Real> y, const Real* bias, Real* pre) {
  for (Index r = 0; r < y.rows; ++r) {
    for (Index c = 0; c < y.cols; ++c) {
      const Real x = y(r, c) + bias[c];
      if (pre != nullptr) pre[r * y.cols + c] = x;
      y(r, c) = c < act.columns ? activate(act.kind, x) : x;
    }
  }
}

template <class Real>
void bias_activation_backward(ColumnActivation act, View<const Real> y, const Real* pre,
                              View<Real> dy, Real* dbias) {
  for (Index r = 0; r < y.rows; ++r) {
    for (Index c = 0; c < y.cols; ++c) {
      if (c < act.columns) {
        const Real x = needs_pre(act.kind) ? pre[r * y.cols + c] : Real{0};
        dy(r, c) *= derivative(act.kind, y(r, c), x);
      }
      dbias[c] += dy(r, c);
    }
  }
}

// λ a + (1 − λ) b. At λ = ½ neither row is the nearer one: the symmetric form keeps the swap exact.
template <class Real>
Real lerp(Real lambda, Real a, Real b) {
  if (lambda == 1) return a;
  if (lambda == 0) return b;
  if (lambda == Real{0.5}) return a / 2 + b / 2;
  return lambda < Real{0.5} ? b + lambda * (a - b) : a + (1 - lambda) * (b - a);
}

template <class Real>
void lerp_forward(Real lambda, const Real* a, const Real* b, Real* out, Index n) {
  for (Index k = 0; k < n; ++k) out[k] = lerp(lambda, a[k], b[k]);
}

template <class Real>
void add(const Real* a, const Real* b, Real* out, Index n) {
  for (Index k = 0; k < n; ++k) out[k] = a[k] + b[k];
}

template <class Real>
void multiply(const Real* a, const Real* b, Real* out, Index n) {
  for (Index k = 0; k < n; ++k) out[k] = a[k] * b[k];
}

template <class Real>
void axpy(Real factor, const Real* x, Real* y, Index n) {
  for (Index k = 0; k < n; ++k) y[k] += factor * x[k];
}

// The fused Gaussian N(w_i µ_i + w_j µ_j, scale²) of one coordinate, 0 < λ < 1.
//
// With a = log λ − s_i and b = log(1 − λ) − s_j, the precision is p̃ = e^a + e^b. Only the
// difference and the larger one are exponentiated, so that neither can overflow:
//   e = exp(−|a − b|),  w_larger = 1 / (1 + e),  w_smaller = e / (1 + e),
//   scale = p̃^(−1/2) = exp(−max(a, b) / 2) · sqrt(w_larger).
template <class Real>
struct Fusion {
  Real w_i, w_j, mean, scale;

  Fusion(Real log_lambda, Real log_rest, Real mu_i, Real s_i, Real mu_j, Real s_j) {
    const Real a = log_lambda - s_i;
    const Real b = log_rest - s_j;
    const Real e = std::exp(-std::abs(a - b));
    const Real larger = 1 / (1 + e);
    const bool i_is_larger = a >= b;
    w_i = i_is_larger ? larger : e * larger;
    w_j = i_is_larger ? e * larger : larger;
    // From the nearer mean, so that a row fused with itself keeps its mean to the bit.
    mean = i_is_larger ? mu_i + w_j * (mu_j - mu_i) : mu_j + w_i * (mu_i - mu_j);
    scale = std::exp((i_is_larger ? a : b) / -2) * std::sqrt(larger);
  }
};

template <class Real>
void fuse_gaussian_forward(Real lambda, const Real* mu_i, const Real* s_i, const Real* mu_j,
                           const Real* s_j, const Real* eps, Real* z, Real* weight, Real* spread,
                           Index n) {
  const auto put = [&](Index k, Real mean, Real w, Real scale) {
    z[k] = mean + eps[k] * scale;
    if (weight != nullptr) weight[k] = w;
    if (spread != nullptr) spread[k] = eps[k] * scale / 2;
  };
  if (lambda == 0 || lambda == 1) {  // the other row must not matter, whatever it holds
    const Real* mu = lambda == 1 ? mu_i : mu_j;
    const Real* s = lambda == 1 ? s_i : s_j;
    for (Index k = 0; k < n; ++k) put(k, mu[k], 0, std::exp(s[k] / 2));
    return;
  }
  const Real log_lambda = std::log(lambda);
  const Real log_rest = std::log(1 - lambda);
  for (Index k = 0; k < n; ++k) {
    const Fusion<Real> f(log_lambda, log_rest, mu_i[k], s_i[k], mu_j[k], s_j[k]);
    put(k, f.mean, f.w_i < f.w_j ? f.w_i : -f.w_j, f.scale);
  }
}

// ∂z/∂µ_i = w_i,  ∂z/∂s_i = −w_i w_j (µ_i − µ_j) + ½ w_i eps / sqrt(p̃), and the same with i and j
// exchanged: ∂w_i/∂s_i = −w_i w_j and ∂p̃/∂s_i = −w_i p̃.
template <class Real>
void fuse_gaussian_backward(Real lambda, const Real* mu_i, const Real* mu_j, const Real* weight,
                            const Real* spread, const Real* dz, Real* dmu_i, Real* ds_i,
                            Real* dmu_j, Real* ds_j, Index n) {
  if (lambda == 0 || lambda == 1) {
    Real* dmu = lambda == 1 ? dmu_i : dmu_j;
    Real* ds = lambda == 1 ? ds_i : ds_j;
    for (Index k = 0; k < n; ++k) {
      dmu[k] += dz[k];
      ds[k] += spread[k] * dz[k];
    }
    return;
  }
  for (Index k = 0; k < n; ++k) {
    const Real smaller = std::abs(weight[k]);
    const Real w_i = std::signbit(weight[k]) ? 1 - smaller : smaller;
    const Real w_j = std::signbit(weight[k]) ? smaller : 1 - smaller;
    const Real along = w_i * w_j * (mu_i[k] - mu_j[k]);
    dmu_i[k] += w_i * dz[k];
    ds_i[k] += (w_i * spread[k] - along) * dz[k];
    dmu_j[k] += w_j * dz[k];
    ds_j[k] += (w_j * spread[k] + along) * dz[k];
  }
}

template <class Real>
void adam_update(const AdamCoefficients& c, const Real* gradient, Real* m, Real* v, Real* parameter,
                 Index n) {
  const auto beta1 = static_cast<Real>(c.beta1);
  const auto beta2 = static_cast<Real>(c.beta2);
  const auto rest1 = static_cast<Real>(1 - c.beta1);
  const auto rest2 = static_cast<Real>(1 - c.beta2);
  for (Index k = 0; k < n; ++k) {
    const Real g = static_cast<Real>(c.scale) * gradient[k];
    m[k] = beta1 * m[k] + rest1 * g;
    v[k] = beta2 * v[k] + rest2 * g * g;
    parameter[k] -=
        static_cast<Real>(c.rate) * m[k] / (std::sqrt(v[k]) + static_cast<Real>(c.epsilon));
  }
}

template <class Real>
double sum_of_squares(const Real* x, Index n) {
  double sum = 0;
  for (Index k = 0; k < n; ++k) sum += static_cast<double>(x[k]) * static_cast<double>(x[k]);
  return sum;
}

template <class Real>
Index find_below(const Real* a, const Real* b, Real limit, Index first, Index n) {
  Index k = first;
  while (k < n && !(a[k] + b[k] <= limit)) ++k;
  return k;
}

// Words 4 block .. 4 block + 3 of the stream (seed, purpose, major, minor = 0) of base/random.hpp.
inline std::array<std::uint32_t, 4> normal_words(std::uint64_t seed, std::uint32_t purpose,
                                                 std::uint64_t major, std::uint64_t block) {
  const r123::Philox4x32::key_type key = {
      {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}};
  const r123::Philox4x32::ctr_type counter = {
      {static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32),
       static_cast<std::uint32_t>(major),
       static_cast<std::uint32_t>(major >> 32) ^ (purpose << 24)}};
  const r123::Philox4x32::ctr_type words = r123::Philox4x32()(counter, key);
  return {words[0], words[1], words[2], words[3]};
}

// Computed in double for every Real: the 33 significant bits of (word + ½) · 2^-32 fit exactly.
template <class Real>
void fill_normal(std::uint64_t seed, std::uint32_t purpose, std::uint64_t major, Real* out, Index n,
                 Index first = 0) {
  for (Index q = 0; q < n; q += 4) {
    const auto words =
        normal_words(seed, purpose, major, static_cast<std::uint64_t>((first + q) / 4));
    std::array<double, 4> normals{};
    for (std::size_t pair = 0; pair < 4; pair += 2) {
      const double radius = std::sqrt(-2 * std::log((words[pair] + 0.5) * 0x1p-32));
      const double angle = 2 * std::numbers::pi * ((words[pair + 1] + 0.5) * 0x1p-32);
      normals[pair] = radius * std::cos(angle);
      normals[pair + 1] = radius * std::sin(angle);
    }
    for (Index k = 0; k < 4 && q + k < n; ++k) {
      out[q + k] = static_cast<Real>(normals[static_cast<std::size_t>(k)]);
    }
  }
}

// C = alpha op(A) op(B) + beta C, row-major; the innermost loop runs along rows of C and of op(B)
// when B is not transposed, along k otherwise. C is not read when beta = 0.
template <class Real>
void gemm(Op op_a, Op op_b, Index m, Index n, Index k, Real alpha, const Real* a, Index lda,
          const Real* b, Index ldb, Real beta, Real* c, Index ldc) {
  for (Index r = 0; r < m; ++r) {
    Real* c_row = c + r * ldc;
    for (Index j = 0; j < n; ++j) c_row[j] = beta == 0 ? Real{0} : beta * c_row[j];
    const auto a_at = [&](Index l) { return op_a == Op::none ? a[r * lda + l] : a[l * lda + r]; };
    if (op_b == Op::none) {
      for (Index l = 0; l < k; ++l) {
        const Real factor = alpha * a_at(l);
        for (Index j = 0; j < n; ++j) c_row[j] += factor * b[l * ldb + j];
      }
    } else {
      for (Index j = 0; j < n; ++j) {
        Real sum = 0;
        for (Index l = 0; l < k; ++l) sum += a_at(l) * b[j * ldb + l];
        c_row[j] += alpha * sum;
      }
    }
  }
}

template <class Real>
void product(const Product<Real>& p) {
  using Kind = typename Start<Real>::Kind;
  for (Index r = 0; r < p.m; ++r) {
    Real* const c = p.c + r * p.c_row;
    for (Index j = 0; j < p.n; ++j) {
      Real sum = p.start.kind == Kind::row ? p.start.row[j] : p.start.kind == Kind::c ? c[j] : 0;
      for (Index l = 0; l < p.k; ++l) {
        sum += p.a.data[r * p.a.row + l * p.a.col] * p.b.data[l * p.b.row + j * p.b.col];
      }
      c[j] = sum < p.floor ? p.floor : sum;
    }
  }
}

}  // namespace probmix::kernel::naive
