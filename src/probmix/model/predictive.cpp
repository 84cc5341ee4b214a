#include "probmix/model/predictive.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "probmix/metric/crps.hpp"

namespace probmix {

Predictive::Predictive(const Target& target, const Family& family, View<const float> out,
                       std::span<const double> weights)
    : target_(target),
      mixture_(std::visit([&](const auto& f) ->
                          typename Mixtures<Family>::type { return Mixture(f, out, weights); },
                          family)) {}

bool Predictive::is_finite() const {
  const auto all_finite = [](const std::vector<double>& values) {
    return std::ranges::all_of(values, [](double v) { return std::isfinite(v); });
  };
  return all_finite(means()) && all_finite(variance_parts().sum());
}

// The only calls of these members of all mixtures: each call compiles them for every family.
std::vector<double> Predictive::means() const {
  return std::visit([](const auto& m) { return m.mean(); }, mixture_);
}

VarianceParts Predictive::variance_parts() const {
  return std::visit([](const auto& m) { return m.variance_parts(); }, mixture_);
}

double Predictive::mean(Index k) const { return in_units(k, means()[to_size(k)]); }

double Predictive::deviation(Index k) const {
  return target_.scale[to_size(k)] * std::sqrt(variance_parts().sum()[to_size(k)]);
}

double Predictive::data_deviation(Index k) const {
  return target_.scale[to_size(k)] * std::sqrt(variance_parts().within[to_size(k)]);
}

double Predictive::model_deviation(Index k) const {
  return target_.scale[to_size(k)] * std::sqrt(variance_parts().between[to_size(k)]);
}

double Predictive::quantile(Index k, double u) const {
  return in_units(
      k, std::visit([&](const auto& m) { return m.quantile(static_cast<int>(k), u); }, mixture_));
}

double Predictive::cdf(Index k, double y) const {
  return std::visit([&](const auto& m) { return m.cdf(static_cast<int>(k), scaled(k, y)); },
                    mixture_);
}

double Predictive::log_density(Index k, double y) const {
  const double v = scaled(k, y);
  const double log_p = std::visit(
      [&](const auto& m) {
        const bool is_possible = m.family().responses() > 1 || m.family().in_support(&v);
        return is_possible ? m.log_density(static_cast<int>(k), v)
                           : -std::numeric_limits<double>::infinity();
      },
      mixture_);
  return log_p - std::log(target_.scale[to_size(k)]);
}

double Predictive::log_probability(Index k, double low, double high) const {
  return std::log(std::max(cdf(k, high) - cdf(k, low), std::numeric_limits<double>::min()));
}

double Predictive::crps(Index k, double y) const {
  const double v = scaled(k, y);
  return target_.scale[to_size(k)] *
         std::visit([&](const auto& m) { return probmix::crps(m, static_cast<int>(k), v); },
                    mixture_);
}

double Predictive::log_density_of_scaled(const double* y) const {
  return std::visit(
      [&](const auto& m) {
        return target_.is_censored() ? m.log_likelihood({y[0], y[1]}) : m.log_density(y);
      },
      mixture_);
}

std::vector<double> Predictive::probabilities() const {
  std::vector<double> p = means();
  if (p.size() == 1) p = {1 - p[0], p[0]};
  return p;
}

void Predictive::sample(Stream& stream, double* y) const {
  std::visit([&](const auto& m) { m.sample(stream, y); }, mixture_);
  for (Index k = 0; k < std::ssize(target_.names); ++k) y[k] = in_units(k, y[k]);
}

}  // namespace probmix
