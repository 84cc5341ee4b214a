// What the two searches for neighbours share: the rule that orders candidates, and the grouping of
// duplicate rows. Private to this folder.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "probmix/base/matrix.hpp"
#include "probmix/graph/neighbours.hpp"

namespace probmix {

struct Candidate {
  double distance;  // squared
  std::uint32_t row;

  // Nearer first; at equal distance, the smaller row number.
  friend bool operator<(const Candidate& a, const Candidate& b) {
    return a.distance != b.distance ? a.distance < b.distance : a.row < b.row;
  }
};

// The `capacity` smallest candidates among those offered, in any order of offering.
class NearestSet {
 public:
  explicit NearestSet(std::size_t capacity) : capacity_(capacity) { heap_.reserve(capacity); }

  void clear() { heap_.clear(); }
  bool full() const { return heap_.size() == capacity_; }

  // Candidates farther than this are refused.
  double radius() const {
    return full() ? heap_.front().distance : std::numeric_limits<double>::infinity();
  }

  // False if the candidate is refused.
  bool offer(Candidate candidate) {
    if (full()) {
      if (!(candidate < heap_.front())) return false;
      std::pop_heap(heap_.begin(), heap_.end());
      heap_.back() = candidate;
    } else {
      heap_.push_back(candidate);
    }
    std::push_heap(heap_.begin(), heap_.end());
    return true;
  }

  // Nearest first; clear() before the set is used again.
  std::span<const Candidate> sorted() {
    std::sort_heap(heap_.begin(), heap_.end());
    return heap_;
  }

 private:
  std::size_t capacity_;
  std::vector<Candidate> heap_;  // a max-heap: the farthest in front
};

// Rows with equal features, grouped. Searching once per distinct row keeps tables with few distinct
// values (codes, counts, constants) from costing O(rows²) in the tree.
class DistinctRows {
 public:
  explicit DistinctRows(View<const float> x);

  Index size() const { return static_cast<Index>(start_.size()) - 1; }
  Index cols() const { return x_.cols; }
  const float* values(Index u) const { return x_.row(members(u).front()); }
  // The rows equal to distinct row u, in ascending order.
  std::span<const std::uint32_t> members(Index u) const {
    const auto at = static_cast<std::size_t>(u);
    return std::span(order_).subspan(start_[at], start_[at + 1] - start_[at]);
  }
  void offer_members(Index u, double distance, NearestSet& set) const {
    for (const std::uint32_t row : members(u)) {
      if (!set.offer({distance, row})) return;  // the members that follow are no better
    }
  }
  // Writes the neighbours of every member of u, given the k + 1 nearest rows with u's included.
  void store(Index u, std::span<const Candidate> nearest, Neighbours& out) const;

 private:
  View<const float> x_;
  std::vector<std::uint32_t> order_;
  std::vector<std::size_t> start_;
};

// Both fill out.flat, and accumulate squared differences in double, column after column: the sums
// agree to the last bit, hence so do ties. (It takes a compiler that does not contract a·b + c in
// one of them only: baseline x86-64, or -ffp-contract=off.)
//
// How fast the tree is depends on the intrinsic dimension of the data. With `only_if_faster` a few
// queries find out; if the scan is faster, it returns false and leaves `out` as it is. Needs a
// column.
bool search_tree(const DistinctRows& distinct, Neighbours& out, bool only_if_faster);
void search_scan(const DistinctRows& distinct, Neighbours& out);

}  // namespace probmix
