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

// The target under a family that it may have.
struct Response {
  Target target = {};
  Matrix<double> y = {};  // the scaled responses of the examples in the splits
};

// A table prepared for training. All networks share the inputs.
struct Prepared {
  // Decisions and oddities, one line each: the family, columns and rows that are left out.
  std::vector<std::string> remarks = {};
  FitOptions given = {};                    // before anything was filled in
  std::vector<FitOptions> candidates = {};  // resolved for this table (options/candidates.hpp)
  Examples examples = {};
  std::vector<Split> splits = {};        // of the examples, one for each network of a candidate
  std::vector<Response> responses = {};  // the first has the proposed family, or the one given
  bool is_whole = false;                 // the target has whole numbers only
  Inputs inputs = Inputs();
  Index window = 1;
  Matrix<float> x = {};              // the inputs of all rows of the table
  std::vector<double> weights = {};  // of all examples; empty: all equal

  const FitOptions& options() const { return candidates.front(); }
  // What a network learns from and is selected by.
  Dataset<float> train(Index split = 0, Index response = 0) const {
    return part(splits[to_size(split)].train, response);
  }
  Dataset<float> validation(Index split = 0, Index response = 0) const {
    return part(splits[to_size(split)].validation, response);
  }
  // Examples that the splits have.
  Dataset<float> part(std::span<const Index> chosen, Index response = 0) const;
  // Any examples of the table, without weights.
  Dataset<float> part(const Frame& frame, std::span<const Index> chosen,
                      const Target& target) const;
};

// Throws a one-line Error if options and table do not fit together.
Prepared prepare(const Frame& frame, const FitOptions& options, const Fold& fold = {});

}  // namespace probmix
