#include "probmix/experiment/toy_study.hpp"

#include "probmix/base/error.hpp"
#include "probmix/base/parallel.hpp"

namespace probmix {

std::vector<ToySummary> run_toy_study(const ToyRegression& study,
                                      const std::vector<const Method*>& chosen, Index runs,
                                      Index threads, const std::function<void()>& finished) {
  check_range("runs", runs, 1, 1'000'000);
  check_range("threads", threads, 1, 4096);
  for (const Method* method : chosen) check_toy_regression(study, *method);
  const auto method_count = static_cast<Index>(chosen.size());
  std::vector<ToyRun> results(static_cast<std::size_t>(method_count * runs));
  std::vector<ToySummary> summaries(chosen.size());

  parallel_for(method_count * runs, threads, [&](Index task) {
    const auto m = static_cast<std::size_t>(task / runs);
    const Index run = task % runs;
    try {
      results[static_cast<std::size_t>(task)] =
          run_toy_regression(study, *chosen[m], run, run == 0 ? &summaries[m].bands : nullptr);
    } catch (const UsageError&) {
      throw;
    } catch (const Error& error) {
      throw Error(fmt::format("{}, run {}: {}", chosen[m]->name, run + 1, error.what()));
    }
    finished();
  });

  for (std::size_t m = 0; m < chosen.size(); ++m) {
    const auto over_runs = [&](auto&& value) {
      std::vector<double> values;
      for (Index run = 0; run < runs; ++run) {
        values.push_back(
            value(results[m * static_cast<std::size_t>(runs) + static_cast<std::size_t>(run)]));
      }
      return mean_se(values);
    };
    ToySummary& s = summaries[m];
    s.method = chosen[m];
    s.train_nll = over_runs([](const ToyRun& r) { return r.train.nll; });
    s.id_nll = over_runs([](const ToyRun& r) { return r.id.nll; });
    s.ood_nll = over_runs([](const ToyRun& r) { return r.ood.nll; });
    s.id_mse = over_runs([](const ToyRun& r) { return r.id.mse; });
    s.ood_mse = over_runs([](const ToyRun& r) { return r.ood.mse; });
    s.train_draws_nll = over_runs([](const ToyRun& r) { return r.train.draws_nll; });
    s.id_draws_nll = over_runs([](const ToyRun& r) { return r.id.draws_nll; });
    s.ood_draws_nll = over_runs([](const ToyRun& r) { return r.ood.draws_nll; });
  }
  return summaries;
}

}  // namespace probmix
