// Sums and products of rows of numbers.
//
// float runs on Highway with run-time dispatch, double on the naive twin (naive.hpp). Same input,
// same bits.
// Sums have a fixed order, whatever the number of threads.
#pragma once

#include "probmix/base/matrix.hpp"

namespace probmix::kernel {

// out = λ a + (1 − λ) b, computed as b + λ (a − b) for λ < ½, a + (1 − λ) (b − a) for λ > ½ and
// ½ a + ½ b at ½: swapping (a, λ) with (b, 1 − λ) changes nothing when 1 − λ is exact. λ = 1 copies
// a and λ = 0 copies b, bit for bit, whatever the other row holds. `out` may be a or b.
void lerp_forward(float lambda, const float* a, const float* b, float* out, Index n);
void lerp_forward(double lambda, const double* a, const double* b, double* out, Index n);

// out = a + b.
void add(const float* a, const float* b, float* out, Index n);
void add(const double* a, const double* b, double* out, Index n);

// out = a · b, number by number.
void multiply(const float* a, const float* b, float* out, Index n);
void multiply(const double* a, const double* b, double* out, Index n);

// y += factor · x; x may be y.
void axpy(float factor, const float* x, float* y, Index n);
void axpy(double factor, const double* x, double* y, Index n);

// Σ x², accumulated in double. Not finite exactly when some x is not finite (float), so it serves
// both clipping and the finiteness check.
double sum_of_squares(const float* x, Index n);
double sum_of_squares(const double* x, Index n);

}  // namespace probmix::kernel
