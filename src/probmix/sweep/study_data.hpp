// A data set of a study, handled like the user's own data: a table, the options for training on it,
// and the folds on which models are judged. Its runs use ModelFit and evaluate().
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
  FitOptions options = {};  // method and settings are replaced by those of each cell
  Json identity = {};       // of the data: {"dataset", "rows", "fingerprint", ...}
  std::string repeat = {};  // the name of a repeat: "split"
  std::function<Case(Index repeat)> at = {};
  Index repeats = 0;          // at most; 0: any number
  bool standardised = false;  // scores are in units of the training rows' deviation
  bool has_crps = true;       // whether the scores of judged parts include the CRPS
  // Results also say how good the marginal density of the training rows is, and which family was
  // chosen; the seconds of a run are those of training, without scoring.
  bool is_benchmark = false;
  // What the first repeat records for charts besides its scores; may be empty.
  std::function<Json(const Case&, const ModelFit&, const Model&)> pictures = {};
};

// What identifies a run: data, repeat, method and every option that it uses.
Json configuration_of(const StudyData& data, const FitOptions& options, Index repeat);

// {"train", "validation", the judged parts of the fold} with the scores of each, "best_epoch", and
// for the first repeat "curve" and "pictures". The scores: {"rows", "nll", "draws_nll"} and "mse",
// "rmse" and "pit" (the shares of its bins), or for classes "brier", "accuracy", "ece" and
// "reliability"; judged parts may also have "crps" and "coverage_90", the share of responses
// between the 5 % and the 95 % quantile. The scores of a part without rows are NaN. A benchmark
// also has "family", "marginal_nll" of the first judged part, "seconds", and "cpu_seconds": the
// processor time of training and of predicting that part.
Json run_fit(const StudyData& data, const FitOptions& options, Index repeat);

// One cell for each data set and method; the cells share the data.
std::vector<StudyCell> study_cells(const std::vector<std::shared_ptr<const StudyData>>& sets,
                                   const std::vector<const Method*>& chosen);

// A 64-bit hash of a table's columns, as hex: identifies a run's input whatever its file is called.
std::string fingerprint_of(const Frame& frame);

}  // namespace probmix
