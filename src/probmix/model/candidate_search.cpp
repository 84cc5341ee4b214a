#include "probmix/model/candidate_search.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "probmix/base/error.hpp"
#include "probmix/options/fit_options.hpp"

namespace probmix {
namespace {

constexpr Index enough_to_choose = 2;  // networks, to choose a family or between variants

// A variant goes on if it has at least this weight in the mixture of all.
constexpr double least_weight = 0.05;

// How many of the trials in a round go on to the next.
constexpr Index best_third(Index trials) { return (trials + 2) / 3; }

}  // namespace

CandidateSearch::CandidateSearch(const Shape& shape, SearchedNetworks& networks)
    : shape_(shape), networks_(networks) {
  if (shape.responses == 1) progress_.family.emplace();
  candidates_ = shape.variants;
}

std::vector<Index> CandidateSearch::possible_families() const {
  std::vector<Index> possible;
  for (Index r = 0; r < shape_.responses; ++r) {
    if (!progress_.failed.contains({r, 0})) possible.push_back(r);
  }
  return possible;
}

std::vector<Index> CandidateSearch::without_failed(const std::vector<Index>& candidates) const {
  std::vector<Index> rest = candidates;
  std::erase_if(rest, [&](Index c) {
    return progress_.failed.contains({progress_.family->response, c});
  });
  return rest;
}

Index CandidateSearch::rounds(std::size_t bracket) const {
  return rounds(bracket, std::ssize(progress_.brackets[bracket].front()));
}

Index CandidateSearch::rounds(std::size_t bracket, Index candidates) const {
  if (candidates == 1) return 1;  // nothing to decide
  if (bracket == 0) return shape_.splits > enough_to_choose ? 2 : 1;
  return 3;
}

Index CandidateSearch::networks_after(std::size_t bracket, Index round) const {
  if (round + 1 == rounds(bracket)) return shape_.splits;
  return std::min(bracket == 0 ? enough_to_choose : round + 1, shape_.splits);
}

void CandidateSearch::plan() {
  wanted_.clear();
  if (!progress_.family) {
    const Index networks = std::min(enough_to_choose, shape_.splits);
    for (Index k = 0; k < networks; ++k) {
      for (const Index r : possible_families()) {
        if (!networks_.is_trained({r, 0, k})) wanted_.push_back({r, 0, k});
      }
    }
    if (!wanted_.empty()) return;
    progress_.family = networks_.best_family(possible_families(), networks);
  }
  for (std::size_t b = 0; b < progress_.brackets.size() || add_bracket(); ++b) plan_bracket(b);
}

// The next bracket, if there is one.
bool CandidateSearch::add_bracket() {
  std::vector<Index> candidates;
  if (progress_.brackets.empty()) {
    for (Index c = 0; c < shape_.variants; ++c) candidates.push_back(c);
  } else {
    Index size = std::min(bracket_size, shape_.trials - (candidates_ - shape_.variants));
    if (shape_.has_budget) {
      if (std::ssize(wanted_) >= shape_.at_once) return false;  // later
      const auto all_networks = [&] {
        const Index second = best_third(size);
        if (size == 1) return shape_.splits;
        return size + second + best_third(second) * (shape_.splits - 2);
      };
      // Some trials take much longer than the networks so far, and a bracket that is cut off is
      // lost.
      while (size > 0 && !networks_.has_time_for(3 * all_networks() / 2)) size /= 3;
    }
    for (Index c = 0; c < size; ++c) candidates.push_back(candidates_ + c);
    candidates_ += std::max<Index>(0, size);
  }
  if (candidates.empty()) return false;
  progress_.brackets.push_back({std::move(candidates)});
  return true;
}

void CandidateSearch::plan_bracket(std::size_t bracket) {
  Index before = 0;
  for (Index round = 0; round < rounds(bracket); ++round) {
    auto& begun = progress_.brackets[bracket];
    const Index networks = networks_after(bracket, round);
    // Those that dropped out in a later round need not be trained again.
    const std::vector<Index> candidates = without_failed(begun.back());
    const std::size_t others = wanted_.size();
    for (Index k = before; k < networks; ++k) {
      for (const Index c : candidates) {
        const Job job{progress_.family->response, c, k};
        if (!networks_.is_trained(job)) wanted_.push_back(job);
      }
    }
    const bool is_last = round + 1 == rounds(bracket);
    if (wanted_.size() > others || is_last) return;
    if (std::ssize(begun) == round + 1) begun.push_back(best(bracket, candidates, networks));
    before = networks;
  }
}

// Those of the candidates that go on after their first networks.
std::vector<Index> CandidateSearch::best(std::size_t bracket, const std::vector<Index>& candidates,
                                         Index networks) {
  const Index family = progress_.family->response;
  if (bracket == 0) {
    if (candidates.size() == 1) return candidates;
    const std::vector<double> weights = networks_.weights(family, candidates, networks);
    const double least = std::min(least_weight, std::ranges::max(weights));
    std::vector<Index> rest;
    for (std::size_t c = 0; c < candidates.size(); ++c) {
      if (weights[c] >= least) rest.push_back(candidates[c]);
    }
    return rest;
  }
  std::vector<std::pair<double, Index>> ranked;
  for (const Index c : candidates) {
    const double nll = networks_.nll(family, c, networks);
    if (std::isfinite(nll)) ranked.emplace_back(nll, c);
  }
  std::ranges::sort(ranked);
  Index most = best_third(std::ssize(ranked));
  while (most > 1 && !networks_.has_time_for(most * (shape_.splits - networks))) --most;
  std::vector<Index> rest;
  for (Index c = 0; c < most; ++c) rest.push_back(ranked[to_size(c)].second);
  return rest;
}

void CandidateSearch::fail(Index response, Index candidate) {
  progress_.failed.insert({response, candidate});
  plan();
}

bool CandidateSearch::can_do_without(const Job& job) const {
  if (!progress_.family) return possible_families().size() > 1;
  const std::vector<Index> variants = without_failed(progress_.brackets.front().back());
  return job.candidate >= shape_.variants || variants.size() > 1;
}

Index CandidateSearch::needed() const {
  Index sum = (shape_.responses - 1) * std::min(enough_to_choose, shape_.splits);
  if (progress_.brackets.empty()) return sum + shape_.variants * shape_.splits;
  for (std::size_t b = 0; b < progress_.brackets.size(); ++b) {
    Index before = 0, candidates = 0;
    for (Index round = 0; round < rounds(b); ++round) {
      const auto& begun = progress_.brackets[b];
      if (round < std::ssize(begun)) {
        candidates = std::ssize(begun[to_size(round)]);
      } else if (b > 0) {
        candidates = best_third(candidates);
      }
      sum += candidates * (networks_after(b, round) - before);
      before = networks_after(b, round);
    }
  }
  return sum;
}

std::vector<bool> CandidateSearch::alive() const {
  std::vector<bool> alive(to_size(candidates_), progress_.brackets.empty());
  for (const auto& bracket : progress_.brackets) {
    for (const Index c : bracket.back()) alive[to_size(c)] = true;
  }
  return alive;
}

std::vector<Index> CandidateSearch::chosen() const {
  if (!progress_.family) return {0};
  if (progress_.brackets.empty()) return {0};
  std::vector<Index> chosen = without_failed(progress_.brackets.front().back());
  std::vector<std::pair<double, Index>> winners;
  for (std::size_t b = 1; b < progress_.brackets.size(); ++b) {
    if (std::ssize(progress_.brackets[b]) < rounds(b)) continue;
    for (const Index c : without_failed(progress_.brackets[b].back())) {
      if (!networks_.is_trained({progress_.family->response, c, shape_.splits - 1})) continue;
      winners.emplace_back(networks_.nll(progress_.family->response, c, shape_.splits), c);
    }
  }
  const auto most = std::min<std::ptrdiff_t>(most_winners, std::ssize(winners));
  std::ranges::partial_sort(winners, winners.begin() + most);
  winners.resize(to_size(most));
  std::ranges::sort(winners, {}, &std::pair<double, Index>::second);
  for (const auto& [nll, c] : winners) chosen.push_back(c);
  return chosen;
}

const FamilyChoice& CandidateSearch::family() const {
  if (progress_.family) return *progress_.family;
  // Cut short: of those that have been trained, by the networks that all of these have.
  const auto trained = [&](Index networks) {
    std::vector<Index> responses = possible_families();
    std::erase_if(responses, [&](Index r) { return !networks_.is_trained({r, 0, networks - 1}); });
    return responses;
  };
  const std::vector<Index> responses = trained(1);
  if (responses.empty()) return so_far_ = {possible_families().front()};
  const Index networks = shape_.splits > 1 && trained(2) == responses ? 2 : 1;
  if (judged_ != std::pair(responses, networks)) {
    judged_ = {responses, networks};
    so_far_ = networks_.best_family(responses, networks);
  }
  return so_far_;
}

namespace {

// Whether these are distinct and all among the others.
bool is_subset(const std::vector<Index>& some, const std::vector<Index>& of) {
  std::set<Index> left(of.begin(), of.end());
  return std::ranges::all_of(some, [&](Index c) { return left.erase(c) == 1; });
}

}  // namespace

bool CandidateSearch::is_possible(const SearchProgress& progress) const {
  const auto is_family = [&](Index r) { return r >= 0 && r < shape_.responses; };
  for (const auto& [response, candidate] : progress.failed) {
    if (!is_family(response) || candidate < 0) return false;
  }
  if (!progress.family) {
    Index left = 0;
    for (Index r = 0; r < shape_.responses; ++r) left += progress.failed.contains({r, 0}) ? 0 : 1;
    return left > 0 && progress.brackets.empty();
  }
  const Index family = progress.family->response;
  if (!is_family(family)) return false;
  Index next = 0;
  for (std::size_t b = 0; b < progress.brackets.size(); ++b) {
    if (!is_possible(b, progress.brackets[b], next)) return false;
    next += std::ssize(progress.brackets[b].front());
  }
  const auto has_failed = [&](Index c) { return progress.failed.contains({family, c}); };
  std::vector<Index> left(to_size(shape_.variants));
  std::iota(left.begin(), left.end(), Index{0});
  if (!progress.brackets.empty()) left = progress.brackets.front().back();
  return !std::ranges::all_of(left, has_failed) &&
         next <= shape_.variants + FitOptions::most_trials;
}

// The rounds of a bracket whose first candidate has this number.
bool CandidateSearch::is_possible(std::size_t bracket, const std::vector<std::vector<Index>>& begun,
                                  Index first) const {
  if (begun.empty() || begun.front().empty()) return false;
  const Index size = std::ssize(begun.front());
  if (bracket == 0 ? size != shape_.variants : size > bracket_size) return false;
  for (const Index c : begun.front()) {
    if (c != first++) return false;
  }
  if (std::ssize(begun) > rounds(bracket, size)) return false;
  for (std::size_t round = 1; round < begun.size(); ++round) {
    if (bracket == 0 && begun[round].empty()) return false;
    if (!is_subset(begun[round], begun[round - 1])) return false;
  }
  return true;
}

void CandidateSearch::resume(SearchProgress progress) {
  if (shape_.responses == 1 && !progress.family) progress.family.emplace();
  check(is_possible(progress),
        "the decisions in the checkpoint cannot be of this search; remove it to start over");
  if (shape_.trials == 0 && progress.brackets.size() > 1) progress.brackets.resize(1);
  progress_ = std::move(progress);
  candidates_ = shape_.variants;
  for (std::size_t b = 1; b < progress_.brackets.size(); ++b) {
    candidates_ += std::ssize(progress_.brackets[b].front());
  }
}

}  // namespace probmix
