// Methods compared on one's own table by cross-validation: a study like those of the paper.
#pragma once

#include <string>
#include <vector>

#include "probmix/experiment/study.hpp"
#include "probmix/experiment/views.hpp"
#include "probmix/model/fit_model.hpp"
#include "probmix/model/folds.hpp"

namespace probmix {

struct CompareOptions {
  FitOptions fit = {};  // the method is another one in each cell
  Index folds = 5;
  Index repeats = 2;  // of the cross-validation, each with other folds; in time there is only one
};

class Comparison {
 public:
  // Learns from `frame`, which must outlive it, how to split. Throws as prepare() does.
  Comparison(const Frame& frame, CompareOptions options);

  // As study_view() knows it: "compare", or of classes "compare-classes".
  const std::string& study() const { return study_; }
  // All repeats of the study: folds of the first cross-validation, then of the next.
  Index runs() const { return std::ssize(folds_); }
  const std::vector<std::string>& remarks() const { return remarks_; }
  // Of the rows: how many are judged for each that is learned from.
  double test_share() const;

  // One for each method. This must outlive them.
  std::vector<StudyCell> cells(const std::vector<const Method*>& methods) const;

 private:
  FitOptions fit_options(const Method& method, const MixOptions& mix) const;
  Json configuration(const Method& method, const MixOptions& mix, Index fold) const;
  Json run(const Method& method, const MixOptions& mix, Index fold) const;

  const Frame& frame_;
  CompareOptions options_;
  std::string study_;
  Examples examples_;
  std::vector<Fold> folds_;
  std::vector<std::string> remarks_;
  std::string fingerprint_;
};

// Which method to take, and how sure that is.
struct Recommendation {
  const Method* best = nullptr;    // by the mean NLL; null: none came to an end
  const Method* second = nullptr;  // null: there is no other
  Index wins = 0, runs = 0;        // folds in which the best beats the second, of all
  double difference = 0;           // of their mean NLLs, > 0
  // Of the t-test for cross-validation (Nadeau and Bengio 2003), which allows for what the folds
  // have in common; NaN with less than 3 folds.
  double p = 1;
};
Recommendation recommend(const StudyView& view, const std::vector<CellSummary>& cells,
                         double test_share);
// In words, one paragraph.
std::string to_text(const Recommendation& recommendation);
// {"method", "second", "wins", "runs", "difference", "p", "text"}; null where there is none.
Json to_json(const Recommendation& recommendation);

}  // namespace probmix
