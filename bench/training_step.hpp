// One model on synthetic data, trained one step at a time: draw, step, optimiser, as in
// train/fit.cpp. Only this file of the benchmarks knows how a training step is put together.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "probmix/data/dataset.hpp"
#include "probmix/mix/draw.hpp"
#include "probmix/nn/architecture.hpp"
#include "probmix/train/optimiser.hpp"
#include "probmix/train/step.hpp"
#include "products.hpp"

namespace probmix::bench {

struct StepSettings {
  std::string method = "probmix";
  Index rows = 1151;
  Index steps = 1;      // per row
  Index features = 11;  // per step
  Index batch = 0;      // 0: all rows
  Index bins = 0;       // of each feature, which an MLP then encodes; 0: none
  Architecture network = {.mlp = {.hidden = {128, 32}}};
  MixOptions mix = {};
  std::string family = "gaussian";
  FamilyOptions family_options = {.classes = 10};
  OptimiserOptions optimiser = {};
  Index threads = 1;
  std::uint64_t seed = 1;
};

// What is trained, on what.
struct Problem {
  // Throws a UsageError if the settings make no sense. Builds the graph on `threads` threads.
  Problem(const StepSettings& settings, Index threads);

  StepSettings settings;  // `batch` and knots filled in
  const Method& method;
  Family family;
  Dataset<float> data;
  Network<float> network;
  double graph_seconds = 0;
  Graph graph;
};

class TrainingStep {
 public:
  explicit TrainingStep(const StepSettings& settings);
  // The draw refers to the graph and the data.
  TrainingStep(const TrainingStep&) = delete;
  TrainingStep& operator=(const TrainingStep&) = delete;

  // One step, from the batch to updated parameters; returns its loss. All batches have one size: a
  // smaller rest of an epoch is left out.
  double run();

  // Rows that went through the first layer, averaged over the steps so far: the batch, and partners
  // outside it.
  double mean_rows_in_play() const;
  // The products of a step with that many rows in play.
  std::vector<LayerProducts> products(Index rows_in_play) const;

  const StepSettings& settings() const { return problem_.settings; }
  const Dataset<float>& data() const { return problem_.data; }
  const Network<float>& network() const { return problem_.network; }
  const AlignedVector<float>& parameters() const { return parameters_; }
  // Of the last step.
  const AlignedVector<float>& gradient() const { return gradient_; }
  const Draw<float>& draw() const { return *draw_; }

 private:
  std::span<const Index> next_batch();

  Problem problem_;
  Team team_;
  Drawer<float> drawer_;
  Step<float> step_;
  Optimiser<float> optimise_;
  AlignedVector<float> parameters_;
  AlignedVector<float> gradient_;
  std::vector<Index> order_;
  const Draw<float>* draw_ = nullptr;
  std::uint64_t steps_ = 0;
  double rows_in_play_ = 0;  // summed over the steps
};

}  // namespace probmix::bench
