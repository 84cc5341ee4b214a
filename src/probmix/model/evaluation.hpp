// How good a model's predictions are on rows whose targets are known.
#pragma once

#include <array>
#include <limits>
#include <memory>
#include <vector>

#include "probmix/base/even_sample.hpp"
#include "probmix/base/json.hpp"
#include "probmix/base/team.hpp"
#include "probmix/family/members.hpp"
#include "probmix/metric/calibration.hpp"
#include "probmix/metric/two_classes.hpp"
#include "probmix/model/predictive.hpp"
#include "probmix/model/target.hpp"

namespace probmix {

// In the units of the targets; means over the rows unless noted.
struct Evaluation {
  static constexpr std::array<double, 4> levels = {0.5, 0.8, 0.9, 0.95};

  struct Judged {  // one row: the observed value, the predicted mean and 90 % interval
    double observed, mean, low, high;
  };

  struct TargetScores {  // of a numeric target
    double rmse = 0;     // of the predictive mean
    PitHistogram pit = {};
    double crps = 0;  // needs Judging::with_crps
    // The rest needs Judging::fully.
    double mae = 0;                                   // of the predictive median
    std::array<double, levels.size()> coverage = {};  // of the central intervals at `levels`
    std::array<double, levels.size()> width = {};
    std::vector<Judged> some = {};  // evenly spaced rows, for a chart
  };

  Index rows = 0;
  Index censored = 0;    // of them; they count in the NLL alone, not in the scores of `columns`
  double nll = 0;        // of all targets together
  double draws_nll = 0;  // mean NLL of single members (draws of an embedding)
  std::vector<TargetScores> columns = {};
  Reliability classes = {};  // of a target of classes
  double brier = 0;
  std::vector<Index> observed = {}, recalled = {};  // rows of each class, and those predicted as it
  double balanced_accuracy = 0;                     // mean share of its rows over observed classes
  // Of the second of two classes; NaN otherwise, or if one of them is not among the rows.
  double auc = std::numeric_limits<double>::quiet_NaN();
  double average_precision = std::numeric_limits<double>::quiet_NaN();
  // Counts of rows by observed and most probable class, row-major; empty if there are more than
  // most_confused classes.
  static constexpr std::size_t most_confused = 20;
  std::vector<Index> confusion = {};
};

// How much to compute. Slower than densities are the CRPS, which compares all pairs of members, and
// quantiles (medians and intervals), which need a search.
enum class Judging { briefly, with_crps, fully };

// Accumulates scores block by block.
class Evaluator {
 public:
  // The target must outlive this. The result does not depend on the number of threads.
  Evaluator(const Target& target, const Members& members, Index threads = 1,
            Judging judging = Judging::fully);

  // `out` holds the network's outputs, the rows of all members for each row of the scaled responses
  // y.
  void add(View<const float> out, View<const double> y);
  // Whether any row had a target that is not censored: without, there are no scores.
  bool has_observed() const { return sum_.rows > sum_.censored; }
  // Throws Diverged if a score is not finite.
  Evaluation result() const;

 private:
  void count_not_finite(View<const float> out, View<const double> y);
  void add_classes(View<const float> out, View<const double> y);
  void add_numbers(View<const float> out, View<const double> y);
  Members all_members() const { return weights_.empty() ? Members(members_) : Members(weights_); }
  Predictive density(View<const float> out, Index r) const;
  void add_observed(View<const float> out, View<const double> y);

  const Target& target_;
  Family family_, likelihood_;
  Index members_;
  std::vector<double> weights_;  // of the members; empty: all equal
  Team team_;
  Judging judging_;
  Evaluation sum_;                                    // sums, which result() divides by the rows
  std::vector<EvenSample<Evaluation::Judged>> some_;  // of each target
  std::unique_ptr<TwoClasses> two_classes_;           // null unless there are two classes
  Index not_finite_ = 0, first_not_finite_ = 0;       // rows whose score is not finite
};

// [{"count", "confidence", "accuracy"}], one entry per bin.
Json to_json(const Reliability& reliability);

// {"rows", "nll", "draws_nll", then the scores of each target or of the classes}.
Json to_json(const Evaluation& evaluation, const Target& target);

class ModelPredictor;

// Evaluates the model's densities on rows of inputs and scaled responses.
Evaluation evaluate(ModelPredictor& predict, const Target& target, View<const float> x,
                    View<const double> y, Judging judging = Judging::fully, Index threads = 1);

}  // namespace probmix
