#include "probmix/experiment/trial.hpp"

#include <algorithm>
#include <cmath>

#include "probmix/base/error.hpp"
#include "probmix/metric/calibration.hpp"
#include "probmix/metric/scores.hpp"
#include "probmix/model/evaluation.hpp"

namespace probmix {

void check_trial(const TrialOptions& options, const Method& method, Index rows,
                 bool has_validation) {
  check_range("members", options.members, 0, 10'000);
  check_options(options.mix);
  check_options(options.train);
  check_usage(options.train.patience == 0 || has_validation,
              "patience waits for a better epoch, which without validation rows cannot be told: "
              "give --validation more than 0, or --patience 0");
  if (method.local) check_range("neighbours", options.mix.neighbours, 1, rows - 1);
}

Json configuration_of(const TrialOptions& options, const Method& method) {
  Json json = {{"method", method.name}};
  json.update(configuration_of(options.mix, method));
  json.update(configuration_of(options.train));
  if (method.embedding != Embedding::point) json["members"] = options.members;
  return json;
}

Trial::Trial(const Network<float>& network, const Family& family, const Method& method,
             const TrialOptions& options, const Dataset<float>& train,
             const Dataset<float>& validation, std::uint64_t seed)
    : family_(family),
      fitted_(fit(network, family, method, options.mix, options.train,
                  make_graph(method, options.mix, train.x), train, validation, seed)),
      predict_(network, options.members),
      outputs_(network.outputs()),
      seed_(seed) {}

Matrix<float> Trial::predict(View<const float> x) {
  Matrix<float> out(x.rows * members(), outputs_);
  predict_(fitted_.parameters.data(), x, seed_, 0, out.view());
  return out;
}

Json Trial::scores(const Dataset<float>& rows, double unit) {
  const Matrix<float> out = predict(rows.x.view());
  const View<const float> outputs = out.view();
  const Scores scores = score(family_, outputs, members(), rows.y.view());
  if (has_classes(family_)) {
    const Reliability found = reliability(family_, outputs, members(), rows.y.view());
    return {{"rows", rows.rows()},           {"nll", scores.nll},
            {"draws_nll", scores.draws_nll}, {"brier", scores.mse},
            {"accuracy", found.accuracy},    {"ece", found.expected_calibration_error},
            {"reliability", to_json(found)}};
  }
  const double log_unit = std::log(unit);
  const double mse = scores.mse * unit * unit;
  Json pit = Json::array();
  for (const double share : pit_histogram(family_, outputs, members(), rows.y.view()).share) {
    pit.push_back(rounded(share));
  }
  return {{"rows", rows.rows()},
          {"nll", scores.nll + log_unit},
          {"draws_nll", scores.draws_nll + log_unit},
          {"mse", mse},
          {"rmse", std::sqrt(mse)},
          {"pit", std::move(pit)}};
}

Json Trial::training(bool curve, double unit) const {
  Json json = {{"best_epoch", fitted_.best_epoch}};
  if (!curve) return json;
  constexpr Index most_points = 100;
  const Index epochs = std::ssize(fitted_.history);
  const Index points = std::min(epochs, most_points);
  Json epoch = Json::array(), loss = Json::array(), validation = Json::array();
  for (Index p = 1; p <= points; ++p) {
    const Index e = epochs * p / points;
    const Epoch& at = fitted_.history[to_size(e - 1)];
    epoch.push_back(e);
    loss.push_back(rounded(at.loss + std::log(unit)));
    validation.push_back(rounded(at.validation_nll + std::log(unit)));
  }
  json["curve"] = {{"epoch", epoch}, {"loss", loss}, {"validation_nll", validation}};
  return json;
}

}  // namespace probmix
