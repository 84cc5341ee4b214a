#include "probmix/experiment/toy_classification.hpp"

#include <cmath>

#include "probmix/data/scaling.hpp"
#include "probmix/metric/mixture.hpp"

namespace probmix {

namespace {

constexpr int classes = 3;

struct RingData {
  RingData(const ToyClassification& toy, std::uint64_t seed)
      : all(draw(toy.rows, seed, 0)),
        split(random_split(toy.rows, toy.validation, seed)),
        scale(take_rows(View<const double>(all.x.view()), split.train).view()) {}

  static Sample draw(Index rows, std::uint64_t seed, std::uint64_t part) {
    Stream stream(seed, Purpose::data, part);
    return three_rings(rows, stream);
  }

  Dataset<float> scaled(const Sample& sample) const {
    return {scale.apply<float>(sample.x.view()), sample.y};
  }
  Dataset<float> scaled(const std::vector<Index>& rows) const {
    return scaled(take_rows(all, rows));
  }

  Sample all;
  Split split;
  Scaler scale;
};

Family family_of() { return make_family("categorical", {.classes = classes}); }

Network<float> network_of(const ToyClassification& toy, const Method& method) {
  return make_mlp<float>(toy.network, method.embedding, 2, family_of());
}

// The most probable class and its probability on a square that holds all rings.
Json regions_of(const RingData& data, Trial& trial) {
  constexpr Index points = 61;
  constexpr double limit = 3.6;
  const auto at = [](Index p) {
    return -limit + 2 * limit * static_cast<double>(p) / (points - 1);
  };
  Matrix<double> x(points * points, 2);
  for (Index r = 0; r < x.rows(); ++r) {
    x(r, 0) = at(r % points);
    x(r, 1) = at(r / points);
  }
  const Matrix<float> out = trial.predict(data.scale.apply<float>(x.view()).view());
  const Index members = trial.members();
  const auto& family = std::get<Categorical>(trial.family());
  Json regions = {{"from", -limit}, {"to", limit}, {"points", points}};
  for (Index r = 0; r < x.rows(); ++r) {
    const Mixture density(family, View<const float>{out.row(r * members), members, out.cols()});
    int best = 0;
    for (int k = 1; k < classes; ++k) {
      if (density.mean(k) > density.mean(best)) best = k;
    }
    regions["class"].push_back(best);
    regions["probability"].push_back(std::round(density.mean(best) * 1000) / 1000);
  }
  for (const Index row : data.split.train) {
    regions["train_x1"].push_back(rounded(data.all.x(row, 0)));
    regions["train_x2"].push_back(rounded(data.all.x(row, 1)));
    regions["train_class"].push_back(static_cast<int>(data.all.y(row, 0)));
  }
  return regions;
}

}  // namespace

void check_toy(const ToyClassification& toy, const Method& method) {
  check_toy_options(toy, method);
  network_of(toy, method);
}

Json run_toy(const ToyClassification& toy, const Method& method, Index run, bool pictures) {
  const std::uint64_t data_seed = toy_data_seed(toy, run);
  const RingData data(toy, data_seed);
  const Dataset<float> train = data.scaled(data.split.train);
  Trial trial(network_of(toy, method), family_of(), method, toy.trial, train,
              data.scaled(data.split.validation), toy_run_seed(toy, run));
  Json result = {{"train", trial.scores(train)},
                 {"test", trial.scores(data.scaled(RingData::draw(toy.test_rows, data_seed, 1)))}};
  result.update(trial.training(pictures));
  if (pictures) result["pictures"] = {{"regions", regions_of(data, trial)}};
  return result;
}

}  // namespace probmix
