#include "probmix/metric/calibration.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "probmix/base/error.hpp"
#include "probmix/metric/mixture.hpp"

namespace probmix {
namespace {

using Shares = std::array<double, PitHistogram::bins>;

// Spreads `weight` evenly over [low, high]; an empty interval puts all of it into one bin. A NaN
// end makes every bin NaN.
void spread(double low, double high, double weight, Shares& share) {
  constexpr auto bins = static_cast<double>(PitHistogram::bins);
  if (low >= high) {
    const double bin = std::clamp(std::floor(high * bins), 0.0, bins - 1);
    share[static_cast<std::size_t>(bin)] += weight;
    return;
  }
  const auto below = [&](std::size_t edge) {
    return std::clamp((static_cast<double>(edge) / bins - low) / (high - low), 0.0, 1.0);
  };
  for (std::size_t b = 0; b < share.size(); ++b) share[b] += weight * (below(b + 1) - below(b));
}

// Calls body(r, mixture) for every row of y.
template <class F, class Body>
void for_each_mixture(const F& family, const OutputsView& out, const Members& members,
                      View<const double> y, const Body& body) {
  check(members.count >= 1 && out.rows == members.count * y.rows && out.cols == family.outputs() &&
            y.cols == family.responses(),
        "{} x {} outputs of {} members do not fit {} x {} responses of the {} family", out.rows,
        out.cols, members.count, y.rows, y.cols, family.name);
  for (Index r = 0; r < y.rows; ++r) {
    body(r, Mixture(family, out.part(r * members.count, members.count), members.weights));
  }
}

struct Prediction {
  double label = 0;
  double confidence = 0;
};

// The means are the probabilities of the classes, or for two classes that of the second.
Prediction most_probable(std::vector<double> probability) {
  if (probability.size() == 1) probability = {1 - probability[0], probability[0]};
  const auto largest = std::ranges::max_element(probability);
  return {static_cast<double>(largest - probability.begin()), *largest};
}

}  // namespace

std::array<double, PitHistogram::levels> PitHistogram::coverage() const {
  std::array<double, levels> covered{};
  double sum = 0;
  for (std::size_t l = 0; l < levels; ++l) {
    sum += share[bins / 2 - 1 - l] + share[bins / 2 + l];
    covered[l] = sum;
  }
  return covered;
}

double PitHistogram::calibration_error() const {
  double below = 0;
  double sum = 0;
  for (std::size_t b = 0; b + 1 < bins; ++b) {
    below += share[b];
    sum += std::abs(below - static_cast<double>(b + 1) / bins);
  }
  return sum / (bins - 1);
}

void Reliability::finish(Index rows) {
  const auto n = static_cast<double>(rows);
  for (Bin& b : bins) {
    accuracy += b.accuracy / n;
    expected_calibration_error += std::abs(b.accuracy - b.confidence) / n;
    const double count =
        b.count > 0 ? static_cast<double>(b.count) : std::numeric_limits<double>::quiet_NaN();
    b.confidence /= count;
    b.accuracy /= count;
  }
}

PitHistogram pit_histogram(const Family& family, const OutputsView& out, const Members& members,
                           View<const double> y, int column) {
  PitHistogram histogram;
  if (y.rows == 0) histogram.share.fill(std::numeric_limits<double>::quiet_NaN());
  const double weight = 1 / static_cast<double>(column < 0 ? y.size() : y.rows);
  std::visit(
      [&](const auto& f) {
        check_usage(f.classes() == 0,
                    "classes have no order, so the {} family has no PIT; ask for its reliability",
                    f.name);
        for_each_mixture(f, out, members, y, [&](Index r, const auto& mixture) {
          for (int c = 0; c < f.responses(); ++c) {
            if (column >= 0 && c != column) continue;
            const double high = mixture.cdf(c, y(r, c));
            spread(mixture.below(c, y(r, c)), high, weight, histogram.share);
          }
        });
      },
      family);
  return histogram;
}

Reliability reliability(const Family& family, const OutputsView& out, const Members& members,
                        View<const double> y) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr auto bin_count = static_cast<double>(Reliability::bin_count);
  Reliability result;
  bool undefined = y.rows == 0;
  std::visit(
      [&](const auto& f) {
        check_usage(f.classes() > 0, "the {} family has no classes; ask for its PIT", f.name);
        for_each_mixture(f, out, members, y, [&](Index r, const auto& mixture) {
          const Prediction prediction = most_probable(mixture.mean());
          undefined = undefined || std::isnan(prediction.confidence);
          if (undefined) return;
          const double bin =
              std::clamp(std::ceil(prediction.confidence * bin_count), 1.0, bin_count);
          Reliability::Bin& b = result.bins[static_cast<std::size_t>(bin) - 1];
          ++b.count;
          b.confidence += prediction.confidence;
          b.accuracy += prediction.label == y(r, 0) ? 1 : 0;
        });
      },
      family);

  if (undefined) {
    result.bins.fill({0, nan, nan});
    result.accuracy = result.expected_calibration_error = nan;
    return result;
  }
  result.finish(y.rows);
  return result;
}

}  // namespace probmix
