// The cost of one training step, and of its matrix products alone.
#pragma once

#include "training_step.hpp"

namespace probmix::bench {

struct Blocks {
  Index number = 9;
  double seconds = 0.1;  // at least, per block
};

// One step; times are medians over the blocks, except `best`.
struct Measured {
  double rows_in_play;
  double flops;
  double seconds;
  double best_seconds;
  double cpu_seconds;
  // oneDNN's sgemm on the step's products, in blocks between those of steps.
  double sgemm_seconds;
  double sgemm_cpu_seconds;
  double allocations;
};

// Throws a UsageError if the settings make no sense.
Measured measure(const StepSettings& settings, const Blocks& blocks);

}  // namespace probmix::bench
