#include "probmix/model/baseline.hpp"

#include <algorithm>
#include <cmath>

#include "probmix/base/error.hpp"
#include "probmix/metric/marginal.hpp"
#include "probmix/model/held_out.hpp"

namespace probmix {
namespace {

// Rows that are enough for so few parameters, and take no time to speak of; 0 for so many inputs
// that there are none.
Index enough_rows(Index width) {
  constexpr Index numbers = 4'000'000, least = 100, most = 20'000;
  const Index rows = std::min(numbers / std::max<Index>(1, width), most);
  return rows < least ? 0 : rows;
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

// Few rows have few steps in an epoch, and need more epochs.
TrainOptions linear_training(Index rows, bool can_select) {
  constexpr Index batch = 64, enough_steps = 6000, patient_steps = 300;
  const Index steps = (rows + batch - 1) / batch;  // of an epoch
  TrainOptions options;
  options.batch = batch;
  options.optimiser.learning_rate = 0.01;
  options.epochs = std::max<Index>(can_select ? 100 : 20, enough_steps / steps);
  options.select_best = can_select;
  if (can_select) {
    options.schedule.kind = Schedule::plateau;
    options.patience = std::max<Index>(10, patient_steps / steps);
  }
  return options;
}

// No networks if it does not converge.
NetworkGroup fit_linear(const ModelFit& fit, const Model& model) {
  const Prepared& data = fit.data();
  const Split& split = data.splits.front();
  const Index rows = enough_rows(data.inputs.width() * data.window);
  if (rows == 0) return {};
  const Dataset<float> train = data.part(evenly_spaced(split.train, rows), fit.response());
  const Dataset<float> validation =
      data.part(evenly_spaced(split.validation, rows), fit.response());
  const Family family = model.target.make();
  const Index outputs = std::visit([](const auto& f) { return Index{f.outputs()}; }, family);
  NetworkGroup linear{
      .architecture = linear_architecture(model.groups.front().architecture, outputs),
      .method = find_method("erm")};
  const Network<float> network = model.network(linear);
  const MixOptions mix;
  const TrainOptions options = linear_training(train.rows(), validation.rows() > 0);
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

// What a reader of model files accepts.
bool is_plausible(const std::vector<double>& outputs) {
  constexpr double largest = 1e6;
  return std::ranges::all_of(outputs, [](double o) { return std::abs(o) <= largest; });
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
  if (!is_plausible(marginal)) return {};
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
