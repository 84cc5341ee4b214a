// Weighted directed edges from which a row's partner is drawn in constant time.
//
// Every row has an alias table (Walker 1974, Vose 1991): m slots of equal probability, each split
// between two targets. The tables of all rows are stored one after the other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "probmix/base/matrix.hpp"
#include "probmix/base/random.hpp"

namespace probmix {

struct Edge {
  Index from = 0;
  Index to = 0;
  double weight = 1;
};

class EdgeTable {
 public:
  // Duplicate edges add up, edges of weight 0 are dropped, and a row may be its own partner. Throws
  // a UsageError if a row number lies outside [0, rows), a weight is negative or not finite, or no
  // edge has a positive weight.
  EdgeTable(Index rows, std::span<const Edge> edges);

  Index rows() const { return static_cast<Index>(weights_.size()); }
  // rows · Σ_j w_ij / Σ w: the mean over rows is 1.
  double weight(Index i) const { return weights_[static_cast<std::size_t>(i)]; }
  // j with probability w_ij / Σ_j w_ij; i itself if it has no edges.
  Index draw(Index i, Stream& stream) const;
  // The probability that draw(i) is j, summed from the table.
  double probability(Index i, Index j) const;

 private:
  struct Slot {
    double share;  // of `here`; the rest belongs to `other`
    std::uint32_t here;
    std::uint32_t other;
  };
  std::span<const Slot> slots(Index i) const;

  std::vector<Slot> slots_;
  std::vector<std::size_t> start_;  // row i has slots_[start_[i]] up to slots_[start_[i + 1]]
  std::vector<double> weights_;
};

}  // namespace probmix
