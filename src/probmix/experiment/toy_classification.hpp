// The paper's toy classification: three noisy rings in the plane, one for each class.
#pragma once

#include "probmix/experiment/toy.hpp"

namespace probmix {

struct ToyClassification : ToyOptions {};

void check_toy(const ToyClassification& toy, const Method& method);

// Run number `run` (0, 1, ...) of a method: {"train", "test"} with the scores of each, and what the
// training says of itself. With `pictures` also {"regions": {"from", "to", "points": n,
// "class": [n · n, row by row, upwards], "probability", "train_x1", "train_x2", "train_class"}}.
Json run_toy(const ToyClassification& toy, const Method& method, Index run, bool pictures);

}  // namespace probmix
