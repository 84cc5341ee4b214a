// Cross-validation: the examples of a table in parts, each of which is judged by a model that has
// not seen it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "probmix/model/examples.hpp"

namespace probmix {

struct Fold {
  std::vector<Index> train, test;  // positions in the examples, ascending
};

// `folds` of them. Rows of a group stay together; with a time, or in a series, fold k is judged by
// the part after those that it learns from, of folds + 1 equal ones; else at random, of `classes`
// (one number for each example, or none) as equal shares as can be.
std::vector<Fold> make_folds(const Frame& frame, const SeriesShape& shape, const Examples& examples,
                             std::span<const std::int64_t> classes, Index folds,
                             std::uint64_t seed);

}  // namespace probmix
