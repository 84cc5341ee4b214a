#include "probmix/model/baseline.hpp"

#include <algorithm>

#include "probmix/base/error.hpp"
#include "probmix/metric/marginal.hpp"
#include "probmix/model/held_out.hpp"

namespace probmix {
namespace {

// Rows that are enough for so few parameters.
Index enough_rows(Index width) {
  constexpr Index numbers = 4'000'000, least = 1000, most = 20'000;
  return std::clamp(numbers / std::max<Index>(1, width), least, most);
}

// Layers without an activation are a linear map, of any rank up to that of the widest.
Architecture linear_architecture(const Architecture& architecture, Index outputs) {
  constexpr Index widest = 64;
  Architecture linear;
  linear.mlp.hidden = {std::min(outputs, widest)};
  linear.mlp.activation = Activation::identity;
  linear.categories = architecture.categories;
  return linear;
}

TrainOptions linear_training() {
  TrainOptions options;
  options.epochs = 300;
  options.batch = 64;
  options.optimiser.learning_rate = 0.01;
  options.schedule.kind = Schedule::plateau;
  options.patience = 10;
  return options;
}

// No networks if it does not converge.
NetworkGroup fit_linear(const ModelFit& fit, const Model& model) {
  const Prepared& data = fit.data();
  const Split& split = data.splits.front();
  const Index rows = enough_rows(data.inputs.width() * data.window);
  const Dataset<float> train = data.part(evenly_spaced(split.train, rows), fit.response());
  const Dataset<float> validation =
      data.part(evenly_spaced(split.validation, rows / 4), fit.response());
  const Family family = model.target.make();
  const Index outputs = std::visit([](const auto& f) { return Index{f.outputs()}; }, family);
  NetworkGroup linear{
      .architecture = linear_architecture(model.groups.front().architecture, outputs),
      .method = find_method("erm")};
  const Network<float> network = model.network(linear);
  const MixOptions mix;
  TrainOptions options = linear_training();
  if (validation.rows() == 0) options = {.epochs = 100, .batch = 64, .select_best = false};
  const Graph graph = make_graph(linear.method, mix, train.x);
  try {
    Trainer<float> trainer(network, model.target.likelihood(), linear.method, mix, options, graph,
                           train, validation, model.seed);
    while (!trainer.done()) trainer.run_epoch();
    TrainedNetwork trained{.parameters = trainer.result().parameters};
    if (fit.options().limit_inputs != LimitInputs::wide) {
      trained.limits =
          output_limits(network, linear.method, trained.parameters, train.x.view(), 0, model.seed);
    }
    linear.networks = {std::move(trained)};
  } catch (const Diverged&) {
    linear.networks.clear();
  }
  return linear;
}

// With none of the densities that this model predicts.
Model bare(const Model& model) {
  Model simple = model;
  simple.groups.clear();
  simple.marginal = {};
  simple.baseline = {};
  return simple;
}

}  // namespace

Baseline fit_baseline(const ModelFit& fit, const Model& model) {
  const std::vector<double> marginal =
      fit_marginal(model.target.likelihood(), fit.data().train(0, fit.response()).y.view());
  return {.marginal = {marginal.begin(), marginal.end()}, .linear = fit_linear(fit, model)};
}

std::optional<Model> marginal_model(const Model& model) {
  if (model.baseline.marginal.empty()) return {};
  Model simple = bare(model);
  simple.marginal = {.weight = 1, .outputs = model.baseline.marginal};
  return simple;
}

std::optional<Model> linear_model(const Model& model) {
  if (model.baseline.linear.networks.empty()) return {};
  Model simple = bare(model);
  simple.groups = {model.baseline.linear};
  return simple;
}

}  // namespace probmix
