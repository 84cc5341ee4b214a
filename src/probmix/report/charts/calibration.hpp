// Whether predicted probabilities hold what they promise: PIT, coverage, reliability.
#pragma once

#include <string>
#include <vector>

#include "probmix/metric/calibration.hpp"
#include "probmix/report/page/vega.hpp"

namespace probmix::report {

// The predictive distribution function at what was observed, which is uniform if the predictions
// are calibrated: its histogram (metric/calibration.hpp).
struct PitPicture {
  std::string title;
  std::string caption;
  std::vector<double> share;  // of the rows, in bins of equal width
  double rows = 0;
};

// With the uniform line, and around it where 95 % of the bins of a calibrated model would end.
// Throws for shares outside of [0, 1].
Figure pit_chart(const PitPicture& picture);

struct CoverageCurve {
  std::string name;
  std::vector<double> nominal, empirical;  // in [0, 1], nominal ascending
};

// Of a histogram, from 0 to 1.
CoverageCurve coverage_curve(std::string name, const PitHistogram& pit);

struct CoveragePicture {
  std::string title;
  std::string caption;
  std::vector<CoverageCurve> curves;
};

// Which part of the observations central intervals hold, against the part that they promise.
Figure coverage_chart(const CoveragePicture& picture);

struct ReliabilityPicture {
  std::string title;
  std::string caption;
  // Per bin of confidence: its mean, the part that was right, and the number of rows.
  std::vector<double> confidence, accuracy, count;
};

// Bins without rows are left out.
Figure reliability_chart(const ReliabilityPicture& picture);

}  // namespace probmix::report
