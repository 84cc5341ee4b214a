// What can be learned from in a table: its rows, or windows of them and a row to come.
#pragma once

#include <string>
#include <vector>

#include "probmix/data/frame.hpp"
#include "probmix/data/split.hpp"
#include "probmix/model/model.hpp"

namespace probmix {

struct Examples {
  std::vector<Index> last;    // the last row that is seen
  std::vector<Index> target;  // the row that is predicted
  std::vector<Index> place;   // of that row among those of its group

  Index count() const { return std::ssize(last); }
};

// Longer distances between the dates of a series than its rows usually have (data/gaps.hpp).
struct SeriesGaps {
  std::vector<bool> is_before;  // of each row: there is a gap before it
  Index count = 0;
  Index longest = -1;  // the row after it
};
// None unless the shape is of a series with a column of dates.
SeriesGaps find_series_gaps(const Frame& frame, const SeriesShape& shape);
// How many, the longest, and what is done about them, for people; empty if there are none.
std::string describe_gaps(const Frame& frame, const SeriesShape& shape, const SeriesGaps& gaps);

enum class AtGaps { stop, go_on };

// All whose targets are there; unless they go on, only those that see and predict no rows on both
// sides of a gap. Throws an Error if a series' times do not ascend.
Examples find_examples(const Frame& frame, const SeriesShape& shape,
                       std::span<const std::string> targets, AtGaps at_gaps = AtGaps::stop);

// The number of the class of each; none if the target has none.
std::vector<std::int64_t> example_classes(const Frame& frame, const Target& target,
                                          const Examples& examples);

// By the times of their targets, rather than at random: of a series (without a time column by their
// places) and of a table with times and no groups.
bool is_split_in_time(const SeriesShape& shape);
std::vector<double> example_times(const Frame& frame, const SeriesShape& shape,
                                  const Examples& examples);
// Leaves out those to learn from whose targets were not known yet when the first of the others was
// to be predicted.
void keep_known(const Frame& frame, const SeriesShape& shape, const Examples& examples,
                std::vector<Index>& train, std::span<const Index> others);
// The shape must have a group column.
std::vector<std::int64_t> example_groups(const Frame& frame, const SeriesShape& shape,
                                         const Examples& examples);

// Splits some examples (positions in `examples`) into training and validation: the latest if they
// are split in time; whole groups if the shape has a group column; else at random, of `classes` (of
// all examples, or none) as equal shares as can be.
Split split_examples(const Frame& frame, const SeriesShape& shape, const Examples& examples,
                     std::span<const Index> chosen, std::span<const std::int64_t> classes,
                     double fraction, std::uint64_t seed);

// The rows that some examples see, each once, ascending.
std::vector<Index> rows_seen(const Examples& examples, std::span<const Index> chosen, Index window);

// The inputs of some examples from those of all rows: `window` rows side by side.
Matrix<float> gather_windows(const Matrix<float>& x, const Examples& examples,
                             std::span<const Index> chosen, Index window);

}  // namespace probmix
