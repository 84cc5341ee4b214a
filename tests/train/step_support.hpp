// A step in double on a small network, for any method, family and options.
#pragma once

#include <numeric>
#include <optional>

#include "probmix/nn/architecture.hpp"
#include "probmix/train/fit.hpp"
#include "probmix/train/step.hpp"
#include "support/cases.hpp"

namespace probmix::test {

struct StepCase {
  StepCase(const Family& family_, std::string_view method_name, const MixOptions& options_,
           const MlpOptions& network_options = {.hidden = {6, 5}, .activation = Activation::tanh},
           Index rows = 7)
      : family(family_),
        method(find_method(method_name)),
        options(options_),
        data(random_data(family, rows, 3, 11)),
        network(make_mlp<double>(network_options, method.embedding, 3, family)) {
    start(rows);
  }

  // With a network given by the test.
  StepCase(const Family& family_, std::string_view method_name, const MixOptions& options_,
           Network<double> network_, Dataset<double> data_)
      : family(family_),
        method(find_method(method_name)),
        options(options_),
        data(std::move(data_)),
        network(std::move(network_)) {
    start(data.rows());
  }

  // The loss of step number `at`, and its gradient unless null.
  double loss(std::uint64_t at = 0, bool wants_gradient = false) {
    return (*step)(parameters.data(), data.x, (*drawer)(at, batch),
                   wants_gradient ? gradient.data() : nullptr);
  }

  // Plain gradient descent, `steps` steps.
  void descend(std::uint64_t steps, double rate) {
    for (std::uint64_t t = 0; t < steps; ++t) {
      loss(t, true);
      for (std::size_t k = 0; k < parameters.size(); ++k) parameters[k] -= rate * gradient[k];
    }
  }

  Family family;
  const Method& method;
  MixOptions options;
  Dataset<double> data;
  Network<double> network;
  std::optional<Graph> graph;
  std::optional<Drawer<double>> drawer;
  Team team{1};
  std::optional<Step<double>> step;
  std::vector<Index> batch;
  AlignedVector<double> parameters, gradient;

 private:
  void start(Index rows) {
    graph.emplace(make_graph(method, options, data.x));
    drawer.emplace(method, options, family, *graph, data.y, rows, 1);
    step.emplace(network, family, method, options, rows, team);
    batch.resize(static_cast<std::size_t>(rows));
    std::iota(batch.begin(), batch.end(), Index{0});
    parameters = network.initial_parameters(1);
    gradient.resize(parameters.size());
  }
};

}  // namespace probmix::test
