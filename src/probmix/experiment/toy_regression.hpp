// The paper's toy regression: y = x³ + ε, trained on x in (−4, 4), judged there on fresh rows ("in
// distribution") and on x in (4, 6) ("out of distribution"). All numbers are in standardised units.
//
// The preset holds the choices that the paper leaves open and that docs/results explains.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "probmix/data/synthetic.hpp"
#include "probmix/metric/scores.hpp"
#include "probmix/nn/architecture.hpp"
#include "probmix/train/fit.hpp"

namespace probmix {

// Training rows have x in (toy_from, toy_to), out-of-distribution rows in (toy_to, toy_ood_to).
inline constexpr double toy_from = -4;
inline constexpr double toy_to = 4;
inline constexpr double toy_ood_to = 6;

struct ToyRegression {
  Index rows = 100;
  Index test_rows = 1000;  // of each kind
  double validation = 0.2;
  Index members = 100;    // draws of z of a prediction
  bool new_data = false;  // a new data set for each run, instead of one for all
  std::uint64_t seed = 1;
  MixOptions mix;
  TrainOptions train{.epochs = 500, .optimiser = {.learning_rate = 0.01}};
  MlpOptions network{.hidden = {128, 64}};
  // The responses are real numbers: other families than the Gaussian refuse them.
  std::string family = "gaussian";
  FamilyOptions family_options{.positive = {Positive::Kind::exp, 3e-3}};
};

// The predictive density over x, in the units of the data.
struct ToyBands {
  std::vector<double> x, mean, lower, upper;  // the central 95 %
  Sample train;
};

struct ToyRun {
  Scores train, id, ood;
  Index best_epoch = 0;
};

// Throws a UsageError for what can be told to be wrong for this method before any training.
void check_toy_regression(const ToyRegression& study, const Method& method);

// Run number `run` (0, 1, ...) of a method; with `bands` not null also the predictive bands.
ToyRun run_toy_regression(const ToyRegression& study, const Method& method, Index run,
                          ToyBands* bands = nullptr);

}  // namespace probmix
