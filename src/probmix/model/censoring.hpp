// Censored targets: which rows' targets are only known to be at or beyond a bound.
//
// A bound is one number for all rows, as in a tobit regression, or a column with a bound for each
// row, where a missing one means none. A target at or above its upper bound is known to be at least
// that, one at or below its lower bound to be at most that. With both (the lower one from
// `censored-above`), a target is known to lie in between.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "probmix/data/frame.hpp"
#include "probmix/family/options.hpp"
#include "probmix/family/tails.hpp"

namespace probmix {

class Censoring {
 public:
  // Throws a UsageError if two numbers contradict each other.
  explicit Censoring(const FamilyOptions& options);

  bool is_any() const { return below_.is_given() || above_.is_given(); }
  // The columns that hold bounds.
  std::vector<std::string> columns() const;

  // What is known of a target of this value. Throws an Error if a column has no numbers.
  Interval known(const Frame& frame, Index row, double value) const;

 private:
  struct Bound {
    std::optional<double> number = {};
    std::string column = {};

    explicit Bound(const std::string& text);
    bool is_given() const { return number || !column.empty(); }
    double at(const Frame& frame, Index row) const;  // NaN: none
  };

  Bound below_, above_;
};

}  // namespace probmix
