// Adam's update of the parameters.
//
// float runs on Highway with run-time dispatch, double on the naive twin (naive.hpp). Same input,
// same bits.
#pragma once

#include "probmix/base/matrix.hpp"

namespace probmix::kernel {

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

}  // namespace probmix::kernel
