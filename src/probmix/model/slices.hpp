// A model evaluated on parts of the rows: one for each level of a column, or for quarters of a
// number.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "probmix/model/evaluation.hpp"
#include "probmix/model/model.hpp"

namespace probmix {

// Names the part that a field of the column belongs to. A number of the model's inputs has four
// parts, about quarters of the training rows if these are normal; any other column one for each
// text.
class SliceNames {
 public:
  SliceNames(const Model& model, const std::string& column);

  std::string name(std::string_view field) const;
  bool is_number() const { return !bounds_.empty(); }

 private:
  std::vector<double> bounds_ = {};  // between the parts of a number
};

class SlicedEvaluator {
 public:
  static constexpr std::size_t most = 30;  // parts; further rows are in one of their own

  // Target and members as for an Evaluator.
  SlicedEvaluator(const Target& target, const Members& members);

  // As Evaluator::add; `parts` has the name of the part of each row.
  void add(View<const float> out, View<const double> y, const std::vector<std::string>& parts);

  struct Part {
    std::string name;
    Evaluation evaluation;
  };
  // In the order of their names, the others last. Parts whose targets are all censored have no
  // scores and are left out.
  std::vector<Part> result() const;

 private:
  const Target& target_;
  Index members_;
  std::vector<double> weights_;
  static constexpr const char* others = "(others)";
  std::map<std::string, std::unique_ptr<Evaluator>> parts_;
};

}  // namespace probmix
