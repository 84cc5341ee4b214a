#include "probmix/model/model_predictor.hpp"

#include <algorithm>

namespace probmix {

ModelPredictor::ModelPredictor(const Model& model, Index threads)
    : model_(model), family_(model.target.make()), team_(threads) {
  const Network<float> network = model.network();
  for (Index t = 0; t < team_.threads(); ++t) {
    predict_.emplace_back(network, model.members, PredictorDraws::for_all_rows);
  }
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

}  // namespace probmix
