// A model evaluated beside its baselines, on the same rows.
#pragma once

#include <memory>
#include <optional>

#include "probmix/model/evaluation.hpp"
#include "probmix/model/model.hpp"
#include "probmix/model/model_predictor.hpp"

namespace probmix {

// By how much the NLL of a baseline is above that of the model: the mean over the rows and its
// standard error (NaN for one row).
struct Gain {
  double mean = 0, error = 0;
};

struct EvaluationBeside {
  Evaluation model;
  std::optional<Evaluation> linear = {}, marginal = {};
  Gain over_linear = {}, over_marginal = {};
};

class EvaluatorBeside {
 public:
  // The model must outlive this. The result does not depend on the number of threads.
  EvaluatorBeside(const Model& model, Index threads);

  Index block_rows() const { return model_.predict.block_rows(); }
  Members members() const { return model_.predict.all_members(); }
  // Rows of inputs and scaled responses. Returns the outputs of the model, valid until the next
  // call.
  View<const float> add(View<const float> x, View<const double> y);
  // For row r of the last block.
  Predictive density(Index r) const { return model_.predict.density(r); }
  // Throws Diverged if a score of the model is not finite. A baseline with such a score is left
  // out.
  EvaluationBeside result() const;

 private:
  struct Judged {
    ModelPredictor predict;
    Evaluator evaluator;

    Judged(const Model& model, Index threads);
    View<const float> add(View<const float> x, View<const double> y);
  };
  struct Simple {
    Model model;
    Judged judged;
    double gain = 0, squared_gain = 0;  // sums over the rows

    Simple(Model simple, Index threads);
    void add(View<const float> x, View<const double> y, const std::vector<double>& logs);
    Gain mean_gain(Index rows) const;
  };

  Judged model_;
  std::unique_ptr<Simple> linear_, marginal_;
  std::vector<double> logs_ = {};  // of the last rows, under the model
};

}  // namespace probmix
