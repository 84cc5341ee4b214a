// The fused target ỹ ~ g^y_λ(s_β(·|y_i), s_β(·|y_j)) of a pair, as a few weighted atoms.
//
// Response kernels s_β:
//   real, positive, ... responses: N(·, β) in the family's kernel coordinate (identity, log,
//   logit); classes: P(k) ∝ 1[k = y] + β.
// Fusion of two kernels:
//   log-linear: N(λ v_i + (1−λ) v_j, β), or the normalised product of powers of the class
//               probabilities (β = 0: its limit, the majority label, and a tie at λ = ½);
//   linear:     λ s_i + (1−λ) s_j.
// An atom (family/zero_inflated.hpp) has no width; log-linearly, the larger weight decides between
// it and a number. The expectation over ỹ is one draw (one atom of weight 1), or exact: an atom for
// each class, or Gauss–Hermite nodes (exact for Gaussian, lognormal and Poisson statistics, to
// about 1e-7 for β <= 0.1 for those of gamma and beta). With β > 0 the nodes are refused where the
// loss is not a sum of statistics.
//
// mix and m-mix have no kernel: λ y_i + (1−λ) y_j for all but classes, soft labels for those.
#pragma once

#include "probmix/base/matrix.hpp"
#include "probmix/family/families.hpp"
#include "probmix/mix/method.hpp"
#include "probmix/mix/options.hpp"

namespace probmix {

// The atoms of many targets: target m has the weights weight(m, ·), which add up to 1, and the
// responses y(m * atoms + a, ·).
struct TargetsView {
  View<const double> weight;
  View<const double> y;

  Index atoms() const { return weight.cols; }
  // `rows` targets from number `first` on.
  TargetsView part(Index first, Index rows) const {
    return {{weight.row(first), rows, weight.cols},
            {y.row(first * atoms()), rows * atoms(), y.cols}};
  }
};

struct Targets {
  Matrix<double> weight;
  Matrix<double> y;

  Targets() = default;
  Targets(Index rows, Index atoms, Index responses)
      : weight(rows, atoms), y(rows * atoms, responses) {}
  Index atoms() const { return weight.cols(); }
  operator TargetsView() const { return {weight.view(), y.view()}; }
};

// Whose responses are fused: target m = b K + k is made of rows rows[b] and rows[partner[b]] of y,
// with lambda[m].
struct TargetPairs {
  Index count = 0;
  Index draws = 1;  // K
  View<const double> y;
  const Index* rows = nullptr;
  const Index* partner = nullptr;
  const double* lambda = nullptr;
};

// The random numbers of the targets; null where the fusion does not ask for them.
struct TargetNoise {
  const double* uniform = nullptr;  // on (0, 1), one for each target
  const float* normal = nullptr;    // standard, one for each response of each target
};

class TargetFusion {
 public:
  TargetFusion(const Family& family, const Method& method, const MixOptions& options);

  Index atoms() const { return atoms_; }
  Index responses() const { return responses_; }
  bool needs_uniform() const;
  bool needs_normal() const;

  // Writes targets 0 .. pairs.count · pairs.draws − 1.
  void operator()(const TargetPairs& pairs, const TargetNoise& noise, Targets& targets) const;

 private:
  struct ClassShares;

  void fuse_classes(const TargetPairs& pairs, const TargetNoise& noise, Targets& targets) const;
  template <class F>
  void fuse_reals(const F& family, const TargetPairs& pairs, const TargetNoise& noise,
                  Targets& targets) const;
  ClassShares class_shares(double lambda) const;

  Family family_;
  bool intervals_;  // the responses are pairs (low, high), which noise moves together
  bool plain_;      // mixup's own targets: straight interpolation, no kernel
  double beta_;
  Pooling pooling_;
  Expectation expectation_;
  Index responses_;
  Index classes_;
  Index atoms_;
};

}  // namespace probmix
