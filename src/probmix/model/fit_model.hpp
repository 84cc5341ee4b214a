// Training of a model on a table.
#pragma once

#include <string>
#include <vector>

#include "probmix/data/frame.hpp"
#include "probmix/model/examples.hpp"
#include "probmix/model/model.hpp"
#include "probmix/train/fit.hpp"

namespace probmix {

// The defaults are those that did best on average over eight tables (docs/defaults.md).
struct FitOptions {
  std::vector<std::string> targets = {};
  std::vector<std::string> inputs = {};  // empty: all columns but those of another use
  std::string family = {};               // empty: the one that fits the target
  FamilyOptions family_options{.positive = {Positive::Kind::exp, 1e-4}};
  Method method = find_method("probmix");
  MixOptions mix{.alpha = 0.1};
  TrainOptions train{.epochs = 1000, .batch = 128, .patience = 300};
  Architecture architecture{.mlp = {.hidden = {128, 32}}};
  Index members = 100;
  InputOptions input_options = {};
  Index embed_from = 0;      // levels from which on a category has a learned embedding; 0: none
  std::string weights = {};  // a column of weights; empty: all 1
  SeriesShape series = {};
  double validation = 0.2;  // share of the rows
  std::uint64_t seed = 1;
};

// Those of which the method makes use, by their names on the command line; not family and columns.
Json configuration_of(const FitOptions& options);

// A table as training needs it.
struct Prepared {
  // What was decided or noticed, a line each: the family, columns and rows that are left out.
  std::vector<std::string> remarks = {};
  Target target;
  Inputs inputs;
  Dataset<float> train = {}, validation = {};
};
// `chosen` examples only (empty: all). Throws an Error of one line if something does not fit.
Prepared prepare(const Frame& frame, const FitOptions& options, std::span<const Index> chosen = {});

class ModelFit {
 public:
  // Throws as prepare() does.
  ModelFit(const Frame& frame, const FitOptions& options, std::span<const Index> chosen = {});
  ModelFit(const ModelFit&) = delete;
  ModelFit& operator=(const ModelFit&) = delete;

  const FitOptions& options() const { return options_; }
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
Model fit_model(const Frame& frame, const FitOptions& options);

}  // namespace probmix
