// Trains a model on a table.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "probmix/base/team.hpp"
#include "probmix/model/model.hpp"
#include "probmix/model/prepare.hpp"
#include "probmix/train/fit.hpp"

namespace probmix {

// The training of all networks of a model. As many train side by side as there are threads; the
// result does not depend on their number.
class ModelFit {
 public:
  // Throws as prepare() does.
  ModelFit(const Frame& frame, const FitOptions& options, const Fold& fold = {});
  ~ModelFit();
  ModelFit(const ModelFit&) = delete;
  ModelFit& operator=(const ModelFit&) = delete;

  const FitOptions& options() const { return data_.options; }  // resolved
  const Prepared& data() const { return data_; }

  Index networks() const { return std::ssize(data_.splits); }
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

  std::vector<Index> in_training();
  void start(Index network);
  void finish(Index network);
  std::uint64_t seed_of(Index network) const;

  Prepared data_;
  Architecture architecture_;
  std::uint64_t fold_number_;
  // One entry for each network.
  std::vector<std::unique_ptr<Training>> training_;  // null: not begun, or finished
  std::vector<TrainingState<float>> finished_;       // empty: not finished
  std::vector<char> is_changed_;
  std::vector<std::string> diverged_;
  Team team_;
};

// What training tells of a finished model: the mean NLL of its validation rows (without any, of its
// training rows), beside that of the marginal density of the training rows. Each row is judged by
// the networks that did not learn from it: one of an ensemble, whose mixture is better than that.
struct FitJudgement {
  double nll = 0;
  double marginal_nll = 0;

  bool is_worse_than_marginal() const { return nll > marginal_nll; }
};
// Writes both into the model's description. Throws Diverged if the predicted density of a row is
// not finite.
FitJudgement judge_fit(const ModelFit& fit, Model& model);

// Trains to the end, and judges the model.
Model fit_model(const Frame& frame, const FitOptions& options, const Fold& fold = {});

}  // namespace probmix
