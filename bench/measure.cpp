#include "measure.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "allocations.hpp"
#include "probmix/base/error.hpp"
#include "timing.hpp"

namespace probmix::bench {

Measured measure(const StepSettings& settings, const Blocks& blocks) {
  check_range("blocks", blocks.number, 1, 1'000'000);
  check_non_negative("the seconds of a block", blocks.seconds);
  check_allocations_are_seen();
  TrainingStep training(settings);
  const auto step = [&] { training.run(); };
  constexpr int few = 10;  // also shows how many partners lie outside the batch
  for (int k = 0; k < few; ++k) step();
  time_block(blocks.seconds, step);

  Measured found{};
  found.rows_in_play = training.mean_rows_in_play();
  const auto products = training.products(std::lround(found.rows_in_play));
  found.flops = total_flops(products);
  found.allocations = static_cast<double>(count_allocations([&] {
                        for (int k = 0; k < few; ++k) step();
                      })) /
                      few;

  Sgemm sgemm(products);
  sgemm.run();
  std::vector<double> steps;
  std::vector<double> cpu_steps;
  std::vector<double> sgemms;
  std::vector<double> cpu_sgemms;
  for (Index b = 0; b < blocks.number; ++b) {
    const Seconds whole = time_block(blocks.seconds, step);
    steps.push_back(whole.wall);
    cpu_steps.push_back(whole.cpu);
    const Seconds alone = time_block(blocks.seconds, [&] { sgemm.run(); });
    sgemms.push_back(alone.wall);
    cpu_sgemms.push_back(alone.cpu);
  }
  found.seconds = median(steps);
  found.best_seconds = *std::ranges::min_element(steps);
  found.cpu_seconds = median(cpu_steps);
  found.sgemm_seconds = median(sgemms);
  found.sgemm_cpu_seconds = median(cpu_sgemms);
  return found;
}

}  // namespace probmix::bench
