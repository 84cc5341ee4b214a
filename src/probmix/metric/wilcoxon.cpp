#include "probmix/metric/wilcoxon.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "probmix/base/error.hpp"
#include "probmix/math/special.hpp"
#include "probmix/metric/ranks.hpp"

namespace probmix {
namespace {

constexpr std::size_t kMostExact = 50;  // 2^50 choices of signs are still counted exactly

// 2 P(W <= w) where each of the ranks counts with probability 1/2. Ranks of ties are halves of
// integers: sums are counted in halves.
double exact_p(std::span<const double> ranked, double w) {
  const std::size_t n = ranked.size();
  std::vector<double> ways(n * (n + 1) + 1);  // of each sum
  ways[0] = 1;
  for (const double rank : ranked) {
    const auto step = static_cast<std::size_t>(2 * rank);
    for (std::size_t sum = ways.size() - 1; sum >= step; --sum) ways[sum] += ways[sum - step];
  }
  const auto end = ways.begin() + static_cast<Index>(2 * w) + 1;
  const double below = std::accumulate(ways.begin(), end, 0.0);
  return std::min(1.0, std::ldexp(below, 1 - static_cast<int>(n)));
}

// Σ t³ − t over groups of t equal values.
double tie_sum(std::vector<double> values) {
  std::ranges::sort(values);
  double sum = 0;
  for (auto first = values.begin(); first != values.end();) {
    const auto end = std::upper_bound(first, values.end(), *first);
    const auto t = static_cast<double>(end - first);
    sum += t * t * t - t;
    first = end;
  }
  return sum;
}

double normal_p(std::size_t count, double w, double ties) {
  const auto n = static_cast<double>(count);
  const double mean = n * (n + 1) / 4;
  const double variance = (n * (n + 1) * (2 * n + 1) - ties / 2) / 24;
  return std::min(1.0, 2 * normal_cdf((w - mean) / std::sqrt(variance)));  // w <= mean
}

}  // namespace

WilcoxonTest wilcoxon_test(std::span<const double> a, std::span<const double> b) {
  check(a.size() == b.size(), "a paired test needs equally many scores of both, not {} and {}",
        a.size(), b.size());
  std::vector<double> size;
  std::vector<bool> above;
  for (std::size_t i = 0; i < a.size(); ++i) {
    check(!std::isnan(a[i]) && !std::isnan(b[i]),
          "the scores of pair {} are {} and {}; a paired test needs numbers", i + 1, a[i], b[i]);
    if (a[i] == b[i]) continue;  // infinities too
    size.push_back(std::abs(a[i] - b[i]));
    above.push_back(a[i] > b[i]);
  }
  if (size.empty()) return {};

  const std::vector<double> ranked = ranks(size);
  double sums[2] = {};
  for (std::size_t i = 0; i < ranked.size(); ++i) sums[above[i] ? 1 : 0] += ranked[i];
  WilcoxonTest test{.statistic = std::min(sums[0], sums[1]),
                    .direction = sums[1] > sums[0]   ? 1
                                 : sums[1] < sums[0] ? -1
                                                     : 0,
                    .n = std::ssize(size)};
  test.exact = size.size() <= kMostExact;
  test.p = test.exact ? exact_p(ranked, test.statistic)
                      : normal_p(size.size(), test.statistic, tie_sum(size));
  return test;
}

std::vector<double> holm(std::span<const double> p) {
  for (const double value : p) check(value >= 0 && value <= 1, "{} is not a p-value", value);
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return p[i]; });
  std::vector<double> adjusted(p.size());
  double largest = 0;
  for (std::size_t place = 0; place < order.size(); ++place) {
    const auto hypotheses = static_cast<double>(order.size() - place);  // not yet rejected
    largest = std::max(largest, std::min(1.0, hypotheses * p[order[place]]));
    adjusted[order[place]] = largest;
  }
  return adjusted;
}

}  // namespace probmix
