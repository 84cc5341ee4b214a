// How the columns of a table become the inputs of a network. Learned on the training rows, stored
// with the model, and applied to later tables by column name.
//
//   numbers     standardised; a missing value becomes the mean (0), and if training has any, a
//               second input marks it (1)
//   categories  one input for each level, 1 or 0; rare levels share one, also used for unseen
//               levels; missing is a level of its own if training has it
//   dates       the time, standardised, and sine and cosine of the day of the year, the day of the
//               week and the time of day, as far as these vary; missing values as for numbers
//
// Columns that do not vary over the training rows are left out.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "probmix/base/text_hash.hpp"
#include "probmix/data/frame.hpp"
#include "probmix/nn/encoded_linear.hpp"

namespace probmix {

// Values outside are clipped to the limits: a network cannot extrapolate any distance.
struct InputLimits {
  double low = -std::numeric_limits<double>::max();
  double high = std::numeric_limits<double>::max();
  // The smallest and the largest value of the training rows, without absurd ones.
  double least = low, most = high;
};

struct NumberInput {
  static constexpr double smallest_scale = 1e-100;  // what varies by less is constant
  // Numbers are clipped at this many standard deviations from the mean, even in a model without
  // limits.
  static constexpr double furthest = 1e6;

  double mean = 0;
  double scale = 1;
  bool has_value = true;  // false: the column varies only in being missing
  bool marks_missing = false;
  InputLimits limits = {};
  std::vector<float> knots = {};  // quantiles of the scaled values; empty: it is not encoded
};

struct CategoryInput {
  std::vector<std::string> levels = {};  // with an input of their own, sorted
  bool has_other = false;
  bool has_missing = false;
};

struct DateInput {
  double mean = 0;                               // seconds
  double scale = 1;                              // seconds
  bool year = false, week = false, day = false;  // which cycles are inputs
  bool marks_missing = false;
  InputLimits limits = {};
};

struct InputColumn {
  std::string name;
  std::variant<NumberInput, DateInput, CategoryInput> how;  // in the order of ColumnKind

  ColumnKind kind() const { return static_cast<ColumnKind>(how.index()); }
  Index width() const;
};

// Oddities of the encoded rows, to be reported once rather than for each row.
struct InputOddities {
  Index missing = 0;  // values, in columns where training had none missing
  Index unseen = 0;   // levels, in columns without an input for rare levels
  Index extreme = 0;  // numbers and dates that are 1 or more beyond the training range (encode)
  // The first of each: "houses.csv: line 7, column 'town': 'Gent'"; no value if it is missing.
  std::string first_missing = {}, first_unseen = {}, first_extreme = {};
};

struct InputOptions {
  Index most_levels = 50;  // of a category, the most frequent ones, that get an input of their own
  Index bins = 0;          // between the knots of a number; 0: numbers are not encoded
  bool wide_limits = false;  // three times the range of the training rows beyond it, not quantiles
};

class Inputs {
 public:
  // Learns from the given rows of the given columns.
  static Inputs learn(const Frame& frame, std::span<const std::string> columns,
                      std::span<const Index> rows, const InputOptions& options = {});

  Inputs() = default;
  explicit Inputs(std::vector<InputColumn> columns);

  const std::vector<InputColumn>& columns() const { return columns_; }
  // The number of inputs per row, and their names: "rooms", "town = Gent", "rooms is missing".
  Index width() const { return width_; }
  std::vector<std::string> names() const;
  // The numbers that a network encodes.
  std::vector<NumberKnots> encoded() const;

  // Encodes all rows of a table. Throws an Error if a column is missing or of another kind; numbers
  // are accepted as categories where training had categories.
  Matrix<float> encode(const Frame& frame, InputOddities& oddities) const;
  // Encodes out.rows rows, starting at row `first` of the table. `outside`, if given, receives how
  // far each of them is outside the training rows: from 0 to 1, as d / (1 + d) for the length d of
  // a vector that has, for each column, how far a number is beyond its range in standard
  // deviations, how far a date is beyond the training period in lengths of it, and 1 for an unseen
  // level or an unseen missing value.
  void encode(const Frame& frame, Index first, View<float> out, InputOddities& oddities,
              std::span<double> outside = {}) const;

 private:
  // The position of a level among the inputs of its column; −1: none, so all of them are 0.
  Index place_of(std::size_t column, std::string_view level) const;

  std::vector<InputColumn> columns_;
  std::vector<std::unordered_map<std::string, Index, TextHash, std::equal_to<>>> places_;
  Index width_ = 0;
};

}  // namespace probmix
