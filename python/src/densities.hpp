// The predictive densities of many rows: what the networks put out for them, from which any of their
// properties is computed when it is asked for.
#pragma once

#include <memory>
#include <vector>

#include "probmix/base/team.hpp"
#include "probmix/model/model_predictor.hpp"

namespace probmix::python {

class Densities {
 public:
  // `out` has members.count rows of outputs for each row; `numbers` name the rows in streams of
  // random numbers.
  Densities(std::shared_ptr<const Model> model, AlignedVector<float> out, const Members& members,
            std::vector<Index> numbers, Index threads);

  const Model& model() const { return *model_; }
  Index rows() const { return std::ssize(numbers_); }
  Index targets() const { return std::ssize(model_->target.names); }
  Index members() const { return members_; }

  // Some of the rows, in any order.
  Densities part(const std::vector<Index>& rows) const;

  // Calls body(row, density) for all rows, on several threads.
  template <class Body>
  void for_each(const Body& body) const {
    Team team(std::min(threads_, rows()));
    team.run(rows(), [&](Index r, Index) { body(r, density(r)); });
  }

  // The differential entropy of target k; for counts and classes, that of the probabilities.
  double entropy(const Predictive& density, Index k) const;
  bool is_discrete() const;

  // `count` joint draws for each row, rows() × count × targets().
  Matrix<double> sample(Index count, std::uint64_t seed) const;

 private:
  Index width() const { return members_ * outputs_; }
  Predictive density(Index r) const {
    return {model_->target, family_, {out_.data() + r * width(), members_, outputs_}, weights_};
  }

  std::shared_ptr<const Model> model_;
  Family family_;
  AlignedVector<float> out_;
  std::vector<double> weights_;  // of the members; empty: all equal
  Index members_, outputs_;
  std::vector<Index> numbers_;
  Index threads_;
};

}  // namespace probmix::python
