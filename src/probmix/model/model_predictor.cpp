#include "probmix/model/model_predictor.hpp"

#include <algorithm>

#include "probmix/model/examples.hpp"

namespace probmix {
namespace {

constexpr Index block = 256;  // rows that pass through all networks while they are in the cache

}  // namespace

ModelPredictor::ModelPredictor(const Model& model, Index threads)
    : model_(model), family_(model.target.make()), team_(threads) {
  workers_.resize(to_size(team_.threads()));
  Index most_draws = 0;
  for (const NetworkGroup& group : model.groups) {
    const Predictor<float> predict(model.network(group), model.members,
                                   PredictorDraws::for_all_rows, group.method.drops);
    for (Worker& worker : workers_) worker.predict.push_back(predict);
    const Index members = std::ssize(group.networks) * predict.members();
    const double share = (1 - model.marginal.weight) * group.weight;
    weights_.insert(weights_.end(), to_size(members), share / static_cast<double>(members));
    count_ += members;
    most_draws = std::max(most_draws, predict.members());
  }
  if (!model.marginal.outputs.empty()) {
    weights_.push_back(model.groups.empty() ? 1 : model.marginal.weight);
    ++count_;
  }
  if (model.groups.size() == 1 && model.marginal.outputs.empty()) weights_.clear();
  const Index outputs = std::visit([](const auto& f) { return Index{f.outputs()}; }, family_);
  for (Worker& worker : workers_) worker.out.resize(to_size(block * most_draws * outputs));
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
    run(workers_[to_size(thread)], {x.row(first), rows, x.cols}, first);
  });
  return {out_.data(), x.rows * members(), outputs};
}

// The outputs of all networks, and the marginal ones, for rows that begin at `first`.
void ModelPredictor::run(Worker& worker, View<const float> x, Index first) {
  Index member = 0;
  for (std::size_t g = 0; g < model_.groups.size(); ++g) {
    Predictor<float>& predict = worker.predict[g];
    const Index draws = predict.members();
    const Index width = draws * out_.cols();  // of a row, by one network
    for (const TrainedNetwork& network : model_.groups[g].networks) {
      const bool is_only = draws == members();
      float* const to = is_only ? out_.row(first * draws) : worker.out.data();
      const View<float> out{to, x.rows * draws, out_.cols()};
      predict(network.parameters.data(), x, model_.seed, first, out);
      limit_outputs(out, network.limits);
      if (is_only) return;
      for (Index r = 0; r < x.rows; ++r) {
        std::copy_n(to + r * width, width, out_.row((first + r) * members() + member));
      }
      member += draws;
    }
  }
  if (model_.marginal.outputs.empty()) return;
  for (Index r = 0; r < x.rows; ++r) {
    std::ranges::copy(model_.marginal.outputs, out_.row((first + r) * members() + member));
  }
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
