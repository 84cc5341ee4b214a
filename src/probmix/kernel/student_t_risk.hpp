// The loss of Student's t densities of one response and its gradient, in double lanes, as location,
// precision (1 / σ²) and degrees of freedom. mix/batched_student_t.cpp puts the pieces together;
// the naive twin is mix/scalar_risk.cpp.
#pragma once

#include "probmix/kernel/gaussian_risk.hpp"

namespace probmix::kernel {

// From the third output w of each row: ν = smallest + unit · log(1 + e^w) and its slope in w; the
// part c(ν) of the log-density that depends on ν alone and its slope in ν. Both are within 1e-14
// for ν from 2.
struct FreedomLink {
  double smallest, unit;
};
struct FreedomColumns {
  double *freedom, *slope, *constant, *constant_slope;
};
void student_t_freedom(const FreedomLink& link, const double* w, const FreedomColumns& to, Index n);

// Rows of densities. The gradients, which accumulate, are of the loss in µ, divided by −precision,
// in the precision and in ν without the part of c(ν); and the sum of the shares, which that part
// takes. All four are null where only the loss is wanted.
struct StudentTRows {
  const double* mean;
  const double* precision;
  const double* freedom;
  const double* peak;  // the log-density at µ: c(ν) + ½ log precision
  double* pull;
  double* dprecision;
  double* dfreedom;
  double* share;
};

// As GaussianPartners: what the partner's gradients gain.
struct StudentTPartners {
  const Index* partner;
  const double* lambda;
  double* pull_j;
  double* dprecision_j;
  double* dfreedom_j;
  double* share_j;
};

// Σ c (−log p(y)) for target b under row b; under the linear pool of two. The targets are points.
double student_t_single(const StudentTRows& rows, const GaussianTargets& targets);
double student_t_linear(const StudentTRows& rows, const GaussianTargets& targets,
                        const StudentTPartners& partners);

}  // namespace probmix::kernel
