// Charts of calibration: PIT, coverage, reliability.
#pragma once

#include <string>
#include <vector>

#include "probmix/metric/calibration.hpp"
#include "probmix/report/page/vega.hpp"

namespace probmix::report {

// A histogram of the PIT, the predictive distribution function at the observation, which is uniform
// for calibrated predictions (metric/calibration.hpp).
struct PitPicture {
  std::string title;
  std::string caption;
  std::vector<double> share;  // of the rows, in bins of equal width
  double rows = 0;
};

// With the uniform line and the band that holds 95 % of a calibrated model's bins. Throws for
// shares outside [0, 1].
Figure pit_chart(const PitPicture& picture);

struct CoverageCurve {
  std::string name;
  std::vector<double> nominal, empirical;  // in [0, 1], nominal ascending
};

// From a histogram, for levels 0 to 1.
CoverageCurve coverage_curve(std::string name, const PitHistogram& pit);

struct CoveragePicture {
  std::string title;
  std::string caption;
  std::vector<CoverageCurve> curves;
};

// The share of observations inside central intervals against their nominal level.
Figure coverage_chart(const CoveragePicture& picture);

struct ReliabilityPicture {
  std::string title;
  std::string caption;
  // Per bin of confidence: its mean, the share that was right, and the number of rows.
  std::vector<double> confidence, accuracy, count;
};

// Bins without rows are left out.
Figure reliability_chart(const ReliabilityPicture& picture);

}  // namespace probmix::report
