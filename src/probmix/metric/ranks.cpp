#include "probmix/metric/ranks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "probmix/base/error.hpp"
#include "probmix/math/special.hpp"

namespace probmix {
namespace {

constexpr Index kMostMethods = 20;

// Quantiles of the studentized range with infinitely many degrees of freedom, over √2, for 2 to 20
// methods (tests/golden/make_statistics_golden.py).
using Quantiles = std::array<double, kMostMethods - 1>;
constexpr Quantiles kNemenyi05 = {1.9599639845, 2.3437005864, 2.5690317725, 2.7277743709,
                                  2.8497054196, 2.9483200175, 3.0308784496, 3.1017303413,
                                  3.1636835771, 3.2186536073, 3.2680039245, 3.3127385934,
                                  3.3536177519, 3.3912302838, 3.4260413794, 3.4584247073,
                                  3.4886847994, 3.5170730087, 3.5437991315};
constexpr Quantiles kNemenyi10 = {1.6448536270, 2.0522927305, 2.2913414969, 2.4595157643,
                                  2.5885206019, 2.6927321010, 2.7798836082, 2.8546064312,
                                  2.9198888401, 2.9777682513, 3.0296941832, 3.0767334683,
                                  3.1196933331, 3.1591988189, 3.1957434330, 3.2297234009,
                                  3.2614614896, 3.2912239866, 3.3192330595};

// Positions in ascending order of the values; equal values keep their order.
std::vector<Index> ascending(std::span<const double> values) {
  std::vector<Index> order(values.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::stable_sort(order, {}, [&](Index i) { return values[to_size(i)]; });
  return order;
}

Matrix<double> rank_rows(View<const double> scores) {
  check(scores.rows >= 1 && scores.cols >= 1, "ranks need a method and a data set, not {} and {}",
        scores.cols, scores.rows);
  Matrix<double> ranked(scores.rows, scores.cols);
  for (Index b = 0; b < scores.rows; ++b) {
    std::ranges::copy(ranks({scores.row(b), to_size(scores.cols)}), ranked.row(b));
  }
  return ranked;
}

std::vector<double> sum_columns(const Matrix<double>& values) {
  std::vector<double> sums(to_size(values.cols()));
  for (Index r = 0; r < values.rows(); ++r) {
    for (Index c = 0; c < values.cols(); ++c) sums[to_size(c)] += values(r, c);
  }
  return sums;
}

}  // namespace

std::vector<double> ranks(std::span<const double> values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    check(!std::isnan(values[i]), "value {} of {} is NaN, which has no rank", i + 1, values.size());
  }
  const std::vector<Index> order = ascending(values);
  std::vector<double> ranked(values.size());
  for (std::size_t first = 0, end = 0; first < order.size(); first = end) {
    const double value = values[to_size(order[first])];
    while (end < order.size() && values[to_size(order[end])] == value) ++end;
    const double shared = static_cast<double>(first + 1 + end) / 2;  // of places first + 1 to end
    for (std::size_t i = first; i < end; ++i) ranked[to_size(order[i])] = shared;
  }
  return ranked;
}

std::vector<double> average_ranks(View<const double> scores) {
  std::vector<double> means = sum_columns(rank_rows(scores));
  for (double& mean : means) mean /= static_cast<double>(scores.rows);
  return means;
}

// By Kendall's W, the share of the variance of the ranks that lies between the methods: χ² =
// N (k − 1) W, F = (N − 1) W / (1 − W). The sums are multiples of 1/4, so exact.
FriedmanTest friedman_test(View<const double> scores) {
  check(scores.rows >= 2 && scores.cols >= 2,
        "the Friedman test compares 2 or more methods on 2 or more data sets, not {} on {}",
        scores.cols, scores.rows);
  const auto n = static_cast<double>(scores.rows);
  const auto k = static_cast<double>(scores.cols);
  const Matrix<double> ranked = rank_rows(scores);
  const auto square = [](double x) { return x * x; };
  double between = 0;
  for (const double sum : sum_columns(ranked)) between += square(sum - n * (k + 1) / 2);
  double total = 0;
  for (Index i = 0; i < scores.size(); ++i) total += square(ranked.data()[i] - (k + 1) / 2);
  if (total == 0) return {};  // ties only

  const double w = between / (n * total);
  FriedmanTest test;
  test.chi_square = n * (k - 1) * w;
  test.chi_square_p = gamma_survival((k - 1) / 2, test.chi_square / 2);
  test.f = w < 1 ? (n - 1) * w / (1 - w) : std::numeric_limits<double>::infinity();
  test.f_p = beta_cdf((k - 1) * (n - 1) / 2, (k - 1) / 2, 1 - w);  // 1 − W = 1 / (1 + F / (N − 1))
  return test;
}

double nemenyi_critical_difference(Index methods, Index blocks, double alpha) {
  check_range("the number of methods", methods, 2, kMostMethods);
  check_range("the number of data sets", blocks, 1, std::numeric_limits<Index>::max());
  check_usage(alpha == 0.05 || alpha == 0.1, "the level must be 0.05 or 0.1, but it is {}", alpha);
  const double q = (alpha == 0.05 ? kNemenyi05 : kNemenyi10)[to_size(methods - 2)];
  const auto k = static_cast<double>(methods);
  return q * std::sqrt(k * (k + 1) / (6 * static_cast<double>(blocks)));
}

std::vector<std::vector<Index>> cliques(std::span<const double> average_ranks,
                                        double critical_difference) {
  const std::vector<Index> order = ascending(average_ranks);
  const auto rank = [&](std::size_t place) { return average_ranks[to_size(order[place])]; };
  std::vector<std::vector<Index>> groups;
  for (std::size_t first = 0, covered = 0; first < order.size(); ++first) {
    std::size_t end = first + 1;
    while (end < order.size() && rank(end) - rank(first) < critical_difference) ++end;
    // A group that ends where an earlier one does is a part of it.
    if (end - first >= 2 && end > covered) {
      groups.emplace_back(order.begin() + static_cast<Index>(first),
                          order.begin() + static_cast<Index>(end));
      covered = end;
    }
  }
  return groups;
}

}  // namespace probmix
