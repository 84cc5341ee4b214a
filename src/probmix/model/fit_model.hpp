// Trains a model on a table.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "probmix/base/team.hpp"
#include "probmix/model/candidate_search.hpp"
#include "probmix/model/held_out.hpp"
#include "probmix/model/model.hpp"
#include "probmix/model/prepare.hpp"
#include "probmix/train/fit.hpp"

namespace probmix {

// The training of all networks that a search wants (candidate_search.hpp). Held-out rows then
// choose the weights of the candidates. As many networks train side by side as there are threads.
// The result does not depend on their number, nor on interruptions, unless there is a budget of
// time.
class ModelFit : private SearchedNetworks {
 public:
  // Throws as prepare() does.
  ModelFit(const Frame& frame, const FitOptions& options, const Fold& fold = {});
  ~ModelFit() override;
  ModelFit(const ModelFit&) = delete;
  ModelFit& operator=(const ModelFit&) = delete;

  const FitOptions& options() const { return data_.options(); }  // of the first candidate
  const Prepared& data() const { return data_; }
  // The target with the family that was chosen, or until then with the best so far.
  Index response() const { return search_.family().response; }
  const Target& target() const { return data_.responses[to_size(response())].target; }
  // How the family was chosen, in words; empty if there was no choice.
  const std::string& choice() const { return search_.family().text; }

  // Networks are numbered from 0: those of the first candidate and family, one for each split,
  // those of the next family, ... Not all of them are needed. With trials their number grows.
  Index networks() const;
  // How many are trained, all in all (CandidateSearch::needed).
  Index needed() const { return search_.needed(); }
  double seconds() const;   // that training took, also before it was resumed
  bool is_time_up() const;  // the budget is used up; never before there is a usable model
  bool done() const { return is_time_up() || search_.wanted().empty(); }
  bool done(Index network) const;
  // Trains each network whose turn it is for this many seconds, at least for an epoch. A network
  // that diverges keeps its best epoch; if it has none, the model does without its candidate, or
  // Diverged is thrown.
  void run(double seconds);
  void run_epoch() { run(0); }
  void finish();  // runs to the end
  // The epochs of a network so far. Their NLLs are of scaled responses: add Target::log_scale() for
  // units.
  const FitResult<float>& progress(Index network = 0) const;
  Index epochs() const { return epochs_; }  // of all networks
  // Why networks stopped early, one line each.
  const std::vector<std::string>& diverged() const { return diverged_; }

  // The model kept from the epochs so far. Throws an Error if no network has a usable epoch.
  Model model() const;

  // Identifies this training: options and data. The same identity gives the same model.
  Json identity() const;
  // What besides it determines the trials.
  Json search_identity() const;
  // To resume a training: first the decisions of its search, then the states of its networks.
  SearchProgress search() const;
  void resume(SearchProgress search);
  // The networks whose state has changed since the last call.
  std::vector<Index> changed();
  // Those that dropped out of the search since the last call; their states are not needed.
  std::vector<Index> dropped();
  TrainingState<float> state(Index network = 0) const;
  void restore(const TrainingState<float>& state, Index network = 0);

 private:
  struct Training;  // of one network, with its rows

  struct Slot {                          // of a network
    std::unique_ptr<Training> training;  // null: not begun, or finished
    TrainingState<float> finished = {};  // no history: not finished
    OutputLimits limits = {};            // of the finished network
    bool is_changed = false;
    bool is_dropped = false;  // the candidate dropped out: only the history is left
    bool is_drop_told = true;
  };

  Job job(Index network) const;
  Index number(const Job& job) const;
  const FitOptions& options(const Job& job) const;
  const Target& target(const Job& job) const;
  bool selects(const Job& job) const;
  std::uint64_t seed_of(const Job& job) const;

  bool is_trained(const Job& job) const override { return done(number(job)); }
  double nll(Index response, Index candidate, Index networks) override;
  std::vector<double> weights(Index response, std::span<const Index> candidates,
                              Index networks) override;
  FamilyChoice best_family(std::span<const Index> responses, Index networks) override;
  bool is_budget_spent() const;
  bool has_time_for(Index networks) override;

  std::string run_network(Index network, double seconds);
  void settle(Index network, const std::string& fault);
  void end(Index network, TrainingState<float> state);
  void plan();
  void add_candidate(const FitOptions& options);
  void check_densities() const;
  void fail(const Job& job);
  void drop_losers();
  bool is_searching() const { return options().trials > 0 || options().budget > 0; }
  CandidateSearch::Shape shape() const;
  Index threads_each() const;
  // Time that is needed for the weights and for saving.
  double reserve() const;

  OutputLimits limits(const Job& job, const AlignedVector<float>& parameters) const;
  NetworkGroup group(Index response, Index candidate, bool with_unfinished) const;
  Model without_networks(Index response) const;
  // The densities of rows that the first networks of a candidate held out. The same rows for all
  // candidates, whatever they draw.
  const HeldOut& judged(Index response, Index candidate, Index networks) const;
  std::vector<std::string> names_of_candidates() const;
  void weigh(Model& model, const std::vector<Index>& chosen) const;

  Prepared data_;
  std::vector<Architecture> architectures_;  // of the candidates
  Index variants_;                           // candidates of the preset; trials follow
  std::uint64_t fold_number_;
  std::vector<Slot> slots_;  // one for each network
  CandidateSearch search_;
  Index epochs_ = 0;
  mutable std::map<std::tuple<Index, Index, Index>, HeldOut> judged_;
  std::vector<std::string> diverged_;
  // The clock: for budgets.
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double seconds_before_ = 0;
  double training_seconds_ = 0;           // of all networks, since the start
  Index trained_ = 0;                     // networks, since the start
  double longest_run_ = 0;                // in seconds
  mutable double longest_judgement_ = 0;  // of one candidate
  Team team_;
};

// Trains to the end, and judges the model (judge_fit.hpp).
Model fit_model(const Frame& frame, const FitOptions& options, const Fold& fold = {});

}  // namespace probmix
