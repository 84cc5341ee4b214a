// The training examples in a table: its rows or, in a series, windows of rows with a later target
// row. Parts of a table are lists of positions in Examples, in the order of time or as given.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "probmix/data/frame.hpp"
#include "probmix/data/series.hpp"
#include "probmix/data/split.hpp"
#include "probmix/model/target.hpp"
#include "probmix/options/fit_options.hpp"

namespace probmix {

struct Examples {
  std::vector<Index> last = {};    // the last row that the model sees
  std::vector<Index> target = {};  // the row whose target is predicted
  std::vector<Index> place =
      {};  // of the target row, counted from the start of its group or the last gap
  Index without_target = 0;  // rows whose target is missing
  std::string gaps = {};     // a remark about gaps in time; empty: none

  Index count() const { return std::ssize(last); }
};

// Throws an Error with the remedy if the times of a series do not increase within its groups.
void check_order(const Frame& frame, const SeriesShape& shape, std::string_view remedy);

// All examples whose target is present; with GapRule::split only those that do not reach across a
// gap. Throws an Error for gaps with GapRule::refuse.
Examples examples_in(const Frame& frame, const SeriesShape& shape, const SeriesRules& rules,
                     std::span<const std::string> targets);
// The same, but throws an Error if the times do not increase, or if there are no examples.
Examples find_examples(const Frame& frame, const SeriesShape& shape, const SeriesRules& rules,
                       std::span<const std::string> targets);

// The class number of each example; empty if the target has no classes.
std::vector<std::int64_t> example_classes(const Frame& frame, const Target& target,
                                          const Examples& examples);

// When an example begins (its first row), when its forecast is made (its last row), and the time of
// its target. Without a time column: places within the group.
struct ExampleTimes {
  std::vector<double> first, asked, target;
};
ExampleTimes times_of(const Frame& frame, const SeriesShape& shape, const Examples& examples);

// The group of each example. The shape must have a group column.
std::vector<std::int64_t> example_groups(const Frame& frame, const SeriesShape& shape,
                                         const Examples& examples);

// Splits `chosen`: examples whose target is before `boundary.time` train, the others are held out;
// the straddling rule may leave some out. Throws an Error if it leaves a part empty; `file` and
// `part` ("test") name it.
struct Boundary {
  double time;
  Straddling straddling;
  std::string file, part;
};
Split split_at(const Boundary& boundary, const ExampleTimes& times, std::span<const Index> chosen);

// Splits examples into training and validation: by time (ValidationRows::last), by whole groups if
// the shape has a group column, else at random with equal shares of each class. `classes` has one
// number for each example, or is empty.
Split split_examples(const Frame& frame, const FitOptions& options, const Examples& examples,
                     std::span<const Index> chosen, std::span<const std::int64_t> classes,
                     std::uint64_t seed);

// The rows that the chosen examples see, each once: ascending, or for window 1 in the given order.
std::vector<Index> rows_seen(const Examples& examples, std::span<const Index> chosen, Index window);

// Builds windows from the inputs of all rows: for each last row, `window` rows side by side.
Matrix<float> gather_windows(const Matrix<float>& x, std::span<const Index> last, Index window);

}  // namespace probmix
