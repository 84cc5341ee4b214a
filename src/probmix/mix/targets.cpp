#include "probmix/mix/targets.hpp"

#include <algorithm>
#include <cmath>

#include "probmix/base/error.hpp"
#include "probmix/mix/risk.hpp"

namespace probmix {

namespace {

// Seven-point Gauss–Hermite rule for N(0, 1): exact for polynomials up to degree 13.
struct Node {
  double at, weight;
};
constexpr Node nodes[] = {
    {-3.7504397177257422, 5.4826885597221775e-4}, {-2.3667594107345415, 3.0757123967586497e-2},
    {-1.1544053947399682, 2.4012317860501272e-1}, {0.0, 4.5714285714285714e-1},
    {1.1544053947399682, 2.4012317860501272e-1},  {2.3667594107345415, 3.0757123967586497e-2},
    {3.7504397177257422, 5.4826885597221775e-4}};
constexpr Node point[] = {{0.0, 1.0}};

std::span<const Node> rule(double beta) {
  return beta > 0 ? std::span<const Node>(nodes) : std::span<const Node>(point);
}

}  // namespace

TargetFusion::TargetFusion(const Family& family, const Method& method, const MixOptions& options)
    : family_(family),
      intervals_(has_intervals(family)),
      plain_(!method.probabilistic),
      beta_(method.probabilistic ? options.beta : 0),
      responses_(std::visit([](const auto& f) { return f.responses(); }, family)),
      classes_(std::visit([](const auto& f) { return f.classes(); }, family)) {
  if (method.site == Site::response) check_poolable(family, options.pooling);
  // Mixup's own targets: the straight line between two numbers, or between two one-hot vectors.
  const Pooling plain = classes_ > 0 ? Pooling::linear : Pooling::log_linear;
  const Pooling usual = classes_ > 0 && beta_ == 0 ? plain : options.pooling;
  pooling_ = method.probabilistic ? options.target_pooling.value_or(usual) : plain;
  expectation_ =
      options.expectation.value_or(classes_ > 0 ? Expectation::exact : Expectation::sampled);
  if (!method.probabilistic) expectation_ = Expectation::exact;

  if (expectation_ == Expectation::sampled) {
    atoms_ = 1;
  } else if (classes_ > 0) {
    atoms_ = classes_;
  } else {
    atoms_ = static_cast<Index>(rule(beta_).size()) * (pooling_ == Pooling::linear ? 2 : 1);
    // Only then is the loss a sum of statistics of the target, which a few nodes integrate.
    const bool sums_statistics =
        (method.site != Site::response || options.pooling == Pooling::log_linear) &&
        options.criterion == Criterion::mean_log;
    check_usage(beta_ == 0 || sums_statistics,
                "the exact expectation with beta > 0 needs the mean-log criterion and, where "
                "responses are fused, log-linear pooling; use the sampled expectation");
    check_usage(beta_ == 0 || is_exponential(family),
                "the exact expectation with beta > 0 needs an exponential family, which the {} "
                "density is not; use the sampled expectation",
                family_name(family));
    check_usage(beta_ == 0 || has_separate_responses(family),
                "the exact expectation with beta > 0 takes each target by itself, which does not "
                "suit the {} family; use the sampled expectation",
                family_name(family));
  }
}

bool TargetFusion::needs_uniform() const {
  return expectation_ == Expectation::sampled && (classes_ > 0 || pooling_ == Pooling::linear);
}

bool TargetFusion::needs_normal() const {
  return expectation_ == Expectation::sampled && classes_ == 0 && beta_ > 0;
}

void TargetFusion::operator()(const TargetPairs& pairs, const TargetNoise& noise,
                              Targets& targets) const {
  if (classes_ > 0) return fuse_classes(pairs, noise, targets);
  std::visit([&](const auto& family) { fuse_reals(family, pairs, noise, targets); }, family_);
}

template <class F>
void TargetFusion::fuse_reals(const F& family, const TargetPairs& pairs, const TargetNoise& noise,
                              Targets& targets) const {
  const double spread = std::sqrt(beta_);
  const bool plain = plain_;
  const bool noisy = needs_normal();
  const Index responses = responses_;
  const double* const lambda = pairs.lambda;
  // Linear: around one of the two.
  const auto perturbed = [&](double y, double normal) {
    return normal == 0
               ? y
               : from_kernel_coordinate(family, kernel_coordinate(family, y) + spread * normal);
  };
  // Log-linear: around λ y_i + (1−λ) y_j. The end points are left as they are: going through the
  // kernel coordinate would round them.
  const auto fused = [&](double l, double y_i, double y_j, double normal) {
    if (normal == 0 && l == 1) return y_i;
    if (normal == 0 && l == 0) return y_j;
    if (plain) return l * y_i + (1 - l) * y_j;
    if constexpr (has_atom<F>) {  // an atom and a density share no mass: the majority decides
      if (y_i == 0 || y_j == 0) return perturbed(l < 0.5 ? y_j : y_i, normal);
    }
    return from_kernel_coordinate(family, l * kernel_coordinate(family, y_i) +
                                              (1 - l) * kernel_coordinate(family, y_j) +
                                              spread * normal);
  };
  const auto for_pairs = [&](auto&& use) {
    const TargetPairs of = pairs;
    for (Index b = 0; b < of.count; ++b) {
      use(b, of.y.row(of.rows[b]), of.y.row(of.rows[of.partner[b]]));
    }
  };
  const auto for_targets = [&](auto&& fuse) {
    if (pairs.draws == 1) return for_pairs(fuse);
    for_pairs([&](Index b, const double* y_i, const double* y_j) {
      for (Index m = b * pairs.draws; m < (b + 1) * pairs.draws; ++m) fuse(m, y_i, y_j);
    });
  };

  if (atoms_ == 1) {  // drawn, or no kernel to integrate over
    std::fill_n(targets.weight.data(), pairs.count * pairs.draws, 1.0);
    double* const y = targets.y.data();
    const Index second = intervals_ ? 1 : 0;
    const auto normal = [&](Index at) {
      return noisy ? double{noise.normal[at - (at & second)]} : 0.0;
    };
    if (pooling_ == Pooling::log_linear && responses == 1) {  // the everyday case
      for_targets([&](Index m, const double* y_i, const double* y_j) {
        y[m] = fused(lambda[m], *y_i, *y_j, normal(m));
      });
    } else if (pooling_ == Pooling::log_linear) {
      for_targets([&](Index m, const double* y_i, const double* y_j) {
        for (Index r = 0, at = m * responses; r < responses; ++r, ++at) {
          y[at] = fused(lambda[m], y_i[r], y_j[r], normal(at));
        }
      });
    } else {
      for_targets([&](Index m, const double* y_i, const double* y_j) {
        const double* const picked = noise.uniform[m] < lambda[m] ? y_i : y_j;
        for (Index r = 0, at = m * responses; r < responses; ++r, ++at) {
          y[at] = perturbed(picked[r], normal(at));
        }
      });
    }
    return;
  }
  // An atom for each node of the rule, around the fused mean or around both responses.
  for_targets([&](Index m, const double* y_i, const double* y_j) {
    double* weight = targets.weight.row(m);
    double* y = targets.y.row(m * atoms_);
    const auto put = [&](double share, auto&& value) {
      for (const Node& node : rule(beta_)) {
        *weight++ = share * node.weight;
        for (Index r = 0; r < responses; ++r) *y++ = value(r, node.at);
      }
    };
    const double l = lambda[m];
    if (pooling_ == Pooling::log_linear) {
      put(1, [&](Index r, double at) { return fused(l, y_i[r], y_j[r], at); });
    } else {
      put(l, [&](Index r, double at) { return perturbed(y_i[r], at); });
      put(1 - l, [&](Index r, double at) { return perturbed(y_j[r], at); });
    }
  });
}

}  // namespace probmix
