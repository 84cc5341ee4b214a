// Small tables and quick trainings for the tests of models.
#pragma once

#include <cmath>
#include <string>

#include "probmix/base/random.hpp"
#include "probmix/model/judge_fit.hpp"

namespace probmix::test {

// Columns x (number), town (category), day (date), and y = 2 x + something for the town + noise.
inline std::string house_table(Index rows, std::uint64_t seed = 1) {
  Stream stream(seed, Purpose::test);
  std::string text = "x,town,day,y\n";
  const std::string towns[] = {"Gent", "Brugge", "Aalst"};
  for (Index r = 0; r < rows; ++r) {
    const double x = stream.normal();
    const auto town = stream.below(3);
    text += fmt::format("{:.4f},{},2024-{:02}-{:02},{:.4f}\n", x, towns[town], 1 + stream.below(12),
                        1 + stream.below(28),
                        50 + 20 * x + 10 * static_cast<double>(town) + 3 * stream.normal());
  }
  return text;
}

inline Frame houses(Index rows = 120, std::uint64_t seed = 1) {
  return parse_frame(house_table(rows, seed), "houses.csv");
}

inline FitOptions quick(std::vector<std::string> targets = {"y"}) {
  FitOptions options{.preset = Preset::fast};
  options.targets = std::move(targets);
  options.architecture.mlp.hidden = {16, 8};
  options.train.epochs = 30;
  options.train.batch = 32;
  options.members = 5;
  return options;
}

inline Model fitted(const Frame& frame, const FitOptions& options) {
  ModelFit fit(frame, options);
  fit.finish();
  return fit.model();
}

}  // namespace probmix::test
