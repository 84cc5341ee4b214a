// A model at work: from inputs to densities.
#pragma once

#include <vector>

#include "probmix/base/team.hpp"
#include "probmix/model/model.hpp"
#include "probmix/model/predictive.hpp"
#include "probmix/train/predictor.hpp"

namespace probmix {

class ModelPredictor {
 public:
  // The model must outlive it. The result does not depend on the number of threads.
  ModelPredictor(const Model& model, Index threads);
  ModelPredictor(const Model&& model, Index threads) = delete;

  Index members() const { return predict_.front().members(); }

  // So many rows at once take some megabytes, whatever the members and classes.
  Index block_rows() const;

  // The network's outputs for the rows of x, members() rows for each; valid until the next call.
  View<const float> outputs(View<const float> x);

  // Calls body(r, density) for the rows of the last call, on several threads at once.
  template <class Body>
  void for_each(Index rows, const Body& body) {
    team_.run(rows, [&](Index r, Index) { body(r, density(r)); });
  }
  Predictive density(Index r) const {
    return {model_.target, family_, {out_.row(r * members()), members(), out_.cols()}};
  }

 private:
  const Model& model_;
  Family family_;
  Team team_;
  std::vector<Predictor<float>> predict_;  // one for each thread
  Matrix<float> out_;
};

// The density of every row of a table; of a series, of every row that ends a window. The model must
// outlive them. `oddities`, if asked for, says what was odd about the rows.
std::vector<Predictive> predict(const Model& model, const Frame& frame, Index threads = 1,
                                InputOddities* oddities = nullptr);
std::vector<Predictive> predict(const Model&& model, const Frame& frame, Index threads = 1,
                                InputOddities* oddities = nullptr) = delete;

}  // namespace probmix
