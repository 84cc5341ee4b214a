// Runs a model: from inputs to densities.
#pragma once

#include <vector>

#include "probmix/base/team.hpp"
#include "probmix/model/model.hpp"
#include "probmix/model/predictive.hpp"
#include "probmix/train/predictor.hpp"

namespace probmix {

class ModelPredictor {
 public:
  // The model must outlive this. The result does not depend on the number of threads.
  ModelPredictor(const Model& model, Index threads);
  ModelPredictor(const Model&& model, Index threads) = delete;

  // Densities that are mixed: of each network, and of each draw of a random embedding.
  Index members() const { return count_; }
  Members all_members() const { return weights_.empty() ? Members(count_) : Members(weights_); }

  // A block size that takes a few megabytes, whatever the number of members and classes.
  Index block_rows() const;

  // The network's outputs for the rows of x, members() rows for each; valid until the next call.
  View<const float> outputs(View<const float> x);

  // Calls body(r, density) for the first `rows` rows of the last outputs(), on several threads.
  template <class Body>
  void for_each(Index rows, const Body& body) {
    team_.run(rows, [&](Index r, Index) { body(r, density(r)); });
  }
  Predictive density(Index r) const {
    return {model_.target, family_, {out_.row(r * members()), members(), out_.cols()}, weights_};
  }

 private:
  struct Worker {                           // of a thread
    std::vector<Predictor<float>> predict;  // of each group of networks
    AlignedVector<float> out;               // of one network
  };

  void run(Worker& worker, View<const float> x, Index first);

  const Model& model_;
  Family family_;
  Team team_;
  std::vector<Worker> workers_;
  Index count_ = 0;
  std::vector<double> weights_;
  Matrix<float> out_;
};

// The density for every row of a table or, for a series, for every row that ends a window. The
// model must outlive the densities. `oddities`, if given, receives the oddities of the rows.
std::vector<Predictive> predict(const Model& model, const Frame& frame, Index threads = 1,
                                InputOddities* oddities = nullptr);
std::vector<Predictive> predict(const Model&& model, const Frame& frame, Index threads = 1,
                                InputOddities* oddities = nullptr) = delete;

}  // namespace probmix
