// Trains a model on a table.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "probmix/base/team.hpp"
#include "probmix/model/model.hpp"
#include "probmix/model/prepare.hpp"
#include "probmix/model/search_progress.hpp"
#include "probmix/train/fit.hpp"

namespace probmix {

// The training of all networks of a model, in this order:
//   1. where several families suit the target, two networks of each; the rows that they held out
//      choose the family;
//   2. for each candidate (options/candidates.hpp), a network for each split. Those that were
//      trained to choose the family are among them;
//   3. trials (options/trial.hpp), if they are wanted, in brackets of nine: one network of each, a
//      second one of the best three, all of the best. What is best, the held-out rows say.
// The held-out rows then choose the weights of the candidates, which the best trials have joined.
// As many networks train side by side as there are threads. The result does not depend on their
// number, nor on interruptions, unless there is a budget of time.
class ModelFit {
 public:
  // Throws as prepare() does.
  ModelFit(const Frame& frame, const FitOptions& options, const Fold& fold = {});
  ~ModelFit();
  ModelFit(const ModelFit&) = delete;
  ModelFit& operator=(const ModelFit&) = delete;

  const FitOptions& options() const { return data_.options(); }  // of the first candidate
  const Prepared& data() const { return data_; }
  // The target with the family that was chosen, or until then with the first.
  Index response() const;
  const Target& target() const { return data_.responses[to_size(response())].target; }
  // How the family was chosen, in words; empty if there was no choice.
  const std::string& choice() const { return choice_; }

  // Networks are numbered from 0: those of the first candidate and family, one for each split,
  // those of the next family, ... Not all of them are needed. With trials their number grows.
  Index networks() const;
  // How many are trained; with a budget, those that are known.
  Index needed() const;
  // The search so far. Resume it before the networks, and with them.
  SearchProgress search() const { return {seconds(), brackets_}; }
  void resume_search(const SearchProgress& search);
  double seconds() const;   // that training took, also before it was resumed
  bool is_time_up() const;  // the budget is used up; never before the first epoch
  bool done() const;
  bool done(Index network) const;
  // One epoch of each network that is in training. A network that diverges keeps its best epoch;
  // throws Diverged if it has none.
  void run_epoch();
  // The epochs of a network so far. Their NLLs are of scaled responses: add Target::log_scale() for
  // units.
  const FitResult<float>& progress(Index network = 0) const;
  Index epochs() const;  // of all networks
  // Why networks stopped early, one line each.
  const std::vector<std::string>& diverged() const { return diverged_; }

  // The model kept from the epochs so far. Throws an Error if a network has no usable epoch.
  Model model() const;

  // Identifies this training: options and data. The same identity gives the same model.
  Json identity() const;
  // The networks whose state has changed since the last call.
  std::vector<Index> changed();
  TrainingState<float> state(Index network = 0) const;
  void restore(const TrainingState<float>& state, Index network = 0);

 private:
  struct Training;  // of one network, with its rows

  struct Job {  // what a network is for
    Index response, candidate, split;
  };
  Job job(Index network) const;
  Index number(const Job& job) const;

  std::vector<Index> in_training();
  void start(Index network);
  bool can_start(Index network);
  void finish(Index network);
  void plan();
  bool is_plan_done() const;
  void plan_trials();
  bool is_searching() const { return options().trials > 0 || options().budget > 0; }
  Index bracket_size(Index trials_before) const;
  double held_out_nll(Index trial, Index networks);
  bool is_affordable(const std::vector<Index>& networks) const;
  void add_candidate(const FitOptions& options);
  bool has_alternative(const Job& job) const;
  void rule_out(const Job& job);
  std::uint64_t seed_of(const Job& job) const;
  NetworkGroup group(Index response, Index candidate) const;
  Model without_networks(Index response) const;
  std::vector<std::string> names_of_candidates() const;
  void weigh(Model& model, const std::vector<Index>& chosen) const;
  void choose_family();

  Prepared data_;
  std::vector<Architecture> architectures_;  // of the candidates
  Index variants_;                           // candidates of the preset; trials follow
  std::uint64_t fold_number_;
  // One entry for each network.
  std::vector<std::unique_ptr<Training>> training_;  // null: not begun, or finished
  std::vector<TrainingState<float>> finished_;       // empty: not finished
  std::vector<char> is_changed_;
  std::vector<Index> planned_;                   // the networks to train, as far as that is known
  std::set<std::pair<Index, Index>> ruled_out_;  // families and candidates that diverged
  std::optional<Index> family_;                  // the chosen response
  std::vector<std::vector<Index>> brackets_;     // as in SearchProgress
  std::vector<Index> winners_;                   // the best trial of each bracket
  bool has_epoch_ = false;
  std::map<std::pair<Index, Index>, double> judged_;  // held-out NLLs of trials and networks
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double seconds_before_ = 0;
  std::string choice_;
  std::vector<std::string> diverged_;
  Team team_;
};

// Trains to the end, and judges the model (judge_fit.hpp).
Model fit_model(const Frame& frame, const FitOptions& options, const Fold& fold = {});

}  // namespace probmix
