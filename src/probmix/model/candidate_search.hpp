// Which networks a training needs, and which candidates its model consists of: a search in rounds.
//
//   1. Where several families suit the target, two networks of each, with the options of the first
//      candidate. The rows that they held out choose the family.
//   2. Brackets of candidates (FitOptions). The first bracket holds the variants of the preset
//      (options/candidates.hpp), each later one up to nine trials (options/trial.hpp). In each
//      round of a bracket the candidates get more networks, up to one for each split, and held-out
//      rows decide which go on to the next. Those of the last round are in the model.
//
// The decisions depend on nothing but the networks, unless there is a budget of time; and once made
// they stay. So an interrupted search that is given its decisions again ends like any other.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "probmix/base/matrix.hpp"

namespace probmix {

// What a network is for: it predicts this family (a response of Prepared), has the options of this
// candidate, and holds out the validation rows of this split.
struct Job {
  Index response = 0, candidate = 0, split = 0;
};

struct FamilyChoice {
  Index response = 0;
  std::string text = {};  // how it was made, in words; empty if there was nothing to choose
};

// The decisions of a search.
struct SearchProgress {
  double seconds = 0;  // that the training took
  double spent = 0;    // the budget of time that it used up, if it ended for lack of time
  std::optional<FamilyChoice> family = {};
  // Of each bracket, of each round that has begun: the candidates, the best first.
  std::vector<std::vector<std::vector<Index>>> brackets = {};
  std::set<std::pair<Index, Index>> failed = {};  // responses and candidates without a usable model
};

// What a search asks about the networks.
class SearchedNetworks {
 public:
  virtual ~SearchedNetworks() = default;
  virtual bool is_trained(const Job& job) const = 0;
  // The NLL of held-out rows under the first networks of a candidate; infinite if it is not finite.
  virtual double nll(Index response, Index candidate, Index networks) = 0;
  // The weights under which a mixture of these candidates fits the held-out rows best.
  virtual std::vector<double> weights(Index response, std::span<const Index> candidates,
                                      Index networks) = 0;
  // By the first networks of the first candidate.
  virtual FamilyChoice best_family(std::span<const Index> responses, Index networks) = 0;
  // Whether so many more networks can be trained within the budget.
  virtual bool has_time_for(Index networks) = 0;
};

class CandidateSearch {
 public:
  static constexpr Index bracket_size = 9;
  static constexpr Index most_winners = 20;  // trials in a model

  struct Shape {
    Index responses, variants, splits;
    Index trials = 0;  // at most
    bool has_budget =
        false;          // trials only as long as there is time, in one bracket after the other
    Index at_once = 1;  // networks that train side by side
  };
  CandidateSearch(const Shape& shape, SearchedNetworks& networks);

  // Call this whenever a network has been trained.
  void plan();
  // A candidate (of all families if it is not the first) without a usable network. Plans anew.
  void fail(Index response, Index candidate);
  bool has_failed(const Job& job) const {
    return progress_.failed.contains({job.response, job.candidate});
  }
  // Whether a model is possible without this candidate.
  bool can_do_without(const Job& job) const;

  // The networks to train, the most urgent first; empty: the search is over.
  const std::vector<Job>& wanted() const { return wanted_; }
  // How many networks the search takes, including those that are trained; an estimate, as the
  // variants that drop out are not known beforehand.
  Index needed() const;
  // One more than the largest candidate so far.
  Index candidates() const { return candidates_; }
  // For each candidate whether it has not dropped out.
  std::vector<bool> alive() const;
  // The candidates of the model. In a search that is cut short: those variants that have not
  // dropped out, and the trials of brackets that are finished.
  std::vector<Index> chosen() const;

  // The chosen family; before the choice the best one by the networks there are.
  const FamilyChoice& family() const;

  const SearchProgress& progress() const { return progress_; }
  // Decisions of an earlier search for the same model. Those on trials are ignored if none are
  // wanted. Throws an Error if they cannot be decisions of such a search.
  void resume(SearchProgress progress);

 private:
  std::vector<Index> possible_families() const;
  std::vector<Index> without_failed(const std::vector<Index>& candidates) const;
  Index rounds(std::size_t bracket) const;
  Index rounds(std::size_t bracket, Index candidates) const;
  // Of each candidate after this round.
  Index networks_after(std::size_t bracket, Index round) const;
  bool is_possible(const SearchProgress& progress) const;
  bool is_possible(std::size_t bracket, const std::vector<std::vector<Index>>& begun,
                   Index first) const;
  void plan_bracket(std::size_t bracket);
  bool add_bracket();
  std::vector<Index> best(std::size_t bracket, const std::vector<Index>& candidates,
                          Index networks);

  Shape shape_;
  SearchedNetworks& networks_;
  SearchProgress progress_;
  std::vector<Job> wanted_;
  Index candidates_ = 0;
  mutable FamilyChoice so_far_;  // while there is no choice, and the networks it is by
  mutable std::pair<std::vector<Index>, Index> judged_;
};

}  // namespace probmix
