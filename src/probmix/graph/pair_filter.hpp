// Which pairs of rows may be near neighbours, by matrix products in float.
//
// |a − b|² = |a|² + |b|² − 2 a·b takes one matrix product for all pairs of two blocks of rows.
// Float rounding makes it unfit to rank neighbours, but its error is bounded: pairs that are too
// far apart in spite of it (nearly all) are dropped, and the others are compared by the rule of
// search.hpp.
// Private to this folder.
#pragma once

#include <span>
#include <vector>

#include "probmix/graph/search.hpp"

namespace probmix {

class PairFilter {
 public:
  // Subtracts the columns' medians, since errors grow with |a| and |b|, and scales by a power of
  // two, so that no square overflows, and none underflows beside a value 10^30 times as large.
  explicit PairFilter(const DistinctRows& distinct);

  struct Block {
    std::vector<std::uint32_t> rows;  // distinct rows
    AlignedVector<float> values;      // as the filter sees them
    AlignedVector<float> squares;     // |a|²
  };
  void load(std::span<const std::uint32_t> rows, Block& block) const;
  // The distinct rows [first, end).
  void load(Index first, Index end, Block& block) const;

  // The largest |b|² − 2 a·b, as computed in float, of a row b within `radius` (squared, as
  // computed in double) of the row a with |a|² = `square`.
  float limit(double radius, float square) const;

  // Offers every row of `candidates` to the set of every row of `queries`. With `repeats` the sets
  // may hold some of them already.
  void offer(const Block& queries, const Block& candidates, NearestSets& sets,
             bool repeats = false) const;

 private:
  void load(Block& block) const;

  const DistinctRows& distinct_;
  std::vector<double> centre_;
  double scale_;
  double underflow_;  // absolute error of such a sum
  double gamma_;      // relative error of a sum of cols products
};

}  // namespace probmix
