// A model evaluated beside its baselines, on the same rows.
#pragma once

#include <memory>
#include <optional>

#include "probmix/model/evaluation.hpp"
#include "probmix/model/model.hpp"
#include "probmix/model/model_predictor.hpp"

namespace probmix {

struct EvaluationBeside {
  Evaluation model;
  std::optional<Evaluation> linear = {}, marginal = {};
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
  // Of row r of the last block.
  Predictive density(Index r) const { return model_.predict.density(r); }
  // Throws Diverged if a score of the model is not finite; without a baseline of which that is
  // true.
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

    Simple(Model simple, Index threads);
  };

  Judged model_;
  std::unique_ptr<Simple> linear_, marginal_;
};

}  // namespace probmix
