#include "probmix/model/model_predictor.hpp"

#include <algorithm>

#include "probmix/model/examples.hpp"

namespace probmix {

ModelPredictor::ModelPredictor(const Model& model, Index threads)
    : model_(model), family_(model.target.make()), team_(threads) {
  const Network<float> network = model.network();
  for (Index t = 0; t < team_.threads(); ++t) {
    predict_.emplace_back(network, model.members, PredictorDraws::for_all_rows);
  }
}

Index ModelPredictor::block_rows() const {
  constexpr Index numbers = 1 << 22;
  const Index outputs = std::visit([](const auto& f) { return Index{f.outputs()}; }, family_);
  return std::clamp<Index>(numbers / (members() * outputs), 1, 4096);
}

View<const float> ModelPredictor::outputs(View<const float> x) {
  constexpr Index block = 256;
  const Index outputs = std::visit([](const auto& f) { return Index{f.outputs()}; }, family_);
  if (out_.rows() < x.rows * members()) out_ = Matrix<float>(x.rows * members(), outputs);
  team_.run((x.rows + block - 1) / block, [&](Index b, Index thread) {
    const Index first = b * block;
    const Index rows = std::min(block, x.rows - first);
    predict_[to_size(thread)](model_.parameters.data(), {x.row(first), rows, x.cols}, model_.seed,
                              first, {out_.row(first * members()), rows * members(), outputs});
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
