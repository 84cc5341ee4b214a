#include "probmix/mix/targets.hpp"

#include <algorithm>
#include <cmath>

#include "probmix/base/error.hpp"

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
      plain_(!method.probabilistic),
      beta_(method.probabilistic ? options.beta : 0),
      responses_(std::visit([](const auto& f) { return f.responses(); }, family)),
      classes_(std::visit([](const auto& f) { return f.classes(); }, family)) {
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
  }
}

void TargetFusion::fuse(double lambda, const double* y_i, const double* y_j, Stream& stream,
                        Targets& targets, Index m) const {
  double* const weight = targets.weight.row(m);
  double* const y = targets.y.row(m * atoms_);
  if (classes_ > 0) {
    fuse_classes(lambda, y_i, y_j, stream, weight, y);
  } else {
    fuse_reals(lambda, y_i, y_j, stream, weight, y);
  }
}

void TargetFusion::fuse_classes(double lambda, const double* y_i, const double* y_j, Stream& stream,
                                double* weight, double* y) const {
  const auto mass = [&](Index k) {
    const bool is_i = static_cast<double>(k) == *y_i;
    const bool is_j = static_cast<double>(k) == *y_j;
    if (pooling_ == Pooling::linear) {
      return lambda * (is_i ? 1 + beta_ : beta_) + (1 - lambda) * (is_j ? 1 + beta_ : beta_);
    }
    if (beta_ > 0) {
      return std::pow(is_i ? 1 + beta_ : beta_, lambda) *
             std::pow(is_j ? 1 + beta_ : beta_, 1 - lambda);
    }
    if (is_i && is_j) return 1.0;  // the limit β → 0
    return (is_i && lambda >= 0.5) || (is_j && lambda <= 0.5) ? 1.0 : 0.0;
  };
  double total = 0;
  for (Index k = 0; k < classes_; ++k) total += mass(k);

  if (expectation_ == Expectation::exact) {
    for (Index k = 0; k < classes_; ++k) {
      weight[k] = mass(k) / total;
      y[k] = static_cast<double>(k);
    }
    return;
  }
  double left = stream.uniform() * total;
  Index drawn = 0;
  for (Index k = 0; k < classes_; ++k) {
    const double p = mass(k);
    if (p == 0) continue;
    drawn = k;
    if (left < p) break;
    left -= p;
  }
  weight[0] = 1;
  y[0] = static_cast<double>(drawn);
}

void TargetFusion::fuse_reals(double lambda, const double* y_i, const double* y_j, Stream& stream,
                              double* weight, double* y) const {
  const double spread = std::sqrt(beta_);
  const auto fuse_in = [&](const auto& family) {
    // ỹ(r) when the fused mean is λ_y y_i + (1−λ_y) y_j and the noise is `noise`. The end points
    // are left as they are: going through the kernel coordinate would round them.
    const auto value = [&](double lambda_y, Index r, double noise) {
      if (noise == 0 && lambda_y == 1) return y_i[r];
      if (noise == 0 && lambda_y == 0) return y_j[r];
      if (plain_) return lambda_y * y_i[r] + (1 - lambda_y) * y_j[r];
      return family.from_kernel_coordinate(lambda_y * family.kernel_coordinate(y_i[r]) +
                                           (1 - lambda_y) * family.kernel_coordinate(y_j[r]) +
                                           spread * noise);
    };
    if (expectation_ == Expectation::sampled) {
      const double lambda_y = pooling_ == Pooling::log_linear ? lambda
                              : stream.uniform() < lambda     ? 1.0
                                                              : 0.0;
      weight[0] = 1;
      for (Index r = 0; r < responses_; ++r) {
        y[r] = value(lambda_y, r, beta_ > 0 ? stream.normal() : 0.0);
      }
      return;
    }
    const auto put = [&](double share, double lambda_y) {
      for (const Node& node : rule(beta_)) {
        *weight++ = share * node.weight;
        for (Index r = 0; r < responses_; ++r) *y++ = value(lambda_y, r, node.at);
      }
    };
    if (pooling_ == Pooling::log_linear) {
      put(1, lambda);
    } else {
      put(lambda, 1);
      put(1 - lambda, 0);
    }
  };
  std::visit(
      [&](const auto& family) {
        if constexpr (requires { family.kernel_coordinate(0.0); }) fuse_in(family);
      },
      family_);
}

}  // namespace probmix
