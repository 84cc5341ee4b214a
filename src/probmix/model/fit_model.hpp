// Training of a model on a table.
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

// A table as training needs it.
struct Prepared {
  // What was decided or noticed, a line each: the family, columns and rows that are left out.
  std::vector<std::string> remarks = {};
  Examples examples = {};
  Split split = {};  // of the examples
  Target target = {};
  Inputs inputs = Inputs({});
  Matrix<float> x = {};  // the inputs of all rows of the table
  Dataset<float> train = {}, validation = {};

  // Some examples as a model sees them.
  Dataset<float> part(const Frame& frame, std::span<const Index> chosen, Index window) const;
};
// Throws an Error of one line if something does not fit.
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
  // Those so far. Their NLLs are of scaled responses: Target::log_scale() brings them to units.
  const FitResult<float>& progress() const { return trainer_.progress(); }

  // What is kept of the epochs so far.
  Model model() const;

  // What this training is: options and data. Another with the same gives the same model.
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

// Trains to the end.
Model fit_model(const Frame& frame, const FitOptions& options, const Fold& fold = {});

}  // namespace probmix
