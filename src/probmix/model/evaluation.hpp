// How good a model's predictions are on rows whose targets are known.
#pragma once

#include <array>
#include <vector>

#include "probmix/base/even_sample.hpp"
#include "probmix/base/json.hpp"
#include "probmix/base/team.hpp"
#include "probmix/metric/calibration.hpp"
#include "probmix/model/target.hpp"

namespace probmix {

// In the units of the targets; a mean over the rows unless it says otherwise.
struct Evaluation {
  static constexpr std::array<double, 4> levels = {0.5, 0.8, 0.9, 0.95};

  struct Judged {  // what was seen in a row, and what was predicted: the mean, a 90 % interval
    double observed, mean, low, high;
  };

  struct TargetScores {  // of a target that is no class
    double rmse = 0;     // of the predictive mean
    PitHistogram pit = {};
    double crps = 0;  // Judging::with_crps
    // The rest takes Judging::fully.
    double mae = 0;                                   // of the predictive median
    std::array<double, levels.size()> coverage = {};  // of the central intervals of these levels
    std::array<double, levels.size()> width = {};
    std::vector<Judged> some = {};  // rows at equal distances, for a picture
  };

  Index rows = 0;
  double nll = 0;        // of all targets together
  double draws_nll = 0;  // the same of single members (draws of an embedding), on average
  std::vector<TargetScores> columns = {};
  Reliability classes = {};  // of a target of classes
  double brier = 0;
  // Rows of each class (first all of class 0) by the class that is the most probable; empty if the
  // classes are more than most_confused.
  static constexpr std::size_t most_confused = 20;
  std::vector<Index> confusion = {};
};

// What takes longer than a density: the CRPS, which compares all pairs of members, and quantiles
// (medians and intervals), which are searched for.
enum class Judging { briefly, with_crps, fully };

// Takes rows a block at a time.
class Evaluator {
 public:
  // The target must outlive it. The result does not depend on the number of threads.
  Evaluator(const Target& target, Index members, Index threads = 1,
            Judging judging = Judging::fully);

  // `out` holds the network's outputs, `members` rows for each row of y, which is scaled.
  void add(View<const float> out, View<const double> y);
  Evaluation result() const;

 private:
  void add_classes(View<const float> out, View<const double> y);
  void add_numbers(View<const float> out, View<const double> y);

  const Target& target_;
  Family family_;
  Index members_;
  Team team_;
  Judging judging_;
  Evaluation sum_;                                    // of what result() divides by the rows
  std::vector<EvenSample<Evaluation::Judged>> some_;  // of each target
  bool is_defined_ = true;                            // no probability is NaN
};

// [{"count", "confidence", "accuracy"}], a bin each.
Json to_json(const Reliability& reliability);

// {"rows", "nll", "draws_nll", and for each target or for classes the rest}.
Json to_json(const Evaluation& evaluation, const Target& target);

class ModelPredictor;

// Judges the model's densities for rows of inputs and scaled responses.
Evaluation evaluate(ModelPredictor& predict, const Target& target, View<const float> x,
                    View<const double> y, Judging judging = Judging::fully);

}  // namespace probmix
