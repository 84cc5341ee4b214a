// Methods compared over several data sets by their ranks (Demšar 2006, "Statistical comparisons of
// classifiers over multiple data sets").
//
// `scores` has a row for each block (data set) and a column for each method; smaller is better.
// Infinity is the worst possible score; NaN is an Error.
#pragma once

#include <span>
#include <vector>

#include "probmix/base/matrix.hpp"

namespace probmix {

// 1 is the smallest value; equal values share the mean of their places.
std::vector<double> ranks(std::span<const double> values);

// The average rank of each method over the blocks.
std::vector<double> average_ranks(View<const double> scores);

// Are all methods alike? χ² with k − 1 degrees of freedom, corrected for ties, and the less
// conservative F of Iman and Davenport derived from it, with k − 1 and (k − 1)(N − 1). Needs k >= 2
// methods on N >= 2 blocks. Methods that tie everywhere have p = 1; if all blocks rank the methods
// in the same order, F is infinite.
struct FriedmanTest {
  double chi_square = 0;
  double chi_square_p = 1;
  double f = 0;
  double f_p = 1;
};
FriedmanTest friedman_test(View<const double> scores);

// Two of k methods differ if their average ranks over N blocks are at least this far apart:
// Nemenyi's test at the level `alpha`, 0.05 or 0.1, for 2 to 20 methods.
double nemenyi_critical_difference(Index methods, Index blocks, double alpha);

// The bars of a critical-difference diagram: the maximal groups of two or more methods in which no
// two differ. The best method comes first, both in a group and among groups.
std::vector<std::vector<Index>> cliques(std::span<const double> average_ranks,
                                        double critical_difference);

}  // namespace probmix
