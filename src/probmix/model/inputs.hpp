// How the columns of a table become the inputs of a network. Learned on training rows, kept with a
// model, and applied to any later table by the names of its columns.
//
//   numbers     standardised; a missing one is the mean (0), and if training has any, a second
//               input says so (1)
//   categories  one input for each level, 1 or 0; the rare levels share one, which unseen ones take
//               too; missing is a level of its own if training has it
//   dates       the time, standardised, and sine and cosine of the day of the year, of the week,
//               and of the time of day, as far as these vary; missing ones as of numbers
//
// What does not vary over the training rows is left out.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "probmix/base/text_hash.hpp"
#include "probmix/data/frame.hpp"

namespace probmix {

struct NumberInput {
  double mean = 0;
  double scale = 1;
  bool has_value = true;  // false: only whether it is missing varies
  bool marks_missing = false;
};

struct CategoryInput {
  std::vector<std::string> levels = {};  // those with an input of their own, sorted
  bool has_other = false;
  bool has_missing = false;
};

struct DateInput {
  double mean = 0;                               // seconds
  double scale = 1;                              // seconds
  bool year = false, week = false, day = false;  // which cycles
  bool marks_missing = false;
};

struct InputColumn {
  std::string name;
  std::variant<NumberInput, DateInput, CategoryInput> how;  // in the order of ColumnKind

  ColumnKind kind() const { return static_cast<ColumnKind>(how.index()); }
  Index width() const;
};

// What was odd about the rows that were encoded, to be told once and not for each row.
struct InputOddities {
  Index missing = 0;  // values, in columns where training had them all
  Index unseen = 0;   // categories, in columns without an input for those that are rare
  Index extreme = 0;  // numbers so far from those of training that they were cut
  // The first of each: "houses.csv: line 7, column 'town': 'Gent'", without a value if it is missing.
  std::string first_missing = {}, first_unseen = {}, first_extreme = {};
};

class Inputs {
 public:
  // From the given rows of the given columns. The `most_levels` most frequent levels of a category
  // have an input of their own.
  static Inputs learn(const Frame& frame, std::span<const std::string> columns,
                      std::span<const Index> rows, Index most_levels = 50);

  explicit Inputs(std::vector<InputColumn> columns);

  const std::vector<InputColumn>& columns() const { return columns_; }
  // How many numbers a row becomes, and their names: "rooms", "town = Gent", "rooms is missing".
  Index width() const { return width_; }
  std::vector<std::string> names() const;

  // All rows of a table. Throws an Error if it lacks a column, or has it in another kind; numbers
  // where training had categories are taken as such.
  Matrix<float> encode(const Frame& frame, InputOddities& oddities) const;
  // Its rows from `first` on, into as many rows of `out`.
  void encode(const Frame& frame, Index first, View<float> out, InputOddities& oddities) const;

 private:
  // The place of a level among the inputs of its column; −1: none, all of them are 0.
  Index place_of(std::size_t column, std::string_view level) const;

  std::vector<InputColumn> columns_;
  std::vector<std::unordered_map<std::string, Index, TextHash, std::equal_to<>>> places_;
  Index width_ = 0;
};

}  // namespace probmix
