// How well probabilities tell two classes apart, in memory that does not grow with the rows: they
// are counted in narrow bins of log-odds.
#pragma once

#include <array>
#include <cstddef>

#include "probmix/base/matrix.hpp"

namespace probmix {

class TwoClasses {
 public:
  // A row to which the second class was given probability p.
  void add(double p, bool is_second);

  Index rows(bool is_second) const;
  // The probability that a row of the second class is given a larger probability of it than one of
  // the first (the area under the ROC curve; equal ones count one half), and the mean precision
  // over the rows of the second class, the most probable first. NaN unless both classes occur.
  double auc() const;
  double average_precision() const;

 private:
  static constexpr std::size_t bins = 8192;
  static constexpr double widest = 20;  // log-odds
  std::array<std::array<Index, bins>, 2> count_ = {};
};

}  // namespace probmix
