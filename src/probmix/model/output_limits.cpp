#include "probmix/model/output_limits.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "probmix/train/predictor.hpp"

namespace probmix {

OutputLimits output_limits(const Network<float>& network, const Method& method,
                           const AlignedVector<float>& parameters, View<const float> x,
                           Index members, std::uint64_t seed) {
  constexpr Index enough = 4;  // draws for each of many rows
  Predictor<float> predict(network, std::min(members, enough), PredictorDraws::for_all_rows,
                           method.drops);
  const Index outputs = network.outputs();
  constexpr float infinity = std::numeric_limits<float>::infinity();
  OutputLimits limits(to_size(2 * outputs), infinity);
  float* const low = limits.data();
  float* const high = low + outputs;
  std::fill_n(high, outputs, -infinity);
  constexpr Index block = 256;
  Matrix<float> out(block * predict.members(), outputs);
  for (Index first = 0; first < x.rows; first += block) {
    const Index rows = std::min(block, x.rows - first);
    const View<float> found{out.data(), rows * predict.members(), outputs};
    predict(parameters.data(), {x.row(first), rows, x.cols}, seed, first, found);
    for (Index r = 0; r < found.rows; ++r) {
      for (Index c = 0; c < outputs; ++c) {
        low[c] = std::min(low[c], found(r, c));
        high[c] = std::max(high[c], found(r, c));
      }
    }
  }
  for (Index c = 0; c < outputs; ++c) {
    const float margin = high[c] - low[c];
    const bool is_finite = std::isfinite(low[c] - margin) && std::isfinite(high[c] + margin);
    low[c] = is_finite ? low[c] - margin : std::numeric_limits<float>::lowest();
    high[c] = is_finite ? high[c] + margin : std::numeric_limits<float>::max();
  }
  return limits;
}

void limit_outputs(View<float> outputs, const OutputLimits& limits) {
  if (limits.empty()) return;
  const float* const low = limits.data();
  const float* const high = low + outputs.cols;
  for (Index r = 0; r < outputs.rows; ++r) {
    float* const row = outputs.row(r);
    for (Index c = 0; c < outputs.cols; ++c) row[c] = std::clamp(row[c], low[c], high[c]);
  }
}

}  // namespace probmix
