#include "probmix/experiment/stock_study.hpp"

#include <algorithm>

#include "probmix/base/error.hpp"
#include "probmix/experiment/sweep_summary.hpp"

namespace probmix {

namespace {

// Calls visit(study, data, method) for each cell of the table.
template <class Visit>
void for_each_cell(const StockPlan& plan, const Visit& visit) {
  StockStudy study = plan.study;
  for (const ArchitectureKind kind : plan.architectures) {
    study.architecture.kind = kind;
    for (const StockData& data : plan.stocks) {
      for (const Method* method : plan.methods) visit(study, data, *method);
    }
  }
}

}  // namespace

std::vector<Json> stock_configurations(const StockPlan& plan) {
  check_range("runs", plan.runs, 1, 1'000'000);
  std::vector<Json> configurations;
  for_each_cell(plan, [&](const StockStudy& study, const StockData& data, const Method& method) {
    check_stock_run(study, data, method);
    for (Index run = 0; run < plan.runs; ++run) {
      configurations.push_back(stock_configuration(study, data, method, run));
    }
  });
  return configurations;
}

Sweep::Execute stock_execute(const StockPlan& plan) {
  return [&plan](const Json& configuration) {
    const auto& dataset = configuration.at("dataset").get_ref<const std::string&>();
    const auto& arch = configuration.at("arch").get_ref<const std::string&>();
    const auto& name = configuration.at("method").get_ref<const std::string&>();
    const auto data = std::ranges::find(plan.stocks, dataset, &StockData::name);
    check(data != plan.stocks.end(), "{} is not among the stocks of this study", dataset);
    StockStudy study = plan.study;
    study.architecture.kind =
        static_cast<ArchitectureKind>(check_choice("architecture", arch, architecture_names));
    return run_stock(study, *data, methods[check_choice("method", name, method_names)],
                     configuration.at("run").get<Index>());
  };
}

std::vector<StockSummary> sum_up(std::span<const RunRecord> records) {
  std::vector<StockSummary> summaries;
  for (const RunGroup& group : group_runs(records, {"dataset", "arch", "method"})) {
    StockSummary s{.dataset = group.keys.at("dataset").get<std::string>(),
                   .architecture = group.keys.at("arch").get<std::string>(),
                   .method = &find_method(group.keys.at("method").get<std::string>()),
                   .runs = std::ssize(group.done),
                   .diverged = static_cast<Index>(group.diverged),
                   .train_nll = group.summary("/train/nll"),
                   .test_nll = group.summary("/test/nll"),
                   .train_rmse = group.summary("/train/rmse"),
                   .test_rmse = group.summary("/test/rmse"),
                   .train_draws_nll = group.summary("/train/draws_nll"),
                   .test_draws_nll = group.summary("/test/draws_nll")};
    for (const RunRecord* const record : group.done) {
      if (record->result.contains("pictures")) s.pictures = record->result.at("pictures");
    }
    summaries.push_back(std::move(s));
  }
  return summaries;
}

}  // namespace probmix
