// The loss of Gaussian densities and its gradient, in double lanes: one coordinate of many rows, as
// mean and precision (inverse variance). mix/batched_gaussian.cpp puts the pieces together; the
// naive twin is mix/scalar_risk.cpp.
#pragma once

#include "probmix/base/matrix.hpp"

namespace probmix::kernel {

// Where one coordinate of row r is found among the network's outputs: out[r · cols + mean], and the
// same for its s.
struct GaussianColumns {
  Index cols, mean, s;
};

// From outputs to one array for the means and one for s, in double.
void gaussian_split(const GaussianColumns& at, const float* out, double* mean, double* s, Index n);
void gaussian_split(const GaussianColumns& at, const double* out, double* mean, double* s, Index n);

// The gradients in the outputs: −precision · pull and −slope · dprecision.
struct GaussianGradients {
  const double *precision, *pull, *slope, *dprecision;
};
void gaussian_join(const GaussianColumns& at, const GaussianGradients& rows, float* dout, Index n);
void gaussian_join(const GaussianColumns& at, const GaussianGradients& rows, double* dout, Index n);

// precision[r] = 1 / σ²(s[r]) and slope[r] = −∂precision/∂s, where σ² = floor + exp(s) (continued
// by its tangent above `tangent_from`) or floor + log(1 + e^s).
struct VarianceLink {
  bool softplus;
  double floor;
  double tangent_from;
};
void gaussian_link(const VarianceLink& link, const double* s, double* precision, double* slope,
                   Index n);

// log_precision[r] = log precision[r].
void gaussian_log_precision(const double* precision, double* log_precision, Index n);

// Rows of densities. The gradients are of the loss in µ, divided by −precision, and in the
// precision; both accumulate, and both are null where only the loss is wanted.
struct GaussianRows {
  const double* mean;
  const double* precision;
  const double* log_precision;  // linear pooling only
  double* pull;
  double* dprecision;
};

// Targets of mean y and variance `spread`, and their share c in the loss. A share of 0 leaves the
// target out, whatever else its row holds.
struct GaussianTargets {
  Index count;
  const double* c;
  const double* y;
  const double* spread;  // null: all 0, the targets are points (as linear pooling needs them)
};

// Target b is judged by row b and row partner[b]. What the latter's gradients gain is written to
// pull_j and dprecision_j.
struct GaussianPartners {
  const Index* partner;
  const double* lambda;
  double* pull_j;
  double* dprecision_j;
};

// Σ c E[−log p(y)] for target b under row b; under the log-linear, under the linear pool of two.
double gaussian_single(const GaussianRows& rows, const GaussianTargets& targets);
double gaussian_log_linear(const GaussianRows& rows, const GaussianTargets& targets,
                           const GaussianPartners& partners);
double gaussian_linear(const GaussianRows& rows, const GaussianTargets& targets,
                       const GaussianPartners& partners);

}  // namespace probmix::kernel
