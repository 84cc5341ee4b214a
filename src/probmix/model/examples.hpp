// What can be learned from in a table: its rows, or windows of them and a row to come. Examples are
// known by their positions; those of a part are kept in ascending order of time, or as given.
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
  std::vector<Index> last = {};    // the last row that is seen
  std::vector<Index> target = {};  // the row that is predicted
  std::vector<Index> place = {};   // of that row among those of its group
  Index without_target = 0;        // rows that lack one
  std::string gaps = {};           // how many gaps in time there are, for people; empty: none

  Index count() const { return std::ssize(last); }
};

// Throws an Error with the remedy if the times of a series do not ascend within its groups.
void check_order(const Frame& frame, const SeriesShape& shape, std::string_view remedy);

// All whose targets are there; with GapRule::split only those that see and predict rows on one side
// of a gap. Throws an Error for gaps with GapRule::refuse.
Examples examples_in(const Frame& frame, const SeriesShape& shape, const SeriesRules& rules,
                     std::span<const std::string> targets);
// The same of a whole table: an Error if its times do not ascend, or if there are no examples.
Examples find_examples(const Frame& frame, const SeriesShape& shape, const SeriesRules& rules,
                       std::span<const std::string> targets);

// The number of the class of each example; none if the target has no classes.
std::vector<std::int64_t> example_classes(const Frame& frame, const Target& target,
                                          const Examples& examples);

// When an example begins (its first row), is asked (its last) and answered (its target): times, or
// without a time column places in its group.
struct ExampleTimes {
  std::vector<double> first, asked, target;
};
ExampleTimes times_of(const Frame& frame, const SeriesShape& shape, const Examples& examples);

// The group of each. The shape must have a group column.
std::vector<std::int64_t> example_groups(const Frame& frame, const SeriesShape& shape,
                                         const Examples& examples);

// Those of `chosen` whose targets come before `boundary` train, the others are held out, but for
// those that the rule leaves out. Throws an Error if a part is empty; `file` and `part` ("test")
// name it.
struct Boundary {
  double time;
  Straddling straddling;
  std::string file, part;
};
Split split_at(const Boundary& boundary, const ExampleTimes& times, std::span<const Index> chosen);

// Splits examples into training and validation: the latest (ValidationRows::last), whole groups if
// the shape has a group column, or at random, with equal shares of `classes` (of all examples, or
// none).
Split split_examples(const Frame& frame, const FitOptions& options, const Examples& examples,
                     std::span<const Index> chosen, std::span<const std::int64_t> classes,
                     std::uint64_t seed);

// The rows that some examples see, each once: ascending, or of a plain table in their order.
std::vector<Index> rows_seen(const Examples& examples, std::span<const Index> chosen, Index window);

// Windows from the inputs of all rows: `window` rows side by side, for each of their last ones.
Matrix<float> gather_windows(const Matrix<float>& x, std::span<const Index> last, Index window);

}  // namespace probmix
