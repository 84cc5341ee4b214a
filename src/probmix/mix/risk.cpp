#include "probmix/mix/risk.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace probmix {

namespace {

// The loss of pair b under the criterion; adds `factor` times its gradient into context.dphi.
template <class Density, class F>
double pair_loss(const DensityContext<F>& context, Criterion criterion, Index draws, Index b,
                 const Targets& targets, double factor, bool wants_gradient) {
  // Calls weigh(w_ka, log p̃_k(ỹ_a)), which returns r_ka, for every draw and atom.
  const auto sweep = [&](bool gradient, auto&& weigh) {
    for (Index m = b * draws; m < (b + 1) * draws; ++m) {
      Density density(context, b, m);
      for (Index a = 0; a < targets.atoms(); ++a) {
        const double w = targets.weight(m, a);
        if (w == 0) continue;
        const double* const y = targets.y.row(m * targets.atoms() + a);
        const double r = weigh(w, density.log_density(y));
        if (gradient) density.gather(r, y);
      }
      if (gradient) density.add_gradient(factor);
    }
  };
  const auto k = static_cast<double>(draws);
  if (criterion == Criterion::mean_log) {
    double loss = 0;
    sweep(wants_gradient, [&](double w, double log_p) {
      loss -= w / k * log_p;
      return w / k;
    });
    return loss;
  }
  double log_sum = -std::numeric_limits<double>::infinity();
  sweep(false, [&](double w, double log_p) {
    log_sum = log_add(log_sum, std::log(w) + log_p);
    return 0.0;
  });
  if (wants_gradient) {
    sweep(true, [&](double w, double log_p) { return w * std::exp(log_p - log_sum); });
  }
  return std::log(k) - log_sum;
}

}  // namespace

Risk::Risk(const Family& family, Pooling pooling, Criterion criterion, int draws, Index max_rows)
    : family_(family),
      pooling_(pooling),
      criterion_(criterion),
      draws_(draws),
      naturals_(std::visit([](const auto& f) { return f.naturals(); }, family)),
      phi_(max_rows, naturals_),
      dphi_(max_rows, naturals_),
      scratch_(static_cast<std::size_t>(density_scratch(naturals_))),
      row_(static_cast<std::size_t>(
          2 * std::visit([](const auto& f) { return f.outputs(); }, family))) {}

template <class Real>
double Risk::operator()(View<const Real> out, const Pairs& pairs, Index count,
                        const Targets& targets, const double* weight, Real* dout) {
  const auto run = [&](const auto& family) {
    using F = std::decay_t<decltype(family)>;
    double* const row = row_.data();
    double* const drow = row + out.cols;
    for (Index r = 0; r < out.rows; ++r) {
      std::copy_n(out.row(r), out.cols, row);
      family.link(row, phi_.row(r));
    }
    const bool wants_gradient = dout != nullptr;
    if (wants_gradient) std::fill_n(dphi_.data(), out.rows * naturals_, 0.0);

    const DensityContext<F> context{family, pairs, phi_, dphi_, scratch_.data()};
    const auto mean_loss = [&]<class Density>(std::type_identity<Density>) {
      double total = 0;
      for (Index b = 0; b < count; ++b) {
        const double factor = (weight == nullptr ? 1.0 : weight[b]) / static_cast<double>(count);
        if (factor == 0) continue;
        total += factor * pair_loss<Density>(context, criterion_, draws_, b, targets, factor,
                                             wants_gradient);
      }
      return total;
    };
    const double loss = !pairs.fused ? mean_loss(std::type_identity<Single<F>>{})
                        : pooling_ == Pooling::log_linear
                            ? mean_loss(std::type_identity<LogLinear<F>>{})
                            : mean_loss(std::type_identity<LinearPool<F>>{});
    if (wants_gradient) {
      for (Index r = 0; r < out.rows; ++r) {
        std::copy_n(out.row(r), out.cols, row);
        family.link_backward(row, dphi_.row(r), drow);
        std::transform(drow, drow + out.cols, dout + r * out.cols,
                       [](double d) { return static_cast<Real>(d); });
      }
    }
    return loss;
  };
  return std::visit(run, family_);
}

template double Risk::operator()(View<const float>, const Pairs&, Index, const Targets&,
                                 const double*, float*);
template double Risk::operator()(View<const double>, const Pairs&, Index, const Targets&,
                                 const double*, double*);

}  // namespace probmix
