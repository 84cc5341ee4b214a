// The stock forecasts with several stocks, architectures, methods and runs, summed up.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "probmix/experiment/stocks.hpp"
#include "probmix/experiment/sweep.hpp"
#include "probmix/metric/summary.hpp"

namespace probmix {

struct StockPlan {
  StockStudy study = {};  // but for the kind of its architecture
  std::vector<ArchitectureKind> architectures = {};
  std::vector<const Method*> methods = {};
  std::vector<StockData> stocks = {};
  Index runs = 1;
};

// The runs of a plan, as a sweep wants them. Throws a UsageError for what can be told to be wrong.
std::vector<Json> stock_configurations(const StockPlan& plan);

// The function of a sweep. The plan must outlive it.
Sweep::Execute stock_execute(const StockPlan& plan);

struct StockSummary {
  std::string dataset;
  std::string architecture;
  const Method* method;
  Index runs = 0;      // that are in the means
  Index diverged = 0;  // that are not
  MeanSe train_nll, test_nll, train_rmse, test_rmse;
  // The mean NLL of single draws of z, where the above are those of the mixture of all draws.
  MeanSe train_draws_nll, test_draws_nll;
  Json pictures = {};  // of the first run, null if it diverged
};

// One for each stock, architecture and method, in the order of the records.
std::vector<StockSummary> sum_up(std::span<const RunRecord> records);

}  // namespace probmix
