// The five nearest neighbours of every row, for normal data.
#include "probmix/graph/neighbours.hpp"

#include <benchmark/benchmark.h>

#include "inputs.hpp"

namespace probmix::bench {

namespace {

void k_nearest(benchmark::State& state) {
  const Matrix<float> x = normals(state.range(0), state.range(1));
  for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(probmix::k_nearest(x.view(), 5));
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(k_nearest)
    ->ArgNames({"rows", "features"})
    ->ArgsProduct({{1000, 10000}, {2, 8, 20}})
    ->Unit(benchmark::kMillisecond);

}  // namespace

}  // namespace probmix::bench
