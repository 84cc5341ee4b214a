// Which of the compared methods to use, and how certain that is.
#pragma once

#include <string>
#include <vector>

#include "probmix/sweep/study_layout.hpp"

namespace probmix {

struct Recommendation {
  const Method* best = nullptr;    // by the mean NLL; null: none finished all folds
  const Method* second = nullptr;  // null: there is no other
  Index wins = 0, runs = 0;        // folds in which the best beats the second, and all folds
  double difference = 0;           // of their mean NLLs, > 0
  // p-value of the t-test for cross-validation (Nadeau and Bengio 2003), which allows for the
  // overlap between folds; NaN with fewer than 3 folds.
  double p = 1;
  // The best and those that the folds do not tell from it (p >= 0.05), the simplest first.
  std::vector<const Method*> alike = {};
};
Recommendation recommend(const StudyLayout& layout, const std::vector<CellSummary>& cells,
                         double test_share);
// In words, one paragraph.
std::string to_text(const Recommendation& recommendation);
// {"method", "use", "second", "wins", "runs", "difference", "p", "alike", "text"}; null for what is
// missing.
Json to_json(const Recommendation& recommendation);

}  // namespace probmix
