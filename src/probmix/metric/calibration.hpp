// Do predicted densities mean what they say? Events predicted with probability p should occur with
// frequency p.
//
// As for score(), `out` holds the network's outputs, the rows of all members for each row of
// y, and the prediction is their mixture. A NaN output makes NaN of every result.
#pragma once

#include <array>
#include <cstddef>

#include "probmix/base/matrix.hpp"
#include "probmix/family/families.hpp"
#include "probmix/family/members.hpp"
#include "probmix/metric/outputs_view.hpp"

namespace probmix {

// The probability integral transform F(y|x), which is uniform if the predictions are right.
struct PitHistogram {
  static constexpr std::size_t bins = 20;    // bin b: from b/20 to (b+1)/20
  static constexpr std::size_t levels = 10;  // level l: (l+1)/10

  std::array<double, bins> share{};  // of the responses; they sum to 1

  // The share of responses in the central interval of probability 0.1, 0.2, ..., 1.
  std::array<double, levels> coverage() const;

  // The mean over p = 0.05, 0.1, ..., 0.95 of |share of responses below their quantile p − p|: the
  // quantile levels of Kuleshov et al. 2018, with absolute values instead of squares. Unlike
  // coverage(), it also detects a bias. 0 is perfect; responses that all lie in one tail give 0.5.
  double calibration_error() const;
};

// Each response column counts by its own F; `column` >= 0 selects a single one. A count, or
// an atom, is spread over (P(Y < y), F(y)]: the non-randomised transform of Czado, Gneiting and
// Held 2009. Throws for classes, which have no order.
PitHistogram pit_histogram(const Family& family, const OutputsView& out, const Members& members,
                           View<const double> y, int column = -1);

// The most probable class and its probability, the confidence (Guo et al. 2017). Among equally
// probable classes the first is predicted.
struct Reliability {
  static constexpr std::size_t bin_count = 10;

  struct Bin {  // confidences in (b/10, (b+1)/10]
    Index count = 0;
    double confidence = 0;  // means over the bin, NaN if it is empty
    double accuracy = 0;
  };

  std::array<Bin, bin_count> bins{};
  double accuracy = 0;  // of all rows
  // The mean over the rows of |accuracy − confidence| of their bin.
  double expected_calibration_error = 0;

  // Turns sums over the rows of each bin into means; bins of several calls may be added up before.
  void finish(Index rows);
};

// For families of classes (categorical, bernoulli); throws for others.
Reliability reliability(const Family& family, const OutputsView& out, const Members& members,
                        View<const double> y);

}  // namespace probmix
