#include "probmix/model/slices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "probmix/base/error.hpp"
#include "probmix/base/printable.hpp"
#include "probmix/data/number.hpp"

namespace probmix {

SliceNames::SliceNames(const Model& model, const std::string& column) {
  for (const InputColumn& input : model.inputs.columns()) {
    const auto* const number = std::get_if<NumberInput>(&input.how);
    if (input.name != column || number == nullptr || !number->has_value) continue;
    constexpr double quarter = 0.6745;  // of a standard normal distribution
    for (const double z : {-quarter, 0.0, quarter}) {
      bounds_.push_back(number->mean + z * number->scale);
    }
  }
}

std::string SliceNames::name(std::string_view field) const {
  if (bounds_.empty()) return field.empty() ? "missing" : std::string(field);
  double value = 0;
  if (!read_number(field, value).empty() || std::isnan(value)) return "missing";
  const auto above = std::upper_bound(bounds_.begin(), bounds_.end(), value);
  if (above == bounds_.begin()) return fmt::format("1: below {:.6g}", *above);
  if (above == bounds_.end()) return fmt::format("4: from {:.6g} on", bounds_.back());
  return fmt::format("{}: {:.6g} to {:.6g}", above - bounds_.begin() + 1, *(above - 1), *above);
}

SlicedEvaluator::SlicedEvaluator(const Target& target, const Members& members)
    : target_(target),
      members_(members.count),
      weights_(members.weights.begin(), members.weights.end()) {}

void SlicedEvaluator::add(View<const float> out, View<const double> y,
                          const std::vector<std::string>& parts) {
  std::map<std::string, std::vector<Index>> rows;
  for (Index r = 0; r < y.rows; ++r) {
    const std::string& part = parts[to_size(r)];
    const bool is_new = !parts_.contains(part);
    const std::string name = is_new && parts_.size() >= most ? others : part;
    if (!parts_.contains(name)) {
      const Members members = weights_.empty() ? Members(members_) : Members(weights_);
      parts_[name] = std::make_unique<Evaluator>(target_, members);
    }
    rows[name].push_back(r);
  }
  for (const auto& [name, chosen] : rows) {
    Matrix<float> some_out(std::ssize(chosen) * members_, out.cols);
    Matrix<double> some_y(std::ssize(chosen), y.cols);
    for (Index k = 0; k < std::ssize(chosen); ++k) {
      const Index r = chosen[to_size(k)];
      std::copy_n(out.row(r * members_), members_ * out.cols, some_out.row(k * members_));
      std::copy_n(y.row(r), y.cols, some_y.row(k));
    }
    parts_[name]->add(some_out.view(), some_y.view());
  }
}

std::vector<SlicedEvaluator::Part> SlicedEvaluator::result() const {
  std::vector<Part> found;
  for (const auto& [name, evaluator] : parts_) {
    if (evaluator->has_observed()) found.push_back({name, evaluator->result()});
  }
  std::stable_partition(found.begin(), found.end(),
                        [](const Part& part) { return part.name != others; });
  return found;
}

}  // namespace probmix
