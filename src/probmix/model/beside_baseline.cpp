#include "probmix/model/beside_baseline.hpp"

#include <algorithm>
#include <cmath>
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

void EvaluatorBeside::Simple::add(View<const float> x, View<const double> y,
                                  const std::vector<double>& logs) {
  judged.add(x, y);
  for (Index r = 0; r < y.rows; ++r) {
    const double apart =
        logs[to_size(r)] - judged.predict.density(r).log_density_of_scaled(y.row(r));
    gain += apart;
    squared_gain += apart * apart;
  }
}

Gain EvaluatorBeside::Simple::mean_gain(Index rows) const {
  const auto n = static_cast<double>(rows);
  const double mean = gain / n;
  return {mean, std::sqrt(std::max(0.0, squared_gain / n - mean * mean) / (n - 1))};
}

EvaluatorBeside::EvaluatorBeside(const Model& model, Index threads) : model_(model, threads) {
  if (auto simple = linear_model(model)) {
    linear_ = std::make_unique<Simple>(*std::move(simple), threads);
  }
  if (auto simple = marginal_model(model)) {
    marginal_ = std::make_unique<Simple>(*std::move(simple), threads);
  }
}

View<const float> EvaluatorBeside::add(View<const float> x, View<const double> y) {
  const View<const float> outputs = model_.add(x, y);
  logs_.resize(to_size(y.rows));
  model_.predict.for_each(y.rows, [&](Index r, const Predictive& density) {
    logs_[to_size(r)] = density.log_density_of_scaled(y.row(r));
  });
  if (linear_) linear_->add(x, y, logs_);
  if (marginal_) marginal_->add(x, y, logs_);
  return outputs;
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
  EvaluationBeside found{.model = model_.evaluator.result(),
                         .linear = of_simple(linear_),
                         .marginal = of_simple(marginal_)};
  if (found.linear) found.over_linear = linear_->mean_gain(found.model.rows);
  if (found.marginal) found.over_marginal = marginal_->mean_gain(found.model.rows);
  return found;
}

}  // namespace probmix
