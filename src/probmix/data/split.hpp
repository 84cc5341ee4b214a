// Splits of rows into a training and a validation part.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "probmix/base/matrix.hpp"

namespace probmix {

struct Split {
  std::vector<Index> train;
  std::vector<Index> validation;
};

// Puts a random `fraction` of n rows (rounded; both parts keep at least one row when 0 < fraction
// < 1) into the validation part. Both parts are in ascending order.
Split random_split(Index n, double fraction, std::uint64_t seed);

// As above, but rows of a group stay together: whole groups, drawn at random, go into the
// validation part so that it comes as close to `fraction` as the sizes of the groups allow. Throws
// an Error if there is only one group.
Split group_split(std::span<const std::int64_t> group, double fraction, std::uint64_t seed);

// As random_split, but takes the same fraction of each class (rounding the total, not each class).
Split class_split(std::span<const std::int64_t> classes, double fraction, std::uint64_t seed);

// The latest rows go into the validation part, with all rows of the same time. Throws an Error if
// all have the same time.
Split time_split(std::span<const double> time, double fraction);

// 0, 1, ..., n − 1, and a random permutation of them determined by the seed.
std::vector<Index> first_numbers(Index n);
std::vector<Index> random_order(Index n, std::uint64_t seed);

// The values at the given positions.
template <class T>
std::vector<T> take(std::span<const T> from, std::span<const Index> positions) {
  std::vector<T> taken;
  taken.reserve(positions.size());
  for (const Index k : positions) taken.push_back(from[to_size(k)]);
  return taken;
}
template <class T>
std::vector<T> take(const std::vector<T>& from, std::span<const Index> positions) {
  return take(std::span<const T>(from), positions);
}

}  // namespace probmix
