// What a model predicts: one or several columns of a table, and the family of their density.
//
// The family decides how numbers are scaled for the network: reals are standardised, positive
// numbers divided by their mean. A density of the scaled response becomes one of the response
// itself by a shift and a division, so nothing is lost.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "probmix/data/frame.hpp"
#include "probmix/family/families.hpp"
#include "probmix/model/censoring.hpp"

namespace probmix {

// The family that suits a column, judging by these rows and by which values are possible at all;
// with needs_exponential, one that can be pooled log-linearly. Its reason and hint name the column:
// "'price' has real numbers".
FamilyProposal propose_family(const Frame& frame, const FrameColumn& column,
                              std::span<const Index> rows, bool needs_exponential = false);

// Responses that a model cannot be evaluated on, to be reported once rather than for each row.
struct TargetOddities {
  Index missing = 0;
  Index unknown = 0;  // a class unseen in training, or outside the family's support
  // What is wrong with the first of each, and where.
  std::string first_missing = {}, first_unknown = {};
};

struct Target {
  static constexpr std::size_t fewest_classes = 2, most_classes = 10'000;
  // Within these, what is computed from them is finite. Learning and reading share them.
  static constexpr double smallest_scale = 1e-100, largest_scale = 1e100, largest_shift = 1e200;

  std::vector<std::string> names = {};  // columns; several only for real numbers
  std::string family = "gaussian";
  FamilyOptions options = FamilyOptions();  // GCC 12 warns of `= {}`, as if it left a pointer unset
  std::vector<double> shift = {}, scale = {};  // response = shift + scale · what the network models
  std::vector<std::string> classes = {};       // in the order of their numbers

  // Learns scales and classes from the given rows.
  static Target learn(const Frame& frame, std::span<const std::string> names,
                      std::string_view family, FamilyOptions options, std::span<const Index> rows);

  Family make() const;
  // The family of what encode() returns: of intervals if targets are censored.
  Family likelihood() const { return is_censored() ? with_censoring(make()) : make(); }
  bool is_censored() const {
    return !options.censored_below.empty() || !options.censored_above.empty();
  }
  bool has_classes() const { return !classes.empty(); }

  // The scaled responses of these rows; of a censored target (low, high). Throws an Error that
  // names file, line and column if a value is missing, an unknown class, or outside the family's
  // support.
  Matrix<double> encode(const Frame& frame, std::span<const Index> rows) const;
  // The same, but removes such rows from `rows` and counts them.
  Matrix<double> encode(const Frame& frame, std::vector<Index>& rows,
                        TargetOddities& oddities) const;

  // Σ log scale: subtract it from a log-density of scaled responses to get one in units.
  double log_scale() const;
  // Whether row r of encoded responses is a value rather than an interval.
  bool is_observed(View<const double> y, Index r) const {
    return !is_censored() || y(r, 0) == y(r, 1);
  }
  Index observed(View<const double> y) const;  // how many rows are

 private:
  // The number of a class; accepts another spelling of the same number. −1: unknown.
  double class_number(std::string_view text) const;
  // The scaled value or class number in every row of column k; −1: an unknown class.
  std::vector<double> encode_column(const Frame& frame, std::size_t k) const;
  // Writes (low, high) of what is known of a row's target, scaled.
  void encode_interval(const Frame& frame, const Censoring& censoring, Index row,
                       double* known) const;
};

// The rows in which none of these columns is missing.
std::vector<Index> complete_rows(const Frame& frame, std::span<const std::string> columns);

}  // namespace probmix
