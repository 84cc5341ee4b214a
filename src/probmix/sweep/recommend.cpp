#include "probmix/sweep/recommend.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "probmix/base/error.hpp"
#include "probmix/math/special.hpp"

namespace probmix {

Recommendation recommend(const StudyLayout& layout, const std::vector<CellSummary>& cells,
                         double test_share) {
  std::vector<const CellSummary*> order;
  for (const CellSummary& cell : cells) {
    if (std::isfinite(judged_mean(layout, cell, 0))) order.push_back(&cell);
  }
  std::ranges::stable_sort(order, {},
                           [&](const CellSummary* cell) { return judged_mean(layout, *cell, 0); });
  Recommendation found;
  if (order.empty()) return found;
  found.best = order[0]->method;
  if (order.size() < 2) return found;
  found.second = order[1]->method;
  const std::vector<double> best = order[0]->group.values(layout.scores[0].pointer);
  const std::vector<double> second = order[1]->group.values(layout.scores[0].pointer);
  check(best.size() == second.size(), "the methods were judged on {} and {} folds", best.size(),
        second.size());
  found.runs = std::ssize(best);
  const auto n = static_cast<double>(best.size());
  for (std::size_t k = 0; k < best.size(); ++k) {
    found.wins += best[k] < second[k] ? 1 : 0;
    found.difference += (second[k] - best[k]) / n;
  }
  double variance = 0;
  for (std::size_t k = 0; k < best.size(); ++k) {
    const double apart = second[k] - best[k] - found.difference;
    variance += apart * apart / (n - 1);
  }
  if (best.size() < 3) {
    found.p = std::numeric_limits<double>::quiet_NaN();
  } else if (variance > 0) {
    const double t2 = found.difference * found.difference / ((1 / n + test_share) * variance);
    const double freedom = n - 1;
    found.p = beta_cdf(freedom / 2, 0.5, freedom / (freedom + t2));
  } else {
    found.p = found.difference > 0 ? 0 : 1;
  }
  return found;
}

std::string to_text(const Recommendation& found) {
  if (found.best == nullptr) return "No method finished all folds.";
  std::string text = fmt::format("Use {}", found.best->name);
  if (found.second == nullptr) return text + ": there is no other method to compare it with.";
  text += fmt::format(
      ": its test NLL is the lowest, {:.3g} below that of {}, which it beats in {} of {} folds.",
      found.difference, found.second->name, found.wins, found.runs);
  if (std::isnan(found.p))
    return text + " With so few folds there is no telling whether that is chance.";
  return text + fmt::format(" {} (p = {:.2g}).",
                            found.p < 0.05   ? "The difference is unlikely to be chance"
                            : found.p < 0.32 ? "The difference may be chance"
                                             : "These folds do not tell the two apart",
                            found.p);
}

Json to_json(const Recommendation& found) {
  const auto name = [](const Method* method) {
    return method == nullptr ? Json(nullptr) : Json(method->name);
  };
  return {{"method", name(found.best)},
          {"second", name(found.second)},
          {"wins", found.wins},
          {"runs", found.runs},
          {"difference", found.difference},
          {"p", std::isnan(found.p) ? Json(nullptr) : Json(found.p)},
          {"text", to_text(found)}};
}

}  // namespace probmix
