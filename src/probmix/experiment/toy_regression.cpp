#include "probmix/experiment/toy_regression.hpp"

#include "probmix/data/scaling.hpp"
#include "probmix/metric/mixture.hpp"

namespace probmix {

namespace {

struct ToyData {
  explicit ToyData(const ToyRegression& toy, std::uint64_t seed)
      : all(draw(toy.rows, toy_from, toy_to, seed, 0)),
        split(random_split(toy.rows, toy.validation, seed)),
        scale_x(take_rows(View<const double>(all.x.view()), split.train).view()),
        scale_y(take_rows(View<const double>(all.y.view()), split.train).view()) {}

  static Sample draw(Index rows, double low, double high, std::uint64_t seed, std::uint64_t part) {
    Stream stream(seed, Purpose::data, part);
    return toy_regression(rows, low, high, stream);
  }

  Dataset<float> scaled(const Sample& sample) const {
    return {scale_x.apply<float>(sample.x.view()), scale_y.apply<double>(sample.y.view())};
  }
  Dataset<float> scaled(const std::vector<Index>& rows) const {
    return scaled(take_rows(all, rows));
  }

  Sample all;
  Split split;
  Scaler scale_x;
  Scaler scale_y;
};

Network<float> network_of(const ToyRegression& toy, const Method& method) {
  return make_mlp<float>(toy.network, method.embedding, 1,
                         make_family(toy.family, toy.family_options));
}

Json bands_of(const ToyData& data, Trial& trial) {
  constexpr Index points = 241;
  Matrix<double> x(points, 1);
  for (Index p = 0; p < points; ++p) {
    x(p, 0) = -toy_ood_to + 2 * toy_ood_to * static_cast<double>(p) / (points - 1);
  }
  const Matrix<float> out = trial.predict(data.scale_x.apply<float>(x.view()).view());
  const Index members = trial.members();
  Json bands;
  const auto put = [&](const char* name, double value) { bands[name].push_back(rounded(value)); };
  for (Index p = 0; p < points; ++p) {
    std::visit(
        [&](const auto& family) {
          const Mixture density(family,
                                View<const float>{out.row(p * members), members, out.cols()});
          put("x", x(p, 0));
          put("mean", data.scale_y.invert(0, density.mean(0)));
          put("lower", data.scale_y.invert(0, density.quantile(0, 0.025)));
          put("upper", data.scale_y.invert(0, density.quantile(0, 0.975)));
        },
        trial.family());
  }
  for (const Index row : data.split.train) {
    put("train_x", data.all.x(row, 0));
    put("train_y", data.all.y(row, 0));
  }
  return bands;
}

}  // namespace

void check_toy(const ToyRegression& toy, const Method& method) {
  check_toy_options(toy, method);
  network_of(toy, method);
}

Json configuration_of(const ToyRegression& toy, const Method& method, Index run) {
  Json json = configuration_of(static_cast<const ToyOptions&>(toy), method, run);
  json.update(configuration_of(toy.family, toy.family_options));
  return json;
}

Json run_toy(const ToyRegression& toy, const Method& method, Index run, bool pictures) {
  const std::uint64_t data_seed = toy_data_seed(toy, run);
  const ToyData data(toy, data_seed);
  const Dataset<float> train = data.scaled(data.split.train);
  Trial trial(network_of(toy, method), make_family(toy.family, toy.family_options), method,
              toy.trial, train, data.scaled(data.split.validation), toy_run_seed(toy, run));
  const auto fresh = [&](double low, double high, std::uint64_t part) {
    return trial.scores(data.scaled(ToyData::draw(toy.test_rows, low, high, data_seed, part)));
  };
  Json result = {{"train", trial.scores(train)},
                 {"id", fresh(toy_from, toy_to, 1)},
                 {"ood", fresh(toy_to, toy_ood_to, 2)}};
  result.update(trial.training(pictures));
  if (pictures) result["pictures"] = {{"bands", bands_of(data, trial)}};
  return result;
}

}  // namespace probmix
