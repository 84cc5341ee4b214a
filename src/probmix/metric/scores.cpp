#include "probmix/metric/scores.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "probmix/base/error.hpp"
#include "probmix/math/special.hpp"
#include "probmix/mix/risk.hpp"

namespace probmix {

namespace {

template <class Error>
double sum_of_squares(Index rows, Index columns, const Error& error) {
  double sum = 0;
  for (Index r = 0; r < rows; ++r) {
    for (Index c = 0; c < columns; ++c) sum += error(r, c) * error(r, c);
  }
  return sum;
}

// Families whose mean needs no link: the first outputs are the mean, or the gradient of the loss in
// the outputs is its error.
template <class F>
concept MeanIsOutput = F::outputs_begin_with_mean;
template <class F>
concept ErrorIsGradient = F::gradient_is_error;

template <MeanIsOutput F, class Real>
double squared_errors(const F& family, View<const Real> out, View<const Real>, View<const double> y,
                      double) {
  const int d = family.responses();
  return sum_of_squares(out.rows, d, [&](Index r, Index c) { return out(r, c) - y(r, c); }) / d;
}

template <ErrorIsGradient F, class Real>
double squared_errors(const F& family, View<const Real>, View<const Real> dout, View<const double>,
                      double rows) {
  return sum_of_squares(dout.rows, family.moments(),
                        [&](Index r, Index c) { return rows * dout(r, c); });
}

// One member: its NLL is the risk without any mixing, which is fast.
template <class F, class Real>
Scores score_plain(const F& family, View<const Real> out, View<const double> y) {
  constexpr Index block = 512;
  constexpr bool wants_gradient = ErrorIsGradient<F>;
  const Risk risk(family, Pooling::log_linear, Criterion::mean_log, 1);
  Risk::Scratch scratch(risk, block);
  const std::vector<double> ones(to_size(block), 1.0);
  Matrix<Real> gradient(block, out.cols);
  const auto n = static_cast<double>(y.rows);
  Scores total;
  for (Index first = 0; first < y.rows; first += block) {
    const Index rows = std::min(block, y.rows - first);
    const View<const Real> outputs{out.row(first), rows, out.cols};
    const View<const double> responses{y.row(first), rows, y.cols};
    total.nll +=
        risk(outputs, {.count = rows, .total = y.rows}, {{ones.data(), rows, 1}, responses},
             wants_gradient ? gradient.data() : nullptr, scratch);
    const View<const Real> dout{gradient.data(), rows, out.cols};
    total.mse += squared_errors(family, outputs, dout, responses, n) / n;
  }
  total.draws_nll = total.nll;
  return total;
}

}  // namespace

Scores score(const Family& family, const OutputsView& out, const Members& members,
             View<const double> y, std::span<const double> weight) {
  check(weight.empty() || std::ssize(weight) == y.rows, "{} weights for {} rows", weight.size(),
        y.rows);
  return std::visit(
      [&](const auto& f) {
        using F = std::decay_t<decltype(f)>;
        if constexpr (MeanIsOutput<F> || ErrorIsGradient<F>) {
          if (members.count == 1 && y.rows > 0 && weight.empty()) {
            return out.with_view([&](auto view) { return score_plain(f, view, y); });
          }
        }
        const auto sized = [](Index n) { return std::vector<double>(static_cast<std::size_t>(n)); };
        auto row = sized(out.cols);
        auto phi = sized(f.parameters());
        auto member_mean = sized(f.moments());
        auto mean = sized(f.moments());
        auto logs = sized(members.count);
        const auto count = static_cast<double>(members.count);
        std::vector<double> relative;  // weights
        for (Index s = 0; s < members.count; ++s) {
          relative.push_back(relative_weight(members.weights, s));
        }
        const bool one_hot = f.moments() != f.responses();

        Scores total;
        double all = 0;
        for (Index r = 0; r < y.rows; ++r) {
          const double w = weight.empty() ? 1.0 : weight[to_size(r)];
          if (w == 0) continue;
          all += w;
          std::fill(mean.begin(), mean.end(), 0.0);
          for (Index s = 0; s < members.count; ++s) {
            const double share = relative[to_size(s)] / count;
            out.read(r * members.count + s, row.data());
            f.link(row.data(), phi.data());
            const double log_p = log_density(f, phi.data(), y.row(r));
            logs[to_size(s)] = log_p + std::log(relative[to_size(s)]);
            total.draws_nll -= w * log_p * share;
            f.mean(phi.data(), member_mean.data());
            for (std::size_t c = 0; c < mean.size(); ++c) mean[c] += member_mean[c] * share;
          }
          total.nll -=
              w * (log_sum_exp(logs.data(), static_cast<int>(members.count)) + std::log(1 / count));
          for (std::size_t c = 0; c < mean.size(); ++c) {
            const double observed = one_hot ? (y(r, 0) == static_cast<double>(c) ? 1.0 : 0.0)
                                            : y(r, static_cast<Index>(c));
            if (!std::isfinite(observed)) continue;  // an open end of an interval
            const double error = mean[c] - observed;
            total.mse += w * error * error / static_cast<double>(f.responses());
          }
        }
        return Scores{total.nll / all, total.draws_nll / all, total.mse / all};
      },
      family);
}

}  // namespace probmix
