#include "probmix/metric/scores.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "probmix/math/special.hpp"

namespace probmix {

template <class Real>
Scores score(const Family& family, View<const Real> out, Index members, View<const double> y) {
  return std::visit(
      [&](const auto& f) {
        const auto sized = [](Index n) { return std::vector<double>(static_cast<std::size_t>(n)); };
        auto row = sized(out.cols);
        auto phi = sized(f.naturals());
        auto member_mean = sized(f.moments());
        auto mean = sized(f.moments());
        auto log_density = sized(members);
        const double share = 1 / static_cast<double>(members);
        const bool one_hot = f.moments() != f.responses();

        Scores total;
        for (Index r = 0; r < y.rows; ++r) {
          std::fill(mean.begin(), mean.end(), 0.0);
          for (Index s = 0; s < members; ++s) {
            std::copy_n(out.row(r * members + s), out.cols, row.begin());
            f.link(row.data(), phi.data());
            const double log_p = f.log_density(phi.data(), f.log_normaliser(phi.data()), y.row(r));
            log_density[static_cast<std::size_t>(s)] = log_p;
            total.draws_nll -= log_p * share;
            f.mean(phi.data(), member_mean.data());
            for (std::size_t c = 0; c < mean.size(); ++c) mean[c] += member_mean[c] * share;
          }
          total.nll -= log_sum_exp(log_density.data(), static_cast<int>(members)) + std::log(share);
          for (std::size_t c = 0; c < mean.size(); ++c) {
            const double observed = one_hot ? (y(r, 0) == static_cast<double>(c) ? 1.0 : 0.0)
                                            : y(r, static_cast<Index>(c));
            const double error = mean[c] - observed;
            total.mse += error * error / static_cast<double>(f.responses());
          }
        }
        const auto n = static_cast<double>(y.rows);
        return Scores{total.nll / n, total.draws_nll / n, total.mse / n};
      },
      family);
}

template Scores score(const Family&, View<const float>, Index, View<const double>);
template Scores score(const Family&, View<const double>, Index, View<const double>);

}  // namespace probmix
