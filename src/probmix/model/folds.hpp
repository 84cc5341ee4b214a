// Which examples of a table a model is trained on, and on which it is evaluated.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "probmix/model/examples.hpp"

namespace probmix {

struct Fold {
  struct Part {
    std::string name;  // "test"
    std::vector<Index> examples;
  };

  std::vector<Index> train = {};                      // positions in Examples; empty: all
  std::optional<std::vector<Index>> validation = {};  // empty: a share of `train`
  std::vector<Part> judged = {};
  // With the same seed, different numbers give different weights, draws and validation rows.
  std::uint64_t number = 0;
};

// Cross-validation: each fold is evaluated on a part ("test") that it is not trained on. Rows of a
// group stay together. In time, there are folds + 1 equal parts, and fold k is trained on the first
// k and evaluated on the next. Else at random, with equal shares of `classes` (one number for each
// example, or empty).
std::vector<Fold> make_folds(const Frame& frame, const FitOptions& options,
                             const Examples& examples, std::span<const std::int64_t> classes,
                             Index folds, std::uint64_t seed);

// What the networks of an ensemble train on and are selected by: each holds out another part of
// `used`, of the size of options.validation, so that together they learn from all of it. A split in
// time, or without validation, is the same for all. One network: as split_examples.
std::vector<Split> split_for_ensemble(const Frame& frame, const FitOptions& options,
                                      const Examples& examples, std::span<const Index> used,
                                      std::span<const std::int64_t> classes, std::uint64_t seed);

// One fold, evaluated on the last `share` of the table's rows in time; 0: on none.
Fold last_fold(const Frame& frame, const FitOptions& options, const Examples& examples,
               double share);

}  // namespace probmix
