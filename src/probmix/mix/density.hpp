// The densities whose risk is taken, while their gradient is gathered: a member of the family as it
// is, two members pooled log-linearly, or two pooled linearly. One draw of one pair at a time.
//
// All three offer
//   log_density(y)      log p̃(y)
//   gather(r, y)        notes the weight r of the y that log_density was just called with
//   add_gradient(c)     dphi += c · ∂/∂φ Σ r (−log p̃(y)), for the rows of φ that p̃ is made of
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "probmix/base/matrix.hpp"
#include "probmix/family/exponential.hpp"
#include "probmix/mix/risk_call.hpp"

namespace probmix {

// What the densities of a call have in common.
template <class F>
struct DensityContext {
  const F& family;
  const Pairs& pairs;
  View<const double> phi;  // parameters of the output rows
  View<double> dphi;
  double* scratch;  // density_scratch(parameters) numbers
};

inline Index density_scratch(Index parameters) { return 4 * parameters; }

inline double log_add(double a, double b) {
  if (a == b) return a + std::numbers::ln2;  // also for −∞ twice; a NaN goes through what follows
  return std::max(a, b) + std::log1p(std::exp(-std::abs(a - b)));
}

// One member of the family; scratch: 2 parameters.
template <Density F>
class Member {
 public:
  Member(const F& family, const double* phi, double* scratch)
      : family_(family), phi_(phi), gradient_(scratch) {
    std::fill_n(gradient_, family.parameters(), 0.0);
  }

  double log_density(const double* y) const { return family_.log_density(phi_, y); }
  void gather(double r, const double* y) { family_.add_gradient(-r, phi_, y, gradient_); }
  const double* gradient() { return gradient_; }

 private:
  const F& family_;
  const double* phi_;
  double* gradient_;
};

// A(φ) and its gradient are computed once for all y; only the statistics of the y are gathered.
template <ExponentialFamily F>
class Member<F> {
 public:
  Member(const F& family, const double* phi, double* scratch)
      : family_(family),
        phi_(phi),
        log_normaliser_(family.log_normaliser(phi)),
        statistic_(scratch),
        gradient_(scratch + family.parameters()) {
    std::fill_n(statistic_, family.parameters(), 0.0);
  }

  double log_density(const double* y) const {
    return family_.log_density(phi_, log_normaliser_, y);
  }

  void gather(double r, const double* y) {
    total_ += r;
    family_.add_statistic(r, y, statistic_);
  }

  // Σ r (∇A(φ) − T(y)).
  const double* gradient() {
    family_.mean_statistic(phi_, gradient_);
    for (int c = 0; c < family_.parameters(); ++c) {
      gradient_[c] = total_ * gradient_[c] - statistic_[c];
    }
    return gradient_;
  }

 private:
  const F& family_;
  const double* phi_;
  double log_normaliser_;
  double* statistic_;
  double* gradient_;
  double total_ = 0;
};

inline void add_scaled(double factor, const double* x, double* y, Index n) {
  for (Index c = 0; c < n; ++c) y[c] += factor * x[c];
}

template <class F>
class Single {
 public:
  Single(const DensityContext<F>& context, Index /*b*/, Index m)
      : context_(context), m_(m), member_(context.family, context.phi.row(m), context.scratch) {}

  double log_density(const double* y) { return member_.log_density(y); }
  void gather(double r, const double* y) { member_.gather(r, y); }
  void add_gradient(double factor) {
    add_scaled(factor, member_.gradient(), context_.dphi.row(m_), context_.family.parameters());
  }

 private:
  const DensityContext<F>& context_;
  Index m_;
  Member<F> member_;
};

// Log-linear pooling is a straight line in natural parameters: φ̃ = λ φ_i + (1−λ) φ_j.
inline void pool_log_linear(double lambda, const double* phi_i, const double* phi_j,
                            Index parameters, double* phi) {
  for (Index c = 0; c < parameters; ++c) phi[c] = lambda * phi_i[c] + (1 - lambda) * phi_j[c];
}

template <ExponentialFamily F>
class LogLinear {
 public:
  LogLinear(const DensityContext<F>& context, Index b, Index m)
      : context_(context),
        i_(b),
        j_(context.pairs.partner[b]),
        lambda_(context.pairs.lambda[m]),
        member_(context.family, fuse(), context.scratch) {}

  double log_density(const double* y) { return member_.log_density(y); }
  void gather(double r, const double* y) { member_.gather(r, y); }
  void add_gradient(double factor) {
    const double* const gradient = member_.gradient();
    const Index n = context_.family.parameters();
    add_scaled(factor * lambda_, gradient, context_.dphi.row(i_), n);
    add_scaled(factor * (1 - lambda_), gradient, context_.dphi.row(j_), n);
  }

 private:
  const double* fuse() const {
    const Index n = context_.family.parameters();
    double* const fused = context_.scratch + 2 * n;
    pool_log_linear(lambda_, context_.phi.row(i_), context_.phi.row(j_), n, fused);
    return fused;
  }

  const DensityContext<F>& context_;
  Index i_;
  Index j_;
  double lambda_;
  Member<F> member_;
};

// p̃ = λ p_i + (1−λ) p_j. The gradient of a member is weighted with its share of p̃(y).
template <class F>
class LinearPool {
 public:
  LinearPool(const DensityContext<F>& context, Index b, Index m)
      : context_(context),
        i_(b),
        j_(context.pairs.partner[b]),
        log_lambda_(std::log(context.pairs.lambda[m])),
        log_rest_(std::log1p(-context.pairs.lambda[m])),
        member_i_(context.family, context.phi.row(i_), context.scratch),
        member_j_(context.family, context.phi.row(j_),
                  context.scratch + 2 * context.family.parameters()) {}

  double log_density(const double* y) {
    const double log_i = log_lambda_ + member_i_.log_density(y);
    const double log_j = log_rest_ + member_j_.log_density(y);
    const double log_mixture = log_add(log_i, log_j);
    share_i_ = std::exp(log_i - log_mixture);
    share_j_ = std::exp(log_j - log_mixture);
    return log_mixture;
  }
  void gather(double r, const double* y) {
    member_i_.gather(r * share_i_, y);
    member_j_.gather(r * share_j_, y);
  }
  void add_gradient(double factor) {
    const Index n = context_.family.parameters();
    add_scaled(factor, member_i_.gradient(), context_.dphi.row(i_), n);
    add_scaled(factor, member_j_.gradient(), context_.dphi.row(j_), n);
  }

 private:
  const DensityContext<F>& context_;
  Index i_;
  Index j_;
  double log_lambda_;
  double log_rest_;
  Member<F> member_i_;
  Member<F> member_j_;
  double share_i_ = 0;
  double share_j_ = 0;
};

}  // namespace probmix
