#include "probmix/model/beside_baseline.hpp"

#include <utility>

#include "probmix/base/error.hpp"
#include "probmix/model/baseline.hpp"

namespace probmix {

EvaluatorBeside::Judged::Judged(const Model& model, Index threads)
    : predict(model, threads), evaluator(model.target, predict.all_members(), threads) {}

View<const float> EvaluatorBeside::Judged::add(View<const float> x, View<const double> y) {
  const View<const float> outputs = predict.outputs(x);
  evaluator.add(outputs, y);
  return outputs;
}

EvaluatorBeside::Simple::Simple(Model simple, Index threads)
    : model(std::move(simple)), judged(model, threads) {}

EvaluatorBeside::EvaluatorBeside(const Model& model, Index threads) : model_(model, threads) {
  if (auto simple = linear_model(model)) {
    linear_ = std::make_unique<Simple>(*std::move(simple), threads);
  }
  if (auto simple = marginal_model(model)) {
    marginal_ = std::make_unique<Simple>(*std::move(simple), threads);
  }
}

View<const float> EvaluatorBeside::add(View<const float> x, View<const double> y) {
  if (linear_) linear_->judged.add(x, y);
  if (marginal_) marginal_->judged.add(x, y);
  return model_.add(x, y);
}

EvaluationBeside EvaluatorBeside::result() const {
  const auto of_simple = [](const std::unique_ptr<Simple>& simple) -> std::optional<Evaluation> {
    if (!simple) return {};
    try {
      return simple->judged.evaluator.result();
    } catch (const Diverged&) {
      return {};
    }
  };
  return {.model = model_.evaluator.result(),
          .linear = of_simple(linear_),
          .marginal = of_simple(marginal_)};
}

}  // namespace probmix
