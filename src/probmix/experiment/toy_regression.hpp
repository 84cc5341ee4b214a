// The paper's toy regression: y = x³ + ε, trained on x in (−4, 4), judged there on fresh rows ("in
// distribution") and on x in (4, 6) ("out of distribution"). All numbers are in standardised units.
#pragma once

#include "probmix/experiment/toy.hpp"

namespace probmix {

// Training rows have x in (toy_from, toy_to), out-of-distribution rows in (toy_to, toy_ood_to).
inline constexpr double toy_from = -4;
inline constexpr double toy_to = 4;
inline constexpr double toy_ood_to = 6;

struct ToyRegression : ToyOptions {
  // The responses are real numbers: other families than the Gaussian refuse them.
  std::string family = "gaussian";
  FamilyOptions family_options{.positive = {Positive::Kind::exp, 3e-3}};
};

void check_toy(const ToyRegression& toy, const Method& method);
Json configuration_of(const ToyRegression& toy, const Method& method, Index run);

// Run number `run` (0, 1, ...) of a method: {"train", "id", "ood"} with the scores of each, and
// what the training says of itself. With `pictures` also {"bands": {"x", "mean", "lower", "upper",
// "train_x", "train_y"}}: the central 95 % over x, in the units of the data.
Json run_toy(const ToyRegression& toy, const Method& method, Index run, bool pictures);

}  // namespace probmix
