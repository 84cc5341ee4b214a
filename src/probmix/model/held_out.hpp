// What the networks of a model predict for examples that they did not learn from.
#pragma once

#include <vector>

#include "probmix/model/model.hpp"
#include "probmix/model/prepare.hpp"

namespace probmix {

// The model with one network of each group: those that hold out the validation examples of split k,
// as the networks of a group are in the order of the splits.
Model network_of_each_group(const Model& model, Index k);

struct HeldOut {
  std::vector<Index> examples = {};  // increasing
  std::vector<double> logs = {};     // log-densities of their targets, in units
};

// Densities of counts and of real numbers are compared by the probability of a unit interval around
// a whole number.
enum class HeldOutMeasure { density, unit_interval };

// At most `most` of these rows, at equal distances.
std::vector<Index> evenly_spaced(const std::vector<Index>& rows, Index most);

// How many rows a model, or a mixture of so many densities, can predict in a second or so; for very
// many densities, in a few.
Index affordable_rows(const Model& model);
Index affordable_rows(Index densities);

// Each validation example under the mixture of the networks that hold it out; without validation,
// the training examples. If there are more than `most`, some at equal distances: models that are
// compared need the same.
HeldOut held_out(const Prepared& data, Index response, const Model& model, Index threads,
                 Index most, HeldOutMeasure measure = HeldOutMeasure::density);

// The log-densities of these examples under the marginal density of a model.
std::vector<double> marginal_logs(const Prepared& data, Index response, const Model& model,
                                  std::span<const Index> examples);

// The mean of values that belong to the examples, with the weights of these.
double weighted_mean(const Prepared& data, const std::vector<Index>& examples,
                     const std::vector<double>& values);

}  // namespace probmix
