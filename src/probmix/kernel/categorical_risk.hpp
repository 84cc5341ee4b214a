// The loss of class probabilities and its gradient, in double lanes. mix/batched_categorical.cpp
// puts the pieces together; the naive twin is mix/scalar_risk.cpp.
//
// Tables are class by class: number k of row r, target or pair b at [k · stride + r].
#pragma once

#include "probmix/base/matrix.hpp"

namespace probmix::kernel {

struct ClassTable {
  double* data = nullptr;
  Index stride = 0;

  double* of(Index k) const { return data + k * stride; }
};

// log_p = log softmax(φ) and p = softmax(φ) of n rows. log_p may be the table of φ.
void log_softmax(Index classes, Index n, ClassTable phi, ClassTable log_p, ClassTable p,
                 double* work);

// What classes of targets weigh in the loss: c(k, b) for class k. A weight of 0 leaves the class
// out, whatever its probability.
struct ClassTargets {
  Index classes;
  Index count;
  ClassTable c;
};

// Target b is judged by row b and row partner[b].
struct ClassPartners {
  const Index* partner;
  const double* lambda;
};

// Σ c(k, b) (−log p_k) for target b under row b, or the log-linear pool of two rows. Adds the
// gradient in φ to dphi of row b, and writes what the partner's gains to dphi_j; dphi.data is null
// where only the loss is wanted. work: 2 · classes · max_lanes numbers.
double categorical_single(const ClassTargets& targets, ClassTable phi, ClassTable dphi,
                          double* work);
double categorical_log_linear(const ClassTargets& targets, const ClassPartners& partners,
                              ClassTable phi, ClassTable dphi, ClassTable dphi_j, double* work);

// The same under the linear pool, from log_p. The gradient in φ of a row is total · p − gained,
// where `gained` (k, row) and `total` (row) accumulate the row's shares in c; what the partner's
// gain is written to gained_j and total_j. gained.data is null where only the loss is wanted.
double categorical_linear(const ClassTargets& targets, const ClassPartners& partners,
                          ClassTable log_p, ClassTable gained, double* total, ClassTable gained_j,
                          double* total_j);

// dphi(k, r) = total[r] p(k, r) − gained(k, r), and 0 where total is 0. dphi may be `gained`.
void categorical_linear_backward(Index classes, Index n, ClassTable p, const double* total,
                                 ClassTable gained, ClassTable dphi);

inline constexpr Index max_lanes = 8;  // doubles in the widest vectors (AVX-512)

}  // namespace probmix::kernel
