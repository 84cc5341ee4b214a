// The fused target ỹ ~ g^y_λ(s_β(·|y_i), s_β(·|y_j)) of a pair, as a few weighted atoms.
//
// Response kernels s_β:
//   real, positive, ... responses: N(·, β) in the family's kernel coordinate (identity, log,
//   logit); classes: P(k) ∝ 1[k = y] + β.
// Fusion of two kernels:
//   log-linear: N(λ v_i + (1−λ) v_j, β), or the normalised product of powers of the class
//               probabilities (β = 0: its limit, the majority label, and a tie at λ = ½);
//   linear:     λ s_i + (1−λ) s_j.
// The expectation over ỹ is one draw (one atom of weight 1), or exact: an atom for each class, or
// Gauss–Hermite nodes (exact for Gaussian and Poisson statistics, to about 1e-7 for β <= 0.1 for
// those of gamma and beta). With β > 0 the nodes are refused where the loss is not a sum of
// statistics.
//
// mix and m-mix have no kernel: λ y_i + (1−λ) y_j for all but classes, soft labels for those.
#pragma once

#include "probmix/base/matrix.hpp"
#include "probmix/base/random.hpp"
#include "probmix/family/families.hpp"
#include "probmix/mix/method.hpp"
#include "probmix/mix/options.hpp"

namespace probmix {

// The atoms of many targets: target m has the weights weight(m, ·), which add up to 1, and the
// responses y(m * atoms + a, ·).
struct Targets {
  Matrix<double> weight;
  Matrix<double> y;

  Targets() = default;
  Targets(Index rows, Index atoms, Index responses)
      : weight(rows, atoms), y(rows * atoms, responses) {}
  Index atoms() const { return weight.cols(); }
};

class TargetFusion {
 public:
  TargetFusion(const Family& family, const Method& method, const MixOptions& options);

  Index atoms() const { return atoms_; }
  Index responses() const { return responses_; }

  // Writes target m; the stream is read only when the expectation is sampled.
  void fuse(double lambda, const double* y_i, const double* y_j, Stream& stream, Targets& targets,
            Index m) const;

 private:
  void fuse_classes(double lambda, const double* y_i, const double* y_j, Stream& stream,
                    double* weight, double* y) const;
  void fuse_reals(double lambda, const double* y_i, const double* y_j, Stream& stream,
                  double* weight, double* y) const;

  Family family_;
  bool plain_;  // mixup's own targets: straight interpolation, no kernel
  double beta_;
  Pooling pooling_;
  Expectation expectation_;
  Index responses_;
  Index classes_;
  Index atoms_;
};

}  // namespace probmix
