// Which examples of a table a model learns from, and by which it is judged.
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

  std::vector<Index> train = {};                      // positions in the examples; empty: all
  std::optional<std::vector<Index>> validation = {};  // none: a share of `train`
  std::vector<Part> judged = {};
  // Trainings of one seed that differ in this number have other weights, draws and validation rows.
  std::uint64_t number = 0;
};

// Cross-validation: `folds` of them, each judged by a part ("test") that it does not learn from.
// Rows of a group stay together; in time, fold k is judged by the part after those that it learns
// from, of folds + 1 equal ones; else at random, with equal shares of `classes` (one number for
// each example, or none).
std::vector<Fold> make_folds(const Frame& frame, const FitOptions& options,
                             const Examples& examples, std::span<const std::int64_t> classes,
                             Index folds, std::uint64_t seed);

// One fold, judged by the last `share` of the table's rows in time. With 0 that is none.
Fold last_fold(const Frame& frame, const FitOptions& options, const Examples& examples,
               double share);

}  // namespace probmix
