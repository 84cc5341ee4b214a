// Compares methods on the user's own table by cross-validation: a study like the paper's.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "probmix/sweep/study_data.hpp"

namespace probmix {

struct CompareOptions {
  FitOptions fit = {};  // its method is replaced by that of each cell
  Index folds = 5;
  Index repeats = 2;  // of the cross-validation, each with new folds; only 1 if split in time
};

struct Comparison {
  std::shared_ptr<const StudyData>
      data;           // its repeats are the folds of all cross-validations in turn
  std::string study;  // name for study_layout(): "compare", or for classes "compare-classes"
  std::vector<std::string> remarks;
  double test_share;  // test rows per training row, averaged over the folds
};

// Throws as prepare() does.
Comparison make_comparison(const std::shared_ptr<const Frame>& table,
                           const CompareOptions& options);

}  // namespace probmix
