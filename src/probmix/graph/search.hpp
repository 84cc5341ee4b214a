// What the searches for neighbours share: the rule that orders candidates, and the grouping of
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

// The rule of all searches: differences and sums in double, column after column. The sums agree to
// the last bit, hence so do ties.
inline double squared_distance(const float* a, const float* b, Index cols) {
  double sum = 0;
  for (Index col = 0; col < cols; ++col) {
    const double difference = static_cast<double>(a[col]) - static_cast<double>(b[col]);
    sum += difference * difference;
  }
  return sum;
}

// Keeps the smallest of the candidates offered, in whatever order they come, in memory that it is
// given; empty places hold candidates at infinity.
class NearestSet {
 public:
  explicit NearestSet(std::span<Candidate> places) : heap_(places) {}

  void clear() {
    std::ranges::fill(heap_, Candidate{std::numeric_limits<double>::infinity(),
                                       std::numeric_limits<std::uint32_t>::max()});
  }
  // Candidates farther than this are refused.
  double radius() const { return heap_.front().distance; }
  bool contains(std::uint32_t row) const {
    return std::ranges::any_of(heap_, [row](const Candidate& held) { return held.row == row; });
  }
  // False if the candidate is refused.
  bool offer(Candidate candidate) {
    if (!(candidate < heap_.front())) return false;
    std::pop_heap(heap_.begin(), heap_.end());
    heap_.back() = candidate;
    std::push_heap(heap_.begin(), heap_.end());
    return true;
  }
  // Nearest first; clear() before the set is used again.
  std::span<const Candidate> sorted() {
    std::sort_heap(heap_.begin(), heap_.end());
    return heap_;
  }

 private:
  std::span<Candidate> heap_;  // a max-heap: the farthest in front
};

// Sets of equal size, one after the other.
class NearestSets {
 public:
  NearestSets(Index count, Index size)
      : size_(to_size(size)), places_(to_size(count) * to_size(size)) {
    NearestSet(places_).clear();
  }

  std::span<Candidate> places(Index i) {
    return std::span(places_).subspan(to_size(i) * size_, size_);
  }
  NearestSet operator[](Index i) { return NearestSet(places(i)); }

 private:
  std::size_t size_;
  std::vector<Candidate> places_;
};

// Rows with equal features, grouped, the groups in the order of their first rows. Searching among
// distinct rows keeps tables with few distinct values (codes, counts, constants) from costing
// O(rows²).
class DistinctRows {
 public:
  explicit DistinctRows(View<const float> x);

  Index size() const { return static_cast<Index>(groups_.size()); }
  Index cols() const { return x_.cols; }
  const float* values(Index u) const { return x_.row(groups_[to_size(u)].first); }
  // The rows equal to distinct row u, in ascending order.
  std::span<const std::uint32_t> members(Index u) const {
    const Group& group = groups_[to_size(u)];
    return std::span(order_).subspan(group.start, group.count);
  }
  double squared_distance(Index u, Index v) const {
    return probmix::squared_distance(values(u), values(v), cols());
  }

  // How many nearest distinct rows, including u itself, are needed to hold the k neighbours of
  // every member of u.
  Index nearest_needed(Index k) const { return std::min(k + 1, size()); }
  // Writes the neighbours of every member of u, given the nearest_needed(k) nearest distinct rows.
  void store(Index u, std::span<const Candidate> nearest, Neighbours& out) const;

 private:
  struct Group {
    std::uint32_t first;  // its smallest row
    std::uint32_t start;  // its rows in order_
    std::uint32_t count;
  };

  View<const float> x_;
  std::vector<std::uint32_t> order_;
  std::vector<Group> groups_;
};

}  // namespace probmix
