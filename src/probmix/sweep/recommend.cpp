#include "probmix/sweep/recommend.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "probmix/base/error.hpp"
#include "probmix/math/special.hpp"

namespace probmix {

namespace {

constexpr double chance = 0.05;

// By how much one method is better than another over the same folds, and the p-value of that.
struct Contest {
  Index wins = 0, runs = 0;
  double difference = 0;
  double p = std::numeric_limits<double>::quiet_NaN();
};

Contest contest(const std::vector<double>& best, const std::vector<double>& other,
                double test_share) {
  check(best.size() == other.size(), "the methods were judged on {} and {} folds", best.size(),
        other.size());
  Contest found{.runs = std::ssize(best)};
  const auto n = static_cast<double>(best.size());
  for (std::size_t k = 0; k < best.size(); ++k) {
    found.wins += best[k] < other[k] ? 1 : 0;
    found.difference += (other[k] - best[k]) / n;
  }
  double variance = 0;
  for (std::size_t k = 0; k < best.size(); ++k) {
    const double apart = other[k] - best[k] - found.difference;
    variance += apart * apart / (n - 1);
  }
  if (best.size() < 3) return found;
  if (variance > 0) {
    const double t2 = found.difference * found.difference / ((1 / n + test_share) * variance);
    const double freedom = n - 1;
    found.p = beta_cdf(freedom / 2, 0.5, freedom / (freedom + t2));
  } else {
    found.p = found.difference > 0 ? 0 : 1;
  }
  return found;
}

}  // namespace

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
  found.alike = {found.best};
  const auto nlls = [&](const CellSummary& cell) {
    return cell.group.values(layout.scores[0].pointer);
  };
  for (std::size_t k = 1; k < order.size(); ++k) {
    const Contest against = contest(nlls(*order[0]), nlls(*order[k]), test_share);
    if (against.p >= chance) found.alike.push_back(order[k]->method);
    if (k > 1) continue;
    found.second = order[k]->method;
    found.wins = against.wins;
    found.runs = against.runs;
    found.difference = against.difference;
    found.p = against.p;
  }
  std::ranges::sort(found.alike);  // in the order of `methods`, from plain training on
  return found;
}

std::string to_text(const Recommendation& found) {
  if (found.best == nullptr) return "No method finished all folds.";
  if (found.second == nullptr) {
    return fmt::format("Use {}: there is no other method to compare it with.", found.best->name);
  }
  const std::string lead = fmt::format(
      "its test NLL is the lowest, {:.3g} below that of {}, which it beats in {} of {} folds",
      found.difference, found.second->name, found.wins, found.runs);
  if (std::isnan(found.p)) {
    return fmt::format(
        "{} leads: {}. With so few folds there is no telling whether that is chance.",
        found.best->name, lead);
  }
  if (found.alike.size() == 1) {
    return fmt::format("Use {}: {}. The difference is unlikely to be chance (p = {:.2g}).",
                       found.best->name, lead, found.p);
  }
  std::vector<std::string_view> others;
  for (const Method* const method : found.alike) {
    if (method != found.best) others.push_back(method->name);
  }
  return fmt::format(
      "{} leads: {} (p = {:.2g}). But these folds do not tell it from {}: use {}, the simplest, or "
      "compare them on more folds.",
      found.best->name, lead, found.p, fmt::join(others, ", "), found.alike.front()->name);
}

Json to_json(const Recommendation& found) {
  const auto name = [](const Method* method) {
    return method == nullptr ? Json(nullptr) : Json(method->name);
  };
  std::vector<std::string_view> names;
  for (const Method* const method : found.alike) names.push_back(method->name);
  // With too few folds for a p-value, there is nothing to say of the others.
  const bool has_p = !std::isnan(found.p);
  const Method* const use = has_p && !found.alike.empty() ? found.alike.front() : found.best;
  return {{"method", name(found.best)},
          {"use", name(use)},
          {"second", name(found.second)},
          {"wins", found.wins},
          {"runs", found.runs},
          {"difference", found.difference},
          {"p", has_p ? Json(found.p) : Json(nullptr)},
          {"alike", has_p ? Json(names) : Json(nullptr)},
          {"text", to_text(found)}};
}

}  // namespace probmix
