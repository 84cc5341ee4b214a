// The parameter points at which the shared suite tests each family. A family of the list without
// Cases here does not compile, so none can go untested.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "probmix/family/families.hpp"

namespace probmix::test {

struct Point {
  FamilyOptions options;
  std::vector<double> out;
};

// points(): every test, quadrature and sampling included. extremes(): those that need no
// quadrature. jacobian(y) = dy/dv of the kernel coordinate v, for continuous families.
// valid(), invalid(): responses inside and outside the support.
template <class F>
struct Cases;

inline FamilyOptions with_responses(int d, bool homoscedastic = false) {
  FamilyOptions options;
  options.responses = d;
  options.homoscedastic = homoscedastic;
  return options;
}

inline FamilyOptions with_classes(int c) {
  FamilyOptions options;
  options.classes = c;
  return options;
}

inline FamilyOptions with_softplus(double floor) {
  FamilyOptions options;
  options.positive = {Positive::Kind::softplus, floor};
  return options;
}

inline FamilyOptions with_components(int k) {
  FamilyOptions options;
  options.components = k;
  return options;
}

template <>
struct Cases<Gaussian> {
  static std::vector<Point> points() {
    return {{{}, {0, 0}},
            {{}, {-1.7, 2.3}},
            {{}, {40, -6}},
            {with_softplus(3e-3), {0.4, -1.5}},
            {with_responses(2), {0.3, -2, -1, 1.4}},
            {with_responses(2, true), {0.3, -2, -1}}};
  }
  static std::vector<Point> extremes() {
    return {{{}, {3, -30}}, {{}, {-1e3, 16}}, {with_responses(3), {1, 2, 3, -20, 0, 20}}};
  }
  static std::vector<double> valid() { return {0, -3.5, 1e300}; }
  static std::vector<double> invalid() { return {NAN, INFINITY, -INFINITY}; }
  static double jacobian(double) { return 1; }
};

// The last outputs make responses depend on each other.
template <>
struct Cases<GaussianFull> {
  static std::vector<Point> points() {
    return {{{}, {-1.7, 2.3}},
            {with_responses(2), {0.3, -2, -1, 1.4, 0}},
            {with_responses(2), {0.3, -2, -1, 1.4, 1.3}},
            {with_responses(2), {-1, 0.5, 0.2, -0.4, -2}},
            {with_responses(2, true), {0.3, -2, -1, 0.5, -0.7}}};
  }
  static std::vector<Point> extremes() {
    return {{with_responses(2), {0.01, 2, -9, 20, 1.5}},
            {with_responses(3), {1, 2, 3, -2, 0, 1, 2, -1.5, 1}},
            {with_responses(4), {0.1, -1, 2, 0.7, 0, 1, -1, 0.5, 0.9, -0.4, 1.5, 0.3, -1.1, 0.6}}};
  }
  static std::vector<double> valid() { return {0, -3.5, 1e300}; }
  static std::vector<double> invalid() { return {NAN, INFINITY, -INFINITY}; }
  static double jacobian(double) { return 1; }
};

template <>
struct Cases<Categorical> {
  static std::vector<Point> points() {
    return {{with_classes(2), {0, 0}},
            {with_classes(3), {0.2, -1.1, 2.5}},
            {with_classes(5), {-3, 1, 0, 4, 2}}};
  }
  static std::vector<Point> extremes() {
    return {{with_classes(3), {800, -800, 0}}, {with_classes(3), {-1e5, -1e5, -1e5 - 30}}};
  }
  static std::vector<double> valid() { return {0, 1}; }
  static std::vector<double> invalid() { return {-1, 0.5, 2, 5, NAN, INFINITY}; }
};

template <>
struct Cases<Bernoulli> {
  static std::vector<Point> points() { return {{{}, {0}}, {{}, {-2.2}}, {{}, {3.1}}}; }
  static std::vector<Point> extremes() { return {{{}, {40}}, {{}, {-700}}, {{}, {1e5}}}; }
  static std::vector<double> valid() { return {0, 1}; }
  static std::vector<double> invalid() { return {-1, 0.5, 2, NAN, INFINITY}; }
};

template <>
struct Cases<Poisson> {
  static std::vector<Point> points() {
    return {{{}, {0}}, {{}, {-3}}, {{}, {1.3}}, {{}, {4.6}}, {{}, {9}}};
  }
  static std::vector<Point> extremes() { return {{{}, {-300}}, {{}, {14}}, {{}, {30}}}; }
  static std::vector<double> valid() { return {0, 1, 2, 1e9}; }
  static std::vector<double> invalid() { return {-1, 0.5, NAN, INFINITY}; }
};

template <>
struct Cases<Gamma> {
  static std::vector<Point> points() {
    return {{{}, {0, 0}},
            {{}, {3, -2}},
            {{}, {-4, 1.5}},
            {{}, {1, 6}},
            {with_softplus(1e-2), {2, 0.5}}};
  }
  static std::vector<Point> extremes() { return {{{}, {0, -30}}, {{}, {25, 14}}, {{}, {-20, 3}}}; }
  static std::vector<double> valid() { return {1e-300, 0.5, 1e300}; }
  static std::vector<double> invalid() { return {0, -1, NAN, INFINITY}; }
  static double jacobian(double y) { return y; }
};

// Double has few numbers just below 1, so shapes b < 1 leave mass that quadrature cannot see.
template <>
struct Cases<Beta> {
  static std::vector<Point> points() {
    return {{{}, {0, 1}},
            {{}, {-1.5, 0.7}},
            {{}, {0.8, 4}},
            {{}, {-3, 6}},
            {with_softplus(1e-2), {-0.5, 2}}};
  }
  static std::vector<Point> extremes() { return {{{}, {0, -30}}, {{}, {-200, 1}}, {{}, {12, 14}}}; }
  static std::vector<double> valid() { return {1e-300, 0.5, 1 - 1e-16}; }
  static std::vector<double> invalid() { return {0, 1, -0.1, 1.1, NAN, INFINITY}; }
  static double jacobian(double y) { return y * (1 - y); }
};

// Heavier tails than these leave moments that quadrature cannot see.
template <>
struct Cases<StudentT> {
  static std::vector<Point> points() {
    return {{{}, {0, 0, 6}},
            {{}, {-1.7, 2.3, 7}},
            {{}, {4, -3, 8}},
            {with_softplus(3e-3), {0.4, -1.5, 8}},
            {with_responses(2), {0.3, -2, -1, 1.4, 7, 9}}};
  }
  static std::vector<Point> extremes() {
    return {{{}, {3, -30, -40}}, {{}, {-1e3, 16, 700}}, {{}, {1, 2, 1e5}}};
  }
  static std::vector<double> valid() { return {0, -3.5, 1e150}; }
  static std::vector<double> invalid() { return {NAN, INFINITY, -INFINITY}; }
  static double jacobian(double) { return 1; }
};

template <>
struct Cases<Lognormal> {
  static std::vector<Point> points() {
    return {{{}, {0, 0}},
            {{}, {2, -3}},
            {{}, {-4, -1.5}},
            {{}, {1, -9}},
            {with_softplus(1e-2), {0.4, -0.5}}};
  }
  static std::vector<Point> extremes() { return {{{}, {3, -30}}, {{}, {-30, 3}}, {{}, {40, 2}}}; }
  static std::vector<double> valid() { return {1e-300, 0.5, 1e300}; }
  static std::vector<double> invalid() { return {0, -1, NAN, INFINITY}; }
  static double jacobian(double y) { return y; }
};

// The sizes r are about 1, below, and far above the mean, where it is practically Poisson.
template <>
struct Cases<NegativeBinomial> {
  static std::vector<Point> points() {
    return {{{}, {0, 0}}, {{}, {-2, -1}}, {{}, {1.3, 1}},
            {{}, {4, 2}}, {{}, {2, 12}},  {with_softplus(1e-2), {1, 0.5}}};
  }
  static std::vector<Point> extremes() {
    return {{{}, {-300, 1}}, {{}, {14, 3}}, {{}, {5, 30}}, {{}, {1, -40}}, {{}, {30, 30}}};
  }
  static std::vector<double> valid() { return {0, 1, 2, 1e9}; }
  static std::vector<double> invalid() { return {-1, 0.5, NAN, INFINITY}; }
};

// The points of the base, with rising shares of extra zeros. Without those of large rates, where
// the third derivative spoils the differences.
template <class Base>
struct Cases<ZeroInflated<Base>> {
  static std::vector<Point> points() { return inflated(Cases<Base>::points(), {-3, 0, 1.5}); }
  static std::vector<Point> extremes() { return inflated(Cases<Base>::extremes(), {-60, 40}); }
  static std::vector<double> valid() {
    auto values = Cases<Base>::valid();
    values.push_back(0);
    return values;
  }
  static std::vector<double> invalid() {
    auto values = Cases<Base>::invalid();
    std::erase(values, 0.0);
    return values;
  }
  static double jacobian(double y) requires(!Base::discrete) { return Cases<Base>::jacobian(y); }

 private:
  static std::vector<Point> inflated(std::vector<Point> points, const std::vector<double>& logits) {
    std::erase_if(points, [](const Point& point) { return Base::discrete && point.out[0] > 5; });
    std::size_t k = 0;
    for (Point& point : points) point.out.push_back(logits[k++ % logits.size()]);
    return points;
  }
};

template <>
struct Cases<GaussianMixture> {
  static std::vector<Point> points() {
    return {{{}, {0, 0, 0, 0, 0, 0, 0, 0, 0}},
            {{}, {-1.7, 2.3, 0.4, 1, -1, 0.2, 0.5, -2, 1}},
            {with_components(1), {1, -2, 5}},
            {with_components(2), {-0.5, 3, -2, 0.5, 1, -1}},
            {with_softplus(3e-3), {0.4, 1, -3, -1.5, 1, 0, 3, 1, -2}}};
  }
  static std::vector<Point> extremes() {
    return {{with_components(2), {3, -1e3, -30, 16, 0, 4}},
            {with_components(2), {1, 2, 0, 1, 800, -800}}};
  }
  static std::vector<double> valid() { return {0, -3.5, 1e150}; }
  static std::vector<double> invalid() { return {NAN, INFINITY, -INFINITY}; }
  static double jacobian(double) { return 1; }
};

// A family at a point, with φ and, for an exponential family, A(φ).
template <class F>
struct Placed {
  F family;
  std::vector<double> out;
  std::vector<double> phi;
  double log_normaliser = 0;

  explicit Placed(const Point& point)
      : family(F().make(point.options)),
        out(point.out),
        phi(static_cast<std::size_t>(family.parameters())) {
    family.link(out.data(), phi.data());
    if constexpr (ExponentialFamily<F>) log_normaliser = family.log_normaliser(phi.data());
  }

  double log_density(const double* y) const { return probmix::log_density(family, phi.data(), y); }
  double cdf(int column, double y) const { return family.cdf(phi.data(), column, y); }
  double quantile(int column, double u) const { return family.quantile(phi.data(), column, u); }

  // The quantile of the part that has a density.
  double smooth_quantile(int column, double u) const {
    if constexpr (has_atom<F>) return family.base.quantile(phi.data(), column, u);
    return quantile(column, u);
  }

  // A response with every column at its quantile u.
  std::vector<double> response(double u) const {
    std::vector<double> y(static_cast<std::size_t>(family.responses()));
    for (int k = 0; k < family.responses(); ++k) y[static_cast<std::size_t>(k)] = quantile(k, u);
    return y;
  }

  std::string text() const { return fmt::format("{} at ({})", family.name, fmt::join(out, ", ")); }
};

template <class F>
std::vector<Placed<F>> place(const std::vector<Point>& points) {
  return {points.begin(), points.end()};
}

template <class F>
std::vector<Placed<F>> all_points() {
  auto points = Cases<F>::points();
  for (const auto& extreme : Cases<F>::extremes()) points.push_back(extreme);
  return place<F>(points);
}

// From the one list; its last entry is a density of the program (added_family_test.cpp).
template <class Numbers>
struct TestTypes;
template <std::size_t... K>
struct TestTypes<std::index_sequence<K...>> {
  using type = ::testing::Types<std::variant_alternative_t<K, Family>...>;
};
using AllFamilies = TestTypes<std::make_index_sequence<std::variant_size_v<Family> - 1>>::type;

// Those of them that are exponential families.
template <class Found, class... Rest>
struct Exponential {
  using type = Found;
};
template <class... Found, class F, class... Rest>
struct Exponential<::testing::Types<Found...>, F, Rest...> {
  using type = typename std::conditional_t<ExponentialFamily<F>,
                                           Exponential<::testing::Types<Found..., F>, Rest...>,
                                           Exponential<::testing::Types<Found...>, Rest...>>::type;
};
template <class All>
struct ExponentialOf;
template <class... F>
struct ExponentialOf<::testing::Types<F...>> {
  using type = typename Exponential<::testing::Types<>, F...>::type;
};
using AllExponentialFamilies = ExponentialOf<AllFamilies>::type;

}  // namespace probmix::test
