#include "probmix/mix/scalar_risk.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "probmix/mix/density.hpp"
#include "probmix/mix/risk.hpp"

namespace probmix {

namespace {

// The loss of pair b under the criterion; adds `factor` times its gradient into context.dphi.
template <class Fused, class F>
double pair_loss(const DensityContext<F>& context, const RiskCall<double>& call, Index b,
                 double factor) {
  const TargetsView& targets = call.targets;
  // Calls weigh(w_ka, log p̃_k(ỹ_a)), which returns r_ka, for every draw and atom.
  const auto sweep = [&](bool gradient, auto&& weigh) {
    for (Index m = b * call.draws; m < (b + 1) * call.draws; ++m) {
      Fused density(context, b, m);
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

template <class F>
double risk_of(const F& family, const RiskCall<double>& call) {
  const View<const double>& out = call.out;
  const Index parameters = family.parameters();
  Carve carve(call.memory);
  const View<double> phi{carve.take(out.rows * parameters), out.rows, parameters};
  const View<double> dphi{carve.take(out.rows * parameters), out.rows, parameters};
  const DensityContext<F> context{family, call.pairs, phi, dphi,
                                  carve.take(density_scratch(parameters))};

  for (Index r = 0; r < out.rows; ++r) family.link(out.row(r), phi.row(r));
  if (call.wants_gradient()) std::fill_n(dphi.data, dphi.size(), 0.0);

  const auto sum = [&]<class Fused>(std::type_identity<Fused>) {
    double total = 0;
    for (Index b = 0; b < call.pairs.count; ++b) {
      const double factor = call.pairs.factor(b);
      if (factor == 0) continue;
      total += factor * pair_loss<Fused>(context, call, b, factor);
    }
    return total;
  };
  const auto fused_loss = [&] {
    if (!call.pairs.fused) return sum(std::type_identity<Single<F>>{});
    if (call.pooling == Pooling::linear) return sum(std::type_identity<LinearPool<F>>{});
    if constexpr (ExponentialFamily<F>) return sum(std::type_identity<LogLinear<F>>{});
    throw_not_poolable(family.name);
  };
  const double loss = fused_loss();
  if (call.wants_gradient()) {
    for (Index r = 0; r < out.rows; ++r) {
      family.link_backward(out.row(r), dphi.row(r), call.dout + r * out.cols);
    }
  }
  return loss;
}

}  // namespace

Index scalar_risk_memory(const Family& family, Index rows) {
  return std::visit(
      [&](const auto& f) {
        return 2 * rows * (f.parameters() + f.outputs()) + density_scratch(f.parameters());
      },
      family);
}

template <>
double scalar_risk(const Family& family, const RiskCall<double>& call) {
  return std::visit([&](const auto& f) { return risk_of(f, call); }, family);
}

// Through outputs in double: the templates of all families are compiled for one precision.
template <>
double scalar_risk(const Family& family, const RiskCall<float>& call) {
  const Index size = call.out.size();
  Carve carve(call.memory);
  double* const out = carve.take(size);
  double* const dout = carve.take(size);
  std::copy_n(call.out.data, size, out);
  const double loss =
      scalar_risk(family, RiskCall<double>{call.pooling, call.criterion, call.draws,
                                           View<const double>{out, call.out.rows, call.out.cols},
                                           call.pairs, call.targets,
                                           call.wants_gradient() ? dout : nullptr, carve.take(0)});
  if (call.wants_gradient()) {
    std::transform(dout, dout + size, call.dout, [](double d) { return static_cast<float>(d); });
  }
  return loss;
}

}  // namespace probmix
