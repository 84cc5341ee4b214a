#include "probmix/model/worst_rows.hpp"

#include <algorithm>

namespace probmix {

void WorstRows::add(Index number, const Predictive& density, View<const double> y) {
  if (most_ == 0) return;
  double nll = -density.log_density_of_scaled(y.row(0));
  const bool is_observed = target_.is_observed(y, 0);
  if (is_observed) nll += target_.log_scale();  // the probability of a censored target has no unit
  const bool is_full = std::ssize(rows_) == most_;
  if (is_full && !(nll > rows_.back().nll)) return;
  WorstRow row{.number = number, .nll = nll, .is_censored = !is_observed};
  if (target_.has_classes()) {
    const std::vector<double> p = density.probabilities();
    row.observed = y(0, 0);
    row.predicted = static_cast<double>(std::ranges::max_element(p) - p.begin());
    row.probability = p[static_cast<std::size_t>(y(0, 0))];
  } else {
    row.observed = target_.shift.front() + target_.scale.front() * y(0, 0);
    row.predicted = density.mean(0);
    row.low = density.quantile(0, 0.05);
    row.high = density.quantile(0, 0.95);
  }
  if (is_full) rows_.pop_back();
  const auto place = std::ranges::find_if(rows_, [&](const WorstRow& r) { return r.nll < nll; });
  rows_.insert(place, row);
}

}  // namespace probmix
