#include "probmix/model/model_predictor.hpp"

#include <algorithm>

#include "probmix/model/examples.hpp"

namespace probmix {
namespace {

constexpr Index block = 256;  // rows that pass through all networks while they are in the cache

}  // namespace

ModelPredictor::ModelPredictor(const Model& model, Index threads)
    : model_(model), family_(model.target.make()), team_(threads) {
  const Network<float> network = model.network();
  for (Index t = 0; t < team_.threads(); ++t) {
    workers_.push_back(
        {Predictor<float>(network, model.members, PredictorDraws::for_all_rows, model.method.drops),
         {}});
    const Index rows = std::ssize(model.networks) == 1 ? 0 : block * draws();
    workers_.back().out = Matrix<float>(rows, network.outputs());
  }
}

Index ModelPredictor::block_rows() const {
  constexpr Index numbers = 1 << 22;
  const Index outputs = std::visit([](const auto& f) { return Index{f.outputs()}; }, family_);
  return std::clamp<Index>(numbers / (members() * outputs), 1, 4096);
}

View<const float> ModelPredictor::outputs(View<const float> x) {
  const Index outputs = std::visit([](const auto& f) { return Index{f.outputs()}; }, family_);
  if (out_.rows() < x.rows * members()) out_ = Matrix<float>(x.rows * members(), outputs);
  team_.run((x.rows + block - 1) / block, [&](Index b, Index thread) {
    const Index first = b * block;
    const Index rows = std::min(block, x.rows - first);
    const View<const float> part{x.row(first), rows, x.cols};
    Worker& worker = workers_[to_size(thread)];
    const auto run = [&](Index network, float* to) {
      worker.predict(model_.networks[to_size(network)].data(), part, model_.seed, first,
                     {to, rows * draws(), outputs});
    };
    if (members() == draws()) return run(0, out_.row(first * draws()));
    const Index width = draws() * outputs;  // of a row, by one network
    for (Index k = 0; k < std::ssize(model_.networks); ++k) {
      run(k, worker.out.data());
      for (Index r = 0; r < rows; ++r) {
        std::copy_n(worker.out.data() + r * width, width,
                    out_.row((first + r) * members() + k * draws()));
      }
    }
  });
  return {out_.data(), x.rows * members(), outputs};
}

std::vector<Predictive> predict(const Model& model, const Frame& frame, Index threads,
                                InputOddities* oddities) {
  SeriesShape shape = model.series;
  shape.horizon = 0;
  const Examples examples = find_examples(frame, shape, {.gaps = GapRule::ignore}, {});
  const std::vector<Index> all = first_numbers(examples.count());
  InputOddities found;
  const Matrix<float> x =
      gather_windows(model.inputs.encode(frame, found), examples.last, shape.window);
  if (oddities != nullptr) *oddities = std::move(found);
  ModelPredictor predictor(model, threads);
  predictor.outputs(x.view());
  std::vector<Predictive> densities;
  for (const Index r : all) densities.push_back(predictor.density(r));
  return densities;
}

}  // namespace probmix
