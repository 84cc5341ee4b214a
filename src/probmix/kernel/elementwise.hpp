// Element-wise kernels: float runs on Highway with run-time dispatch, double on the naive twins of
// naive.hpp (gradient checks run in double, and the tests hold every fast kernel against its twin).
//
// Same input, same bits: every sum has one fixed order, whatever the number of threads.
#pragma once

#include <cstdint>

#include "probmix/base/matrix.hpp"
#include "probmix/kernel/activation.hpp"

namespace probmix::kernel {

// An activation of the first columns of a matrix; the others only get their bias.
struct ColumnActivation {
  Activation kind;
  Index columns;
};

// y(r, c) = act(y(r, c) + bias[c]), in place. `pre` (same shape as y, or null) receives
// y(r, c) + bias[c]: activations whose derivative needs it (see needs_pre) keep it for backward.
void bias_activation_forward(ColumnActivation act, View<float> y, const float* bias, float* pre);
void bias_activation_forward(ColumnActivation act, View<double> y, const double* bias, double* pre);

// dy *= act'(pre), in place, and dbias[c] += column sums of the new dy. `y` is the layer's output.
void bias_activation_backward(ColumnActivation act, View<const float> y, const float* pre,
                              View<float> dy, float* dbias);
void bias_activation_backward(ColumnActivation act, View<const double> y, const double* pre,
                              View<double> dy, double* dbias);

// The same with an activation of all columns.
inline void bias_activation_forward(Activation act, View<float> y, const float* bias, float* pre) {
  bias_activation_forward(ColumnActivation{act, y.cols}, y, bias, pre);
}
inline void bias_activation_forward(Activation act, View<double> y, const double* bias,
                                    double* pre) {
  bias_activation_forward(ColumnActivation{act, y.cols}, y, bias, pre);
}
inline void bias_activation_backward(Activation act, View<const float> y, const float* pre,
                                     View<float> dy, float* dbias) {
  bias_activation_backward(ColumnActivation{act, y.cols}, y, pre, dy, dbias);
}
inline void bias_activation_backward(Activation act, View<const double> y, const double* pre,
                                     View<double> dy, double* dbias) {
  bias_activation_backward(ColumnActivation{act, y.cols}, y, pre, dy, dbias);
}

// silu and gelu: the derivative is computed from the pre-activation; all others from the output.
constexpr bool needs_pre(Activation act) {
  return act == Activation::silu || act == Activation::gelu;
}

// out = λ a + (1 − λ) b, computed as b + λ (a − b) for λ < ½, a + (1 − λ) (b − a) for λ > ½ and
// ½ a + ½ b at ½: swapping (a, λ) with (b, 1 − λ) changes nothing when 1 − λ is exact. λ = 1 copies
// a and λ = 0 copies b, bit for bit, whatever the other row holds.
void lerp_forward(float lambda, const float* a, const float* b, float* out, Index n);
void lerp_forward(double lambda, const double* a, const double* b, double* out, Index n);

// out = a + b.
void add(const float* a, const float* b, float* out, Index n);
void add(const double* a, const double* b, double* out, Index n);

// out = a · b, number by number.
void multiply(const float* a, const float* b, float* out, Index n);
void multiply(const double* a, const double* b, double* out, Index n);

// y += factor · x.
void axpy(float factor, const float* x, float* y, Index n);
void axpy(double factor, const double* x, double* y, Index n);

// One draw of an embedding from the log-linear fusion of two diagonal Gaussians given by mean and
// log-variance, by the reparameterisation trick (eps ~ N(0, 1)):
//   p̃ = λ exp(−s_i) + (1 − λ) exp(−s_j),  w = λ exp(−s_i) / p̃,
//   z = w µ_i + (1 − w) µ_j + eps / sqrt(p̃).
// Computed in a scaled form that neither overflows nor loses λ = 0 and λ = 1 for |s| <= 80.
// For backward, which then needs a few products only, `weight` receives the smaller of w and 1 − w
// (negative, −0 included, if that is 1 − w), and `spread` ½ eps / sqrt(p̃); both may be null.
void fuse_gaussian_forward(float lambda, const float* mu_i, const float* s_i, const float* mu_j,
                           const float* s_j, const float* eps, float* z, float* weight,
                           float* spread, Index n);
void fuse_gaussian_forward(double lambda, const double* mu_i, const double* s_i, const double* mu_j,
                           const double* s_j, const double* eps, double* z, double* weight,
                           double* spread, Index n);

// Accumulates into dmu_i, ds_i, dmu_j, ds_j (i and j may be the same row: then both accumulate), or
// overwrites them (then they must not be).
enum class Gradient { accumulates, overwrites };
void fuse_gaussian_backward(float lambda, const float* mu_i, const float* mu_j, const float* weight,
                            const float* spread, const float* dz, float* dmu_i, float* ds_i,
                            float* dmu_j, float* ds_j, Index n,
                            Gradient gradient = Gradient::accumulates);
void fuse_gaussian_backward(double lambda, const double* mu_i, const double* mu_j,
                            const double* weight, const double* spread, const double* dz,
                            double* dmu_i, double* ds_i, double* dmu_j, double* ds_j, Index n,
                            Gradient gradient = Gradient::accumulates);

// One Adam update (Kingma & Ba 2015, algorithm 1). `rate` already holds lr · sqrt(1 − β2^t) /
// (1 − β1^t), and `epsilon` the ε̂ of their section 2, ε · sqrt(1 − β2^t), so that the update equals
// PyTorch's torch.optim.Adam:  m = β1 m + (1 − β1) g,  v = β2 v + (1 − β2) g²,
// parameter −= rate · m / (sqrt(v) + epsilon).  g = scale · gradient (scale: clipping).
struct AdamCoefficients {
  double rate, beta1, beta2, epsilon, scale;
};
void adam_update(const AdamCoefficients& c, const float* gradient, float* m, float* v,
                 float* parameter, Index n);
void adam_update(const AdamCoefficients& c, const double* gradient, double* m, double* v,
                 double* parameter, Index n);

// Σ x², accumulated in double. Not finite exactly when some x is not finite (float), so it serves
// both clipping and the finiteness check.
double sum_of_squares(const float* x, Index n);
double sum_of_squares(const double* x, Index n);

// The first k in [first, n) with a[k] + b[k] <= limit, or n if there is none (NaN is not below).
Index find_below(const float* a, const float* b, float limit, Index first, Index n);

// out[0 .. n) = standard normals: number q is a pure function of (seed, purpose, major, q), by
// Philox 4x32-10 with key = seed and counter = (q / 4 in two words, major, purpose) as in
// base/random.hpp, the four words of a block making two Box–Muller pairs
// (u = (word + ½) · 2^-32 in (0, 1); radius from words 0 and 2, angle from words 1 and 3).
// The double version uses the same words, so both agree to float precision. With `first`, a
// multiple of 4, the numbers from there on.
void fill_normal(std::uint64_t seed, std::uint32_t purpose, std::uint64_t major, float* out,
                 Index n, Index first = 0);
void fill_normal(std::uint64_t seed, std::uint32_t purpose, std::uint64_t major, double* out,
                 Index n, Index first = 0);

// out[0 .. n) = the words of the stream (seed, purpose, major, minor) of base/random.hpp from its
// block number `first_block` on, four to a block.
void fill_words(std::uint64_t seed, std::uint32_t purpose, std::uint64_t major, std::uint32_t minor,
                std::uint32_t first_block, std::uint32_t* out, Index n);

// out[k] = the Beta(alpha, alpha) number that LambdaLaw (mix/lambda_law.cpp, the naive twin) makes
// of the uniforms u[k] and v[k] on (0, 1). out may be u or v.
void symmetric_beta(double alpha, const double* u, const double* v, double* out, Index n);

}  // namespace probmix::kernel
