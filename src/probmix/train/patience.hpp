// When a training ends that waits for a better epoch, and when its learning rate falls.
#pragma once

#include "probmix/train/schedule.hpp"

namespace probmix {

struct PatienceOptions {
  Index most = 0;   // epochs to wait; 0: for ever
  Index least = 0;  // if smaller: after an early best epoch, twice the epochs that it took, but at
                    // least this many
  Schedule schedule = Schedule::constant;
};

// With the schedule plateau the rate falls when patience has run out: training goes on from the
// best epoch, and ends when it has run out at the lowest rate.
class Patience {
 public:
  // The rate falls twice, to a fifth each time.
  static constexpr Index falls = 2;
  static constexpr double fall = 0.2;

  explicit Patience(const PatienceOptions& options) : options_(options) {}

  // Takes note of the next epoch. True: the rate falls, so go on from the best epoch.
  bool after_epoch(bool is_best);
  bool has_run_out() const;
  double rate() const;  // what the learning rate is multiplied by

 private:
  PatienceOptions options_;
  Index epochs_ = 0, best_ = 0;
  Index fallen_ = 0;  // how often the rate has fallen
  Index since_ = 0;   // epochs before it last fell
};

}  // namespace probmix
