#include "probmix/model/held_out.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>

#include "probmix/math/special.hpp"
#include "probmix/model/model_predictor.hpp"

namespace probmix {

std::vector<Index> evenly_spaced(const std::vector<Index>& rows, Index most) {
  const Index stride = std::max<Index>(1, (std::ssize(rows) + most - 1) / most);
  std::vector<Index> some;
  for (Index r = 0; r < std::ssize(rows); r += stride) some.push_back(rows[to_size(r)]);
  return some;
}

Index affordable_rows(const Model& model) {
  return affordable_rows(ModelPredictor(model, 1).members());
}

Index affordable_rows(Index densities) {
  constexpr Index in_a_second = 1'000'000, least = 1000;
  return std::max(least, in_a_second / densities);
}

Model network_of_each_group(const Model& model, Index k) {
  Model single = model;
  std::erase_if(single.groups,
                [&](const NetworkGroup& group) { return std::ssize(group.networks) <= k; });
  double sum = 0;
  for (NetworkGroup& group : single.groups) {
    group.networks = {group.networks[to_size(k)]};
    sum += group.weight;
  }
  for (NetworkGroup& group : single.groups) group.weight /= sum;
  return single;
}

namespace {

// The log-densities of these examples under the whole model.
std::vector<double> logs_of(const Prepared& data, Index response, const Model& model, Index threads,
                            std::span<const Index> examples, HeldOutMeasure measure) {
  const Target& target = model.target;
  const bool by_interval =
      measure == HeldOutMeasure::unit_interval &&
      !std::visit([](const auto& f) { return bool{f.discrete}; }, target.make());
  const Dataset<float> rows = data.part(examples, response);
  const View<const double> y = rows.y.view();
  ModelPredictor predictor(model, threads);
  predictor.outputs(rows.x.view());
  std::vector<double> logs(examples.size());
  predictor.for_each(rows.rows(), [&](Index r, const Predictive& density) {
    if (by_interval) {
      const double whole = std::round(target.shift.front() + target.scale.front() * y(r, 0));
      logs[to_size(r)] = density.log_probability(0, whole - 0.5, whole + 0.5);
      return;
    }
    // The probability of a censored target has no units.
    logs[to_size(r)] = density.log_density_of_scaled(y.row(r)) -
                       (target.is_observed(y, r) ? target.log_scale() : 0);
  });
  return logs;
}

}  // namespace

std::vector<double> marginal_logs(const Prepared& data, Index response, const Model& model,
                                  std::span<const Index> examples) {
  Model only = model;
  only.groups.clear();
  return logs_of(data, response, only, 1, examples, HeldOutMeasure::density);
}

HeldOut held_out(const Prepared& data, Index response, const Model& model, Index threads,
                 Index most, HeldOutMeasure measure) {
  const Index most_of_split = std::max<Index>(1, most / std::ssize(data.splits));
  std::map<Index, std::vector<double>> found;  // by all networks that hold an example out
  for (Index k = 0; k < std::ssize(data.splits); ++k) {
    const Model single = network_of_each_group(model, k);
    if (single.groups.empty()) break;
    const Split& split = data.splits[to_size(k)];
    const std::vector<Index> examples =
        evenly_spaced(split.validation.empty() ? split.train : split.validation, most_of_split);
    const std::vector<double> logs = logs_of(data, response, single, threads, examples, measure);
    for (std::size_t r = 0; r < examples.size(); ++r) found[examples[r]].push_back(logs[r]);
  }
  HeldOut result;
  for (const auto& [example, logs] : found) {
    result.examples.push_back(example);
    result.logs.push_back(log_sum_exp(logs.data(), static_cast<int>(logs.size())) -
                          std::log(static_cast<double>(logs.size())));
  }
  return result;
}

double weighted_mean(const Prepared& data, const std::vector<Index>& examples,
                     const std::vector<double>& values) {
  double sum = 0, all = 0;
  for (std::size_t k = 0; k < examples.size(); ++k) {
    const double weight = data.weights.empty() ? 1 : data.weights[to_size(examples[k])];
    sum += weight * values[k];
    all += weight;
  }
  return sum / all;
}

}  // namespace probmix
