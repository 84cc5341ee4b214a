// Beta(α, α) numbers in bulk.
#pragma once

#include "probmix/base/matrix.hpp"

namespace probmix::kernel {

// out[k] = the Beta(alpha, alpha) number that LambdaLaw (mix/lambda_law.cpp, the naive twin) makes
// of the uniforms u[k] and v[k] on (0, 1). out may be u or v.
void symmetric_beta(double alpha, const double* u, const double* v, double* out, Index n);

}  // namespace probmix::kernel
