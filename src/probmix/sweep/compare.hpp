// Methods compared on one's own table by cross-validation: a study like those of the paper.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "probmix/sweep/study_data.hpp"

namespace probmix {

struct CompareOptions {
  FitOptions fit = {};  // each cell has a method of its own
  Index folds = 5;
  Index repeats = 2;  // of the cross-validation, each with other folds; in time there is only one
};

struct Comparison {
  std::shared_ptr<const StudyData>
      data;           // repeats: the folds of one cross-validation after another
  std::string study;  // as study_layout() knows it: "compare", or for classes "compare-classes"
  std::vector<std::string> remarks;
  double test_share;  // rows that are judged for each that is learned from
};

// Throws as prepare() does.
Comparison make_comparison(std::shared_ptr<const Frame> table, const CompareOptions& options);

}  // namespace probmix
