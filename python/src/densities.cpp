#include "densities.hpp"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "arrays.hpp"
#include "bindings.hpp"
#include "probmix/base/error.hpp"

namespace nb = nanobind;

namespace probmix::python {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Gauss–Legendre nodes and weights on [−1, 1]; the others are their mirror images.
constexpr std::array<std::pair<double, double>, 4> nodes = {
    {{0.1834346424956498, 0.3626837833783620},
     {0.5255324099163290, 0.3137066458778873},
     {0.7966664774136267, 0.2223810344533745},
     {0.9602898564975363, 0.1012285362903763}}};

// Between these quantiles a density is integrated panel by panel, so that panels are narrow where
// it is high.
constexpr std::array<double, 19> levels = {1e-9, 1e-7,  1e-5,     1e-3,     0.01,    0.03, 0.1,
                                           0.2,  0.35,  0.5,      0.65,     0.8,     0.9,  0.97,
                                           0.99, 0.999, 1 - 1e-5, 1 - 1e-7, 1 - 1e-9};

double plog(double log_p) { return log_p == -infinity ? 0 : std::exp(log_p) * log_p; }

// `log_p(y)` is smooth.
template <class LogDensity>
double entropy_by_panels(const Predictive& density, Index k, const LogDensity& log_p) {
  double sum = 0;
  double low = density.quantile(k, levels.front());
  for (std::size_t l = 1; l < levels.size(); ++l) {
    const double high = density.quantile(k, levels[l]);
    const double half = (high - low) / 2, middle = low + half;
    if (half > 0) {
      for (const auto& [at, weight] : nodes) {
        sum -= half * weight * (plog(log_p(middle - half * at)) + plog(log_p(middle + half * at)));
      }
    }
    low = high;
  }
  return sum;
}

double entropy_of_counts(const Predictive& density, Index k) {
  constexpr double most_terms = 1e4;  // of more, the probabilities are practically a smooth density
  const double first = density.quantile(k, levels.front());
  const double last = density.quantile(k, levels.back());
  if (!(last - first <= most_terms)) {
    return entropy_by_panels(density, k,
                             [&](double y) { return density.log_density(k, std::round(y)); });
  }
  double sum = 0;
  for (double y = first; y <= last; ++y) sum -= plog(density.log_density(k, y));
  return sum;
}

// A function of each density.
template <class Value>
nb::object each(const Densities& densities, const Value& value) {
  std::vector<double> values(to_size(densities.rows()));
  {
    const nb::gil_scoped_release unlocked;
    densities.for_each(
        [&](Index r, const Predictive& density) { values[to_size(r)] = value(density); });
  }
  return to_numpy(std::move(values), {densities.rows()});
}

// A function of each density and of the numbers in its row of `at`, whose single row serves for
// all.
template <class Value>
nb::object each_at(const Densities& densities, const Array2<double>& at, const Value& value) {
  const View<const double> arguments = view_of(at);
  check(arguments.rows == densities.rows() || arguments.rows == 1,
        "there are {} densities, but {} rows of values", densities.rows(), arguments.rows);
  Matrix<double> values(densities.rows(), arguments.cols);
  {
    const nb::gil_scoped_release unlocked;
    densities.for_each([&](Index r, const Predictive& density) {
      const double* const row = arguments.row(arguments.rows == 1 ? 0 : r);
      for (Index c = 0; c < arguments.cols; ++c) {
        values(r, c) = std::isnan(row[c]) ? nan : value(density, row[c]);
      }
    });
  }
  return to_numpy(std::move(values));
}

Index checked_target(const Densities& densities, Index k) {
  check_usage(!densities.model().target.has_classes(),
              "classes have probabilities, and no other properties of numbers");
  check_usage(k >= 0 && k < densities.targets(), "there is no target number {}", k);
  return k;
}

double quantile(const Predictive& density, Index k, double u) {
  if (u <= 0 || u >= 1) return u == 0 ? -infinity : u == 1 ? infinity : nan;
  return density.quantile(k, u);
}

nb::object log_joint(const Densities& densities, const Array2<double>& at) {
  const View<const double> y = view_of(at);
  const Target& target = densities.model().target;
  check(y.rows == densities.rows() && y.cols == densities.targets(),
        "responses of shape {} x {} do not fit {} rows and {} targets", y.rows, y.cols,
        densities.rows(), densities.targets());
  std::vector<double> values(to_size(y.rows));
  {
    const nb::gil_scoped_release unlocked;
    densities.for_each([&](Index r, const Predictive& density) {
      std::vector<double> scaled(to_size(y.cols));
      for (Index k = 0; k < y.cols; ++k) {
        scaled[to_size(k)] = (y(r, k) - target.shift[to_size(k)]) / target.scale[to_size(k)];
      }
      values[to_size(r)] = density.log_density_of_scaled(scaled.data()) - target.log_scale();
    });
  }
  return to_numpy(std::move(values), {y.rows});
}

nb::object probabilities(const Densities& densities) {
  const auto& classes = densities.model().target.classes;
  check_usage(!classes.empty(), "numbers have a density, and no probabilities of classes");
  Matrix<double> values(densities.rows(), std::ssize(classes));
  {
    const nb::gil_scoped_release unlocked;
    densities.for_each([&](Index r, const Predictive& density) {
      std::ranges::copy(density.probabilities(), values.row(r));
    });
  }
  return to_numpy(std::move(values));
}

}  // namespace

Densities::Densities(std::shared_ptr<const Model> model, AlignedVector<float> out,
                     const Members& members, std::vector<Index> numbers, Index threads)
    : model_(std::move(model)),
      family_(model_->target.make()),
      out_(std::move(out)),
      weights_(members.weights.begin(), members.weights.end()),
      members_(members.count),
      outputs_(std::visit([](const auto& f) { return Index{f.outputs()}; }, family_)),
      numbers_(std::move(numbers)),
      threads_(threads) {}

Densities Densities::part(const std::vector<Index>& rows) const {
  AlignedVector<float> out;
  out.reserve(rows.size() * to_size(width()));
  std::vector<Index> numbers;
  for (const Index r : rows) {
    check_range("the number of a row", r, 0, this->rows() - 1);
    const float* const from = out_.data() + r * width();
    out.insert(out.end(), from, from + width());
    numbers.push_back(numbers_[to_size(r)]);
  }
  const Members members = weights_.empty() ? Members(members_) : Members(weights_);
  return {model_, std::move(out), members, std::move(numbers), threads_};
}

bool Densities::is_discrete() const {
  return std::visit([](const auto& f) -> bool { return f.discrete; }, family_);
}

double Densities::entropy(const Predictive& density, Index k) const {
  if (!model_->target.has_classes()) {
    if (is_discrete()) return entropy_of_counts(density, k);
    return entropy_by_panels(density, k, [&](double y) { return density.log_density(k, y); });
  }
  double sum = 0;
  for (const double p : density.probabilities()) sum -= plog(std::log(p));
  return sum;
}

Matrix<double> Densities::sample(Index count, std::uint64_t seed) const {
  Matrix<double> drawn(rows() * count, targets());
  for_each([&](Index r, const Predictive& density) {
    Stream stream(seed, Purpose::sample, static_cast<std::uint64_t>(numbers_[to_size(r)]));
    for (Index s = 0; s < count; ++s) density.sample(stream, drawn.row(r * count + s));
  });
  return drawn;
}

void bind_densities(nb::module_& m) {
  nb::class_<Densities>(m, "Densities")
      .def_prop_ro("rows", &Densities::rows)
      .def_prop_ro("targets", &Densities::targets)
      .def_prop_ro("members", &Densities::members)
      .def_prop_ro("is_discrete", &Densities::is_discrete)
      .def_prop_ro("family", [](const Densities& d) { return d.model().target.family; })
      .def_prop_ro("seed", [](const Densities& d) { return d.model().seed; })
      .def("part", &Densities::part)
      .def("mean",
           [](const Densities& d, Index k) {
             checked_target(d, k);
             return each(d, [k](const Predictive& density) { return density.mean(k); });
           })
      .def("std",
           [](const Densities& d, Index k) {
             checked_target(d, k);
             return each(d, [k](const Predictive& density) { return density.deviation(k); });
           })
      .def("data_std",
           [](const Densities& d, Index k) {
             checked_target(d, k);
             return each(d, [k](const Predictive& density) { return density.data_deviation(k); });
           })
      .def("model_std",
           [](const Densities& d, Index k) {
             checked_target(d, k);
             return each(d, [k](const Predictive& density) { return density.model_deviation(k); });
           })
      .def("entropy",
           [](const Densities& d, Index k) {
             return each(d, [&d, k](const Predictive& density) { return d.entropy(density, k); });
           })
      .def("log_density",
           [](const Densities& d, Index k, const Array2<double>& y) {
             checked_target(d, k);
             return each_at(d, y, [k](const Predictive& density, double at) {
               return std::isinf(at) ? -infinity : density.log_density(k, at);
             });
           })
      .def("cdf",
           [](const Densities& d, Index k, const Array2<double>& y) {
             checked_target(d, k);
             return each_at(d, y, [k](const Predictive& density, double at) {
               return std::isinf(at) ? (at < 0 ? 0.0 : 1.0) : density.cdf(k, at);
             });
           })
      .def("quantile",
           [](const Densities& d, Index k, const Array2<double>& u) {
             checked_target(d, k);
             return each_at(d, u, [k](const Predictive& density, double at) {
               return quantile(density, k, at);
             });
           })
      .def("crps",
           [](const Densities& d, Index k, const Array2<double>& y) {
             checked_target(d, k);
             return each_at(d, y, [k](const Predictive& density, double at) {
               return std::isinf(at) ? infinity : density.crps(k, at);
             });
           })
      .def("log_joint", log_joint)
      .def("probabilities", probabilities)
      .def("sample", [](const Densities& d, Index count, std::uint64_t seed) {
        check_range("the number of samples", count, 0, 1'000'000);
        Matrix<double> drawn;
        {
          const nb::gil_scoped_release unlocked;
          drawn = d.sample(count, seed);
        }
        return to_numpy(std::move(drawn));
      });
}

}  // namespace probmix::python
