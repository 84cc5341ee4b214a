// Trains a model on a table.
#pragma once

#include <string>
#include <vector>

#include "probmix/data/frame.hpp"
#include "probmix/model/examples.hpp"
#include "probmix/model/folds.hpp"
#include "probmix/model/model.hpp"
#include "probmix/options/fit_options.hpp"
#include "probmix/train/fit.hpp"

namespace probmix {

// A table prepared for training.
struct Prepared {
  // Decisions and oddities, one line each: the family, columns and rows that are left out.
  std::vector<std::string> remarks = {};
  Examples examples = {};
  Split split = {};  // of the examples
  Target target = {};
  Inputs inputs = Inputs({});
  Matrix<float> x = {};  // the inputs of all rows of the table
  Dataset<float> train = {}, validation = {};

  // The chosen examples as a model sees them.
  Dataset<float> part(const Frame& frame, std::span<const Index> chosen, Index window) const;
};
// Throws a one-line Error if options and table do not fit together.
Prepared prepare(const Frame& frame, const FitOptions& options, const Fold& fold = {});

class ModelFit {
 public:
  // Throws as prepare() does.
  ModelFit(const Frame& frame, const FitOptions& options, const Fold& fold = {});
  ModelFit(const ModelFit&) = delete;
  ModelFit& operator=(const ModelFit&) = delete;

  const FitOptions& options() const { return options_; }  // resolved
  const Prepared& data() const { return data_; }

  bool done() const { return trainer_.done(); }
  void run_epoch() { trainer_.run_epoch(); }
  // The epochs so far. Their NLLs are of scaled responses: add Target::log_scale() for units.
  const FitResult<float>& progress() const { return trainer_.progress(); }

  // The model kept from the epochs so far.
  Model model() const;

  // Identifies this training: options and data. The same identity gives the same model.
  Json identity() const;
  TrainingState<float> state() const { return trainer_.state(); }
  void restore(const TrainingState<float>& state) { trainer_.restore(state); }

 private:
  FitOptions options_;
  Prepared data_;
  Architecture architecture_;
  Graph graph_;
  Trainer<float> trainer_;
};

// What training tells of a finished model: the mean NLL of its validation rows (without any, of its
// training rows), predicted as `predict` does, beside that of the marginal density of the training
// rows.
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
