// Training of one model: epochs of steps, selection on validation data, early stopping.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "probmix/data/dataset.hpp"
#include "probmix/graph/graph.hpp"
#include "probmix/mix/draw.hpp"
#include "probmix/mix/method.hpp"
#include "probmix/mix/options.hpp"
#include "probmix/nn/network.hpp"
#include "probmix/train/optimiser.hpp"
#include "probmix/train/patience.hpp"
#include "probmix/train/predictor.hpp"
#include "probmix/train/schedule.hpp"
#include "probmix/train/step.hpp"

namespace probmix {

struct TrainOptions {
  static constexpr Index most_epochs = 1'000'000'000;
  static constexpr Index largest_batch = std::numeric_limits<std::int32_t>::max();

  std::optional<Index> epochs = 500;  // unset: chosen by the code that knows the data
  std::optional<Index> batch = 0;     // rows of a mini-batch; 0 or unset: all rows at once
  OptimiserOptions optimiser = {};
  ScheduleOptions schedule = {};  // over all epochs, whether or not patience ends them
  // If above 0, validation and the result use a moving average of the parameters: after each step
  // average = decay · average + (1 − decay) · parameters, with this decay, or (1 + t) / (10 + t)
  // while that is smaller, so that a short training forgets its start (t: steps before).
  double average = 0;
  // Keep the parameters with the smallest validation NLL instead of the last ones.
  bool select_best = true;
  // That NLL is of the mixture over this many draws of a random embedding; 0: of its mean alone.
  Index selection_members = 0;
  // Stop after this many epochs without a better one (patience.hpp); 0 or unset: never.
  std::optional<Index> patience = 0;
  // If smaller: after an early best epoch, wait less long for a better one: twice the epochs that
  // it took, but at least this many. Unset: as patience.
  std::optional<Index> least_patience = {};
  Index threads = 1;  // share the rows of a step; the result does not depend on their number
};

// Throws a UsageError that names the option, its value and what is accepted.
void check_options(const TrainOptions& options);

// An epoch as seen from outside: the mixed loss over its steps, and the plain (unmixed) NLL of the
// validation rows after it, with the mean of the embedding or selection_members draws of it.
struct Epoch {
  double loss;
  double validation_nll;
};

template <class Real>
struct FitResult {
  AlignedVector<Real> parameters;
  Index best_epoch = 0;  // counted from 1; 0: the initial parameters
  std::vector<Epoch> history;
};

// Throws Diverged if no epoch gave a usable model. `selects`: the best epoch was to be kept.
template <class Real>
void check_usable(const FitResult<Real>& kept, bool selects);

// The graph the method draws its partners from: complete, or the K nearest neighbours (the same
// whatever the number of threads).
template <class Real>
Graph make_graph(const Method& method, const MixOptions& options, const Matrix<Real>& x,
                 Index threads = 1);

// Everything that changes while a Trainer runs: enough to resume training later or elsewhere, bit
// for bit.
template <class Real>
struct TrainingState {
  AlignedVector<Real> parameters = {};
  AlignedVector<Real> average = {};  // empty if parameters are not averaged
  typename Optimiser<Real>::State optimiser = {};
  std::uint64_t steps = 0;
  double best_nll = std::numeric_limits<double>::infinity();
  FitResult<Real> kept = {};
  bool is_ended = false;  // for good, though there may be epochs left: it diverged
};

// Whether a training with this state has come to its end. `selects`: it keeps the best epoch.
bool is_finished(const TrainOptions& options, bool selects, const TrainingState<float>& state);

// Training as a value that is advanced an epoch at a time, from parameters that the seed
// determines. The graph and the data must outlive it.
template <class Real>
class Trainer {
 public:
  // Throws when network, family, method, data or options do not fit together.
  Trainer(const Network<Real>& network, const Family& family, const Method& method,
          const MixOptions& mix, const TrainOptions& options, const Graph& graph,
          const Dataset<Real>& train, const Dataset<Real>& validation, std::uint64_t seed);

  // All epochs are done, or patience has run out.
  bool done() const;
  // Throws an Error when the loss or its gradient is no longer finite.
  void run_epoch();
  // What is kept of the epochs so far. result() throws an Error if no epoch gave a usable model.
  const FitResult<Real>& progress() const { return kept_; }
  FitResult<Real> result() const;

  TrainingState<Real> state() const;
  // Resumes from the state of a Trainer constructed with the same arguments. Throws an Error if the
  // sizes show that it was not.
  void restore(const TrainingState<Real>& state);

 private:
  double run_steps();
  void update_average();
  Index batches() const { return (train_.rows() + batch_ - 1) / batch_; }  // of an epoch
  bool selects() const { return validation_.rows() > 0 && options_.select_best; }

  TrainOptions options_;
  const Dataset<Real>& train_;
  const Dataset<Real>& validation_;
  std::uint64_t seed_;
  Index batch_;
  Team team_;
  Drawer<Real> drawer_;
  Step<Real> step_;
  Optimiser<Real> optimise_;
  Predictor<Real> predict_;
  Family family_;
  AlignedVector<Real> parameters_;
  AlignedVector<Real> average_;  // of the parameters; empty without averaging
  AlignedVector<Real> gradient_;
  Matrix<Real> validation_out_;
  std::vector<Index> order_;
  std::uint64_t steps_ = 0;
  Patience patience_;
  double best_nll_ = std::numeric_limits<double>::infinity();
  FitResult<Real> kept_;
};

// Trains to the end. Without validation rows the last parameters are kept.
template <class Real>
FitResult<Real> fit(const Network<Real>& network, const Family& family, const Method& method,
                    const MixOptions& mix, const TrainOptions& options, const Graph& graph,
                    const Dataset<Real>& train, const Dataset<Real>& validation,
                    std::uint64_t seed);

extern template class Trainer<float>;
extern template class Trainer<double>;

}  // namespace probmix
