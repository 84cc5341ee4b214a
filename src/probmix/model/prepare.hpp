// From a table to the rows that networks are trained on.
#pragma once

#include <string>
#include <vector>

#include "probmix/data/dataset.hpp"
#include "probmix/data/frame.hpp"
#include "probmix/model/examples.hpp"
#include "probmix/model/folds.hpp"
#include "probmix/model/inputs.hpp"
#include "probmix/options/fit_options.hpp"

namespace probmix {

// A table prepared for training. The networks of an ensemble share everything but the split.
struct Prepared {
  // Decisions and oddities, one line each: the family, columns and rows that are left out.
  std::vector<std::string> remarks = {};
  FitOptions options = {};  // resolved for this table
  Examples examples = {};
  std::vector<Split> splits = {};  // of the examples, one for each network
  Target target = {};
  Inputs inputs = Inputs({});
  Index window = 1;
  Matrix<float> x = {};              // the inputs of all rows of the table
  Matrix<double> y = {};             // the scaled responses of the examples in the splits
  std::vector<double> weights = {};  // of all examples; empty: all equal

  // What a network learns from and is selected by.
  Dataset<float> train(Index network = 0) const { return part(splits[to_size(network)].train); }
  Dataset<float> validation(Index network = 0) const {
    return part(splits[to_size(network)].validation);
  }
  // Examples that the splits have.
  Dataset<float> part(std::span<const Index> chosen) const;
  // Any examples of the table, without weights.
  Dataset<float> part(const Frame& frame, std::span<const Index> chosen) const;
};

// Throws a one-line Error if options and table do not fit together.
Prepared prepare(const Frame& frame, const FitOptions& options, const Fold& fold = {});

}  // namespace probmix
