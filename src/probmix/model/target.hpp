// What a model predicts: one or several columns of a table, and the family of their density.
//
// Numbers are brought to a scale that networks like, as the family says: reals are standardised,
// positive ones divided by their mean. A density of the scaled response is one of the response
// itself after a shift and a division, so nothing is lost.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "probmix/data/frame.hpp"
#include "probmix/family/families.hpp"

namespace probmix {

// For the values of a column, in whole sentences: "'price' has real numbers".
FamilyProposal propose_family(const Frame& frame, const FrameColumn& column);

// Responses that a model cannot be judged by, to be told once and not for each row.
struct TargetOddities {
  Index missing = 0;
  Index unknown = 0;  // a class that training had not, or outside of the family's support
  // What is wrong with the first of each, and where.
  std::string first_missing = {}, first_unknown = {};
};

struct Target {
  static constexpr std::size_t fewest_classes = 2, most_classes = 10'000;

  std::vector<std::string> names = {};  // columns; several only for reals
  std::string family = "gaussian";
  FamilyOptions options = FamilyOptions();  // GCC 12 warns of `= {}`, as if it left a pointer unset
  std::vector<double> shift = {}, scale = {};  // response = shift + scale · what the network models
  std::vector<std::string> classes = {};       // in the order of their numbers

  // Learns scales and classes from the given rows.
  static Target learn(const Frame& frame, std::span<const std::string> names,
                      std::string_view family, FamilyOptions options, std::span<const Index> rows);

  Family make() const { return make_family(family, options); }
  bool has_classes() const { return !classes.empty(); }

  // The responses of these rows, scaled. Throws an Error that names file, line and column if a
  // value is missing, a class unknown, or outside of what the family knows.
  Matrix<double> encode(const Frame& frame, std::span<const Index> rows) const;
  // The same, but takes such rows out of `rows` and counts them.
  Matrix<double> encode(const Frame& frame, std::vector<Index>& rows,
                        TargetOddities& oddities) const;

  // Σ log scale: what a log-density of scaled responses is too large by.
  double log_scale() const;

 private:
  // The number of a class, also of a number that is written in another way; −1: there is no such.
  double class_number(std::string_view text) const;
  // The scaled value, or the number of the class, in all rows of a column; −1: an unknown class.
  std::vector<double> encode_column(const Frame& frame, std::size_t k) const;
};

// The rows of a table in which none of the columns is missing.
std::vector<Index> complete_rows(const Frame& frame, std::span<const std::string> columns);

}  // namespace probmix
