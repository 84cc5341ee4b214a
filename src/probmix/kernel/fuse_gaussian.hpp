// The log-linear fusion of two Gaussian embeddings.
//
// float runs on Highway with run-time dispatch, double on the naive twin (naive.hpp). Same input,
// same bits.
#pragma once

#include "probmix/base/matrix.hpp"

namespace probmix::kernel {

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

}  // namespace probmix::kernel
