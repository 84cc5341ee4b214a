#include "probmix/mix/scalar_risk.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "probmix/mix/density.hpp"

namespace probmix {

namespace {

// The loss of pair b under the criterion; adds `factor` times its gradient into context.dphi.
template <class Density, class F, class Real>
double pair_loss(const DensityContext<F>& context, const RiskCall<Real>& call, Index b,
                 double factor) {
  const TargetsView& targets = call.targets;
  // Calls weigh(w_ka, log p̃_k(ỹ_a)), which returns r_ka, for every draw and atom.
  const auto sweep = [&](bool gradient, auto&& weigh) {
    for (Index m = b * call.draws; m < (b + 1) * call.draws; ++m) {
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
  const auto k = static_cast<double>(call.draws);
  if (call.criterion == Criterion::mean_log) {
    double loss = 0;
    sweep(call.wants_gradient(), [&](double w, double log_p) {
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
  if (call.wants_gradient()) {
    sweep(true, [&](double w, double log_p) { return w * std::exp(log_p - log_sum); });
  }
  return std::log(k) - log_sum;
}

template <class F, class Real>
double risk_of(const F& family, const RiskCall<Real>& call) {
  const View<const Real>& out = call.out;
  const Index naturals = family.naturals();
  Carve carve(call.memory);
  const View<double> phi{carve.take(out.rows * naturals), out.rows, naturals};
  const View<double> dphi{carve.take(out.rows * naturals), out.rows, naturals};
  double* const row = carve.take(out.cols);  // one output row and its gradient, in double
  double* const drow = carve.take(out.cols);
  const DensityContext<F> context{family, call.pairs, phi, dphi,
                                  carve.take(density_scratch(naturals))};

  for (Index r = 0; r < out.rows; ++r) {
    std::copy_n(out.row(r), out.cols, row);
    family.link(row, phi.row(r));
  }
  if (call.wants_gradient()) std::fill_n(dphi.data, dphi.size(), 0.0);

  const auto sum = [&]<class Density>(std::type_identity<Density>) {
    double total = 0;
    for (Index b = 0; b < call.pairs.count; ++b) {
      const double factor = call.pairs.factor(b);
      if (factor == 0) continue;
      total += factor * pair_loss<Density>(context, call, b, factor);
    }
    return total;
  };
  const double loss = !call.pairs.fused ? sum(std::type_identity<Single<F>>{})
                      : call.pooling == Pooling::log_linear
                          ? sum(std::type_identity<LogLinear<F>>{})
                          : sum(std::type_identity<LinearPool<F>>{});
  if (call.wants_gradient()) {
    for (Index r = 0; r < out.rows; ++r) {
      std::copy_n(out.row(r), out.cols, row);
      family.link_backward(row, dphi.row(r), drow);
      std::transform(drow, drow + out.cols, call.dout + r * out.cols,
                     [](double d) { return static_cast<Real>(d); });
    }
  }
  return loss;
}

}  // namespace

Index scalar_risk_memory(const Family& family, Index rows) {
  return std::visit(
      [&](const auto& f) {
        return 2 * rows * f.naturals() + 2 * f.outputs() + density_scratch(f.naturals());
      },
      family);
}

template <class Real>
double scalar_risk(const Family& family, const RiskCall<Real>& call) {
  return std::visit([&](const auto& f) { return risk_of(f, call); }, family);
}

template double scalar_risk(const Family&, const RiskCall<float>&);
template double scalar_risk(const Family&, const RiskCall<double>&);

}  // namespace probmix
