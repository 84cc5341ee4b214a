// A data set of a study on the road of one's own data: a table, the options of a training on it,
// and the folds by which it is judged. Its runs go through ModelFit and Evaluator.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "probmix/data/frame.hpp"
#include "probmix/model/fit_model.hpp"
#include "probmix/sweep/study.hpp"

namespace probmix {

struct StudyData {
  // One repeat: a table and a fold of it.
  struct Case {
    std::shared_ptr<const Frame> table;
    Fold fold;
  };

  std::string name = {};
  FitOptions options = {};  // a cell brings its own method and settings
  Json identity = {};       // of the data: {"dataset", "rows", "fingerprint", ...}
  std::string repeat = {};  // what repeats are called: "split"
  std::function<Case(Index repeat)> at = {};
  Index repeats = 0;          // at most; 0: any number
  bool standardised = false;  // scores are in units of the training rows' deviation
  bool has_crps = true;       // among the scores of judged parts
  // What the first repeat shows besides its scores; none: nothing.
  std::function<Json(const Case&, const ModelFit&, const Model&)> pictures = {};
};

// What a run is known by: data, repeat, method and every option that it makes use of.
Json configuration_of(const StudyData& data, const FitOptions& options, Index repeat);

// {"train", "validation", the judged parts of the fold} with the scores of each, "best_epoch", and
// of the first repeat "curve" and what it shows. The scores: {"rows", "nll", "draws_nll"} and
// "mse", "rmse" and "pit" (the shares of its bins), or for classes "brier", "accuracy", "ece" and
// "reliability"; judged parts may also have "crps". Those of a part
// without rows are NaN.
Json run_fit(const StudyData& data, const FitOptions& options, Index repeat);

// One cell for each data set and method. They share the data.
std::vector<StudyCell> study_cells(const std::vector<std::shared_ptr<const StudyData>>& sets,
                                   const std::vector<const Method*>& chosen);

// A 64-bit hash of a table's columns, as hex: identifies a run's input whatever its file is called.
std::string fingerprint_of(const Frame& frame);

}  // namespace probmix
