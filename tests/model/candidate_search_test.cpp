#include "probmix/model/candidate_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "probmix/base/error.hpp"
#include "probmix/options/fit_options.hpp"

namespace probmix::test {
namespace {

// Networks that train at once, whose quality is given.
class FakeNetworks : public SearchedNetworks {
 public:
  std::set<std::tuple<Index, Index, Index>> trained;
  std::map<Index, double> quality;  // NLL of candidates; 0 if not given
  std::map<Index, double> weight;   // of candidates; 1 if not given
  std::vector<double> family_nll = {0};
  Index networks_left = 1'000'000;  // until the time is up

  bool is_trained(const Job& job) const override {
    return trained.contains({job.response, job.candidate, job.split});
  }
  double nll(Index, Index candidate, Index) override { return quality[candidate]; }
  std::vector<double> weights(Index, std::span<const Index> candidates, Index) override {
    std::vector<double> found;
    double sum = 0;
    for (const Index c : candidates) {
      found.push_back(weight.contains(c) ? weight[c] : 1);
      sum += found.back();
    }
    for (double& w : found) w /= sum;
    return found;
  }
  FamilyChoice best_family(std::span<const Index> responses, Index) override {
    ++choices;
    return {*std::ranges::min_element(
                responses, {}, [&](Index r) { return family_nll[static_cast<std::size_t>(r)]; }),
            "chosen"};
  }
  bool has_time_for(Index networks) override { return networks <= networks_left; }

  Index choices = 0;
};

// Trains what is wanted, one network after the other, at most this many.
Index train(CandidateSearch& search, FakeNetworks& networks, Index most = 1'000'000) {
  Index count = 0;
  for (search.plan(); !search.wanted().empty() && count < most; ++count) {
    const Job job = search.wanted().front();
    networks.trained.insert({job.response, job.candidate, job.split});
    --networks.networks_left;
    search.plan();
  }
  return count;
}

Index count_of(const FakeNetworks& networks, Index candidate) {
  return std::ranges::count_if(networks.trained,
                               [&](const auto& job) { return std::get<1>(job) == candidate; });
}

TEST(CandidateSearch, OneCandidateTakesANetworkForEachSplit) {
  FakeNetworks networks;
  CandidateSearch search({.responses = 1, .variants = 1, .splits = 5}, networks);
  search.plan();
  EXPECT_EQ(search.needed(), 5);
  EXPECT_EQ(train(search, networks), 5);
  EXPECT_EQ(search.chosen(), (std::vector<Index>{0}));
}

TEST(CandidateSearch, ChoosesTheFamilyByTwoNetworksOfEach) {
  FakeNetworks networks;
  networks.family_nll = {3, 1, 2};
  CandidateSearch search({.responses = 3, .variants = 1, .splits = 5}, networks);
  train(search, networks, 6);
  EXPECT_EQ(search.family().response, 1);
  EXPECT_EQ(search.family().text, "chosen");
  EXPECT_EQ(train(search, networks), 3);
  EXPECT_EQ(networks.choices, 1);
}

// The first networks of all families come first, so that a choice is possible early.
TEST(CandidateSearch, CutShortChoosesTheFamilyByWhatThereIs) {
  FakeNetworks networks;
  networks.family_nll = {3, 1, 2};
  CandidateSearch search({.responses = 3, .variants = 1, .splits = 5}, networks);
  search.plan();
  EXPECT_EQ(search.family().response, 0);
  EXPECT_EQ(networks.choices, 0);  // there is nothing to judge
  train(search, networks, 3);
  for (int again = 0; again < 3; ++again) EXPECT_EQ(search.family().response, 1);
  EXPECT_EQ(networks.choices, 1);
  EXPECT_FALSE(search.progress().family);  // which is no decision
}

TEST(CandidateSearch, VariantsOfLittleWeightDropOut) {
  FakeNetworks networks;
  networks.weight = {{0, 0.5}, {1, 0.01}, {2, 0.45}, {3, 0.04}};
  CandidateSearch search({.responses = 1, .variants = 4, .splits = 5}, networks);
  EXPECT_EQ(train(search, networks), 4 * 2 + 2 * 3);
  EXPECT_EQ(search.chosen(), (std::vector<Index>{0, 2}));
  EXPECT_EQ(search.alive(), (std::vector<bool>{true, false, true, false}));
  EXPECT_EQ(search.needed(), 4 * 2 + 2 * 3);
}

// With many variants none may have much weight.
TEST(CandidateSearch, OneVariantAlwaysStays) {
  FakeNetworks networks;
  for (Index c = 0; c < 50; ++c) networks.weight[c] = c == 7 ? 1.01 : 1;
  CandidateSearch search({.responses = 1, .variants = 50, .splits = 3}, networks);
  train(search, networks);
  EXPECT_EQ(search.chosen(), (std::vector<Index>{7}));
}

// Four trials: a network of each, a second one of two, the last three of one.
TEST(CandidateSearch, TheBestTrialOfABracketIsChosen) {
  FakeNetworks networks;
  networks.quality = {{1, 4}, {2, 1}, {3, 2}, {4, 3}};
  CandidateSearch search({.responses = 1, .variants = 1, .splits = 5, .trials = 4}, networks);
  search.plan();
  EXPECT_EQ(search.needed(), 5 + 4 + 2 + 3);
  EXPECT_EQ(search.candidates(), 5);
  EXPECT_EQ(train(search, networks), 5 + 4 + 2 + 3);
  EXPECT_EQ(search.chosen(), (std::vector<Index>{0, 2}));
  EXPECT_EQ(count_of(networks, 3), 2);
  EXPECT_EQ(count_of(networks, 4), 1);
}

// Independent brackets can be trained side by side.
TEST(CandidateSearch, AllBracketsOfTrialsArePlannedAtOnce) {
  FakeNetworks networks;
  CandidateSearch search({.responses = 1, .variants = 1, .splits = 5, .trials = 19}, networks);
  search.plan();
  EXPECT_EQ(search.progress().brackets.size(), 4u);       // 9 + 9 + 1
  EXPECT_EQ(std::ssize(search.wanted()), 5 + 9 + 9 + 5);  // the last has nothing to decide
}

TEST(CandidateSearch, TrialsThatAreNotFiniteAreLeftOut) {
  FakeNetworks networks;
  for (Index c = 1; c <= 9; ++c) networks.quality[c] = std::numeric_limits<double>::infinity();
  CandidateSearch search({.responses = 1, .variants = 1, .splits = 5, .trials = 9}, networks);
  EXPECT_EQ(train(search, networks), 5 + 9);
  EXPECT_EQ(search.chosen(), (std::vector<Index>{0}));
}

TEST(CandidateSearch, KeepsTheBestOfManyWinners) {
  FakeNetworks networks;
  for (Index c = 1; c <= 270; ++c) networks.quality[c] = static_cast<double>(300 - c);
  CandidateSearch search({.responses = 1, .variants = 1, .splits = 2, .trials = 270}, networks);
  train(search, networks);
  const std::vector<Index> chosen = search.chosen();
  ASSERT_EQ(std::ssize(chosen), 1 + CandidateSearch::most_winners);
  EXPECT_TRUE(std::ranges::is_sorted(chosen));
  EXPECT_EQ(chosen.back(), 270);
  EXPECT_EQ(chosen[1], 270 - 9 * (CandidateSearch::most_winners - 1));
}

TEST(CandidateSearch, GoesOnWithoutWhatFails) {
  FakeNetworks networks;
  networks.family_nll = {1, 2};
  CandidateSearch search({.responses = 2, .variants = 2, .splits = 5}, networks);
  search.plan();
  EXPECT_TRUE(search.can_do_without({0, 0, 0}));
  search.fail(0, 0);
  EXPECT_FALSE(search.can_do_without({1, 0, 0}));
  EXPECT_EQ(search.family().response, 1);
  train(search, networks, 2);
  EXPECT_TRUE(search.can_do_without({1, 0, 2}));
  search.fail(1, 0);
  EXPECT_FALSE(search.can_do_without({1, 1, 0}));
  train(search, networks);
  EXPECT_EQ(search.chosen(), (std::vector<Index>{1}));
  EXPECT_EQ(count_of(networks, 1), 5);
}

// A bracket begins when there is nothing else to do, and only as large as there is time.
TEST(CandidateSearch, ABudgetLimitsTheBrackets) {
  FakeNetworks networks;
  networks.networks_left = 5 + 24 + 5;  // a bracket of nine takes 15, one of three 7
  CandidateSearch search(
      {.responses = 1, .variants = 1, .splits = 5, .trials = 1000, .has_budget = true}, networks);
  search.plan();
  EXPECT_EQ(search.progress().brackets.size(), 1u);
  train(search, networks);
  ASSERT_EQ(search.progress().brackets.size(), 4u);
  EXPECT_EQ(search.progress().brackets[1].front().size(), 9u);
  EXPECT_EQ(search.progress().brackets[2].front().size(), 3u);
  EXPECT_EQ(search.progress().brackets[3].front().size(), 1u);
  EXPECT_EQ(networks.networks_left, 24 + 5 - 15 - 7 - 5);
}

// What was decided stays, though the networks would now lead to something else.
TEST(CandidateSearch, KeepsItsDecisions) {
  FakeNetworks networks;
  networks.family_nll = {3, 1};
  networks.weight = {{0, 0.9}, {1, 0.01}, {2, 0.09}};
  const CandidateSearch::Shape shape{.responses = 2, .variants = 3, .splits = 5, .trials = 9};
  CandidateSearch search(shape, networks);
  train(search, networks);
  FakeNetworks others;
  others.family_nll = {1, 3};
  for (Index c = 3; c < 12; ++c) others.quality[c] = static_cast<double>(-c);
  CandidateSearch later(shape, others);
  later.resume(search.progress());
  // Networks of those that dropped out are not trained again.
  EXPECT_EQ(train(later, others), 5 + 5 + 5);
  EXPECT_EQ(later.chosen(), search.chosen());
  EXPECT_EQ(later.family().response, 1);
}

TEST(CandidateSearch, WithoutTrialsOldOnesAreIgnored) {
  FakeNetworks networks;
  CandidateSearch::Shape shape{.responses = 1, .variants = 2, .splits = 3, .trials = 9};
  CandidateSearch search(shape, networks);
  train(search, networks);
  shape.trials = 0;
  CandidateSearch later(shape, networks);
  later.resume(search.progress());
  EXPECT_EQ(train(later, networks), 0);
  EXPECT_EQ(later.chosen(), (std::vector<Index>{0, 1}));
}

TEST(CandidateSearch, RefusesDecisionsThatItCannotHaveMade) {
  FakeNetworks networks;
  const CandidateSearch::Shape shape{.responses = 2, .variants = 2, .splits = 3, .trials = 9};
  const auto is_refused = [&](SearchProgress progress) {
    CandidateSearch search(shape, networks);
    EXPECT_THROW(search.resume(std::move(progress)), Error);
  };
  is_refused({.family = FamilyChoice{2}});
  is_refused({.family = FamilyChoice{-1}});
  is_refused({.brackets = {{{0, 1}}}});  // before the family
  const FamilyChoice first{};
  is_refused({.family = first, .brackets = {{}}});
  is_refused({.family = first, .brackets = {{{0}}}});
  is_refused({.family = first, .brackets = {{{0, 1, 2}}}});
  is_refused({.family = first, .brackets = {{{1, 0}}}});
  is_refused({.family = first, .brackets = {{{0, 1}, {}}}});
  is_refused({.family = first, .brackets = {{{0, 1}, {2}}}});
  is_refused({.family = first, .brackets = {{{0, 1}, {1, 1}}}});
  is_refused({.family = first, .brackets = {{{0, 1}, {0}, {0}}}});  // of two rounds
  is_refused({.family = first, .brackets = {{{0, 1}}, {{2, 4}}}});
  is_refused({.family = first, .brackets = {{{0, 1}}, {{2, 3, 4, 5, 6, 7, 8, 9, 10, 11}}}});
  is_refused({.family = first, .failed = {{0, -1}}});
  is_refused({.failed = {{0, 0}, {1, 0}}});  // nothing would be left
  is_refused({.family = first, .failed = {{0, 0}, {0, 1}}});
  is_refused({.family = first, .brackets = {{{0, 1}}}, .failed = {{0, 0}, {0, 1}}});
  is_refused({.family = first, .brackets = {{{0, 1}, {1}}}, .failed = {{0, 1}}});
  SearchProgress many{.family = first, .brackets = {{{0, 1}}}};
  for (Index k = 0; k <= FitOptions::most_trials; ++k) many.brackets.push_back({{2 + k}});
  is_refused(many);
  many.brackets.pop_back();
  EXPECT_NO_THROW(CandidateSearch(shape, networks).resume(many));
  EXPECT_NO_THROW(CandidateSearch(shape, networks)
                      .resume({.family = first, .brackets = {{{0, 1}, {1}}, {{2, 3}}}}));
}

}  // namespace
}  // namespace probmix::test
