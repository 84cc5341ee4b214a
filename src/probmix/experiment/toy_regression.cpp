#include "probmix/experiment/toy_regression.hpp"

#include "probmix/data/scaling.hpp"
#include "probmix/data/split.hpp"
#include "probmix/metric/mixture.hpp"
#include "probmix/train/predictor.hpp"

namespace probmix {

namespace {

struct ToyData {
  explicit ToyData(const ToyRegression& study, std::uint64_t seed)
      : all(draw(study.rows, toy_from, toy_to, seed, 0)),
        split(random_split(study.rows, study.validation, seed)),
        scale_x(take_rows(View<const double>(all.x.view()), split.train).view()),
        scale_y(take_rows(View<const double>(all.y.view()), split.train).view()) {}

  static Sample draw(Index rows, double low, double high, std::uint64_t seed, std::uint64_t part) {
    Stream stream(seed, Purpose::data, part);
    return toy_regression(rows, low, high, stream);
  }

  Dataset<float> scaled(View<const double> x, View<const double> y) const {
    return {scale_x.apply<float>(x), scale_y.apply<double>(y)};
  }
  Dataset<float> scaled(const std::vector<Index>& rows) const {
    return scaled(take_rows(all.x.view(), rows).view(), take_rows(all.y.view(), rows).view());
  }

  Sample all;
  Split split;
  Scaler scale_x;
  Scaler scale_y;
};

Network<float> make_network(const ToyRegression& study, const Method& method) {
  return make_mlp<float>(study.network, method.embedding, 1,
                         make_family(study.family, study.family_options));
}

template <ExponentialFamily F>
ToyBands predictive_bands(const ToyData& data, const F& family, Predictor<float>& predict,
                          const float* parameters, std::uint64_t seed) {
  constexpr Index points = 241;
  ToyBands bands;
  Matrix<double> x(points, 1);
  for (Index p = 0; p < points; ++p) {
    const double at = -toy_ood_to + 2 * toy_ood_to * static_cast<double>(p) / (points - 1);
    bands.x.push_back(at);
    x(p, 0) = at;
  }
  const Matrix<float> scaled = data.scale_x.apply<float>(x.view());
  const Index members = predict.members();
  Matrix<float> out(points * members, family.outputs());
  predict(parameters, scaled.view(), seed, 0, out.view());
  for (Index p = 0; p < points; ++p) {
    const Mixture density(family, View<const float>{out.row(p * members), members, out.cols()});
    bands.mean.push_back(data.scale_y.invert(0, density.mean(0)));
    bands.lower.push_back(data.scale_y.invert(0, density.quantile(0, 0.025)));
    bands.upper.push_back(data.scale_y.invert(0, density.quantile(0, 0.975)));
  }
  bands.train = {take_rows(View<const double>(data.all.x.view()), data.split.train),
                 take_rows(View<const double>(data.all.y.view()), data.split.train)};
  return bands;
}

}  // namespace

void check_toy_regression(const ToyRegression& study, const Method& method) {
  check_range("rows", study.rows, 2, 1'000'000);
  check_range("test rows", study.test_rows, 1, 1'000'000);
  check_range("members", study.members, 0, 10'000);
  if (method.local) {
    const Split split = random_split(study.rows, study.validation, study.seed);  // for its sizes
    check_range("neighbours", study.mix.neighbours, 1, std::ssize(split.train) - 1);
  }
  make_network(study, method);
}

ToyRun run_toy_regression(const ToyRegression& study, const Method& method, Index run,
                          ToyBands* bands) {
  const auto number = static_cast<std::uint64_t>(run);
  const std::uint64_t data_seed = derive_seed(study.seed, study.new_data ? 2 * number : 0);
  const std::uint64_t run_seed = derive_seed(study.seed, 2 * number + 1);
  const ToyData data(study, data_seed);
  const Family family = make_family(study.family, study.family_options);

  const Dataset<float> train = data.scaled(data.split.train);
  const Dataset<float> validation = data.scaled(data.split.validation);
  const Network<float> network = make_network(study, method);
  const FitResult<float> fitted =
      fit(network, family, method, study.mix, study.train, make_graph(method, study.mix, train.x),
          train, validation, run_seed);

  Predictor<float> predict(network, study.members);
  const auto scores = [&](const Dataset<float>& rows) {
    Matrix<float> out(rows.rows() * predict.members(), network.outputs());
    predict(fitted.parameters.data(), rows.x.view(), run_seed, 0, out.view());
    return score(family, View<const float>(out.view()), predict.members(), rows.y.view());
  };
  const auto fresh = [&](double low, double high, std::uint64_t part) {
    const Sample table = ToyData::draw(study.test_rows, low, high, data_seed, part);
    return scores(data.scaled(table.x.view(), table.y.view()));
  };
  if (bands != nullptr) {
    *bands = std::visit(
        [&](const auto& f) {
          return predictive_bands(data, f, predict, fitted.parameters.data(), run_seed);
        },
        family);
  }
  return {scores(train), fresh(toy_from, toy_to, 1), fresh(toy_to, toy_ood_to, 2),
          fitted.best_epoch};
}

}  // namespace probmix
