// The toy regression with several methods and runs, in parallel, summed up.
#pragma once

#include <functional>
#include <vector>

#include "probmix/experiment/toy_regression.hpp"
#include "probmix/metric/summary.hpp"

namespace probmix {

struct ToySummary {
  const Method* method;
  MeanSe train_nll, id_nll, ood_nll, id_mse, ood_mse;
  // The mean NLL of single draws of z, where the above are those of the mixture of all draws; the
  // same for methods without a random embedding.
  MeanSe train_draws_nll, id_draws_nll, ood_draws_nll;
  ToyBands bands;  // of the first run
};

// The same results for any number of threads. `finished` is called after each of the chosen methods
// · runs runs, from any thread. A run that diverges throws an Error that names it.
std::vector<ToySummary> run_toy_study(const ToyRegression& study,
                                      const std::vector<const Method*>& chosen, Index runs,
                                      Index threads, const std::function<void()>& finished);

}  // namespace probmix
