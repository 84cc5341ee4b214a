// The risk of fused densities, and everything random in a step, for 1151 rows.
#include <benchmark/benchmark.h>

#include <numeric>
#include <string>

#include "inputs.hpp"
#include "probmix/mix/draw.hpp"
#include "probmix/mix/risk.hpp"
#include "probmix/train/fit.hpp"

namespace probmix::bench {

namespace {

constexpr Index rows = 1151;

// Loss and gradient of pairs, for one response or for soft labels of ten classes.
void risk(benchmark::State& state, const char* family_name, Pooling pooling) {
  const Family family = make_family(family_name, {.classes = 10});
  const Index outputs = std::visit([](const auto& f) { return Index{f.outputs()}; }, family);
  const Index atoms =
      std::visit([](const auto& f) { return std::max(Index{1}, Index{f.classes()}); }, family);
  const Matrix<float> out = normals(rows, outputs);
  Matrix<float> dout(rows, outputs);
  Targets targets(rows, atoms, 1);
  Stream stream(1, Purpose::test);
  for (Index m = 0; m < rows * atoms; ++m) {
    targets.weight.data()[m] = 1.0 / static_cast<double>(atoms);
    targets.y.data()[m] = atoms > 1 ? static_cast<double>(m % atoms) : stream.normal();
  }
  std::vector<Index> partner(to_size(rows));
  std::iota(partner.begin(), partner.end(), Index{0});
  shuffle(partner.begin(), static_cast<std::uint32_t>(rows), stream);
  const std::vector<double> lambda(to_size(rows), 0.3);
  const Risk measured(family, pooling, Criterion::mean_log, 1);
  Risk::Scratch scratch(measured, rows);
  const Pairs pairs{.count = rows,
                    .total = rows,
                    .fused = true,
                    .partner = partner.data(),
                    .lambda = lambda.data()};
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(measured(out.view(), pairs, targets, dout.data(), scratch));
  }
  state.SetItemsProcessed(state.iterations() * rows);
}
BENCHMARK_CAPTURE(risk, gaussian_log_linear, "gaussian", Pooling::log_linear);
BENCHMARK_CAPTURE(risk, gaussian_linear, "gaussian", Pooling::linear);
BENCHMARK_CAPTURE(risk, categorical_log_linear, "categorical", Pooling::log_linear);
BENCHMARK_CAPTURE(risk, categorical_linear, "categorical", Pooling::linear);

void fill_normal(benchmark::State& state) {
  AlignedVector<float> out(to_size(state.range(0)));
  std::uint64_t step = 0;
  for ([[maybe_unused]] auto _ : state) {
    kernel::fill_normal(1, static_cast<std::uint32_t>(Purpose::embedding), step++, out.data(),
                        state.range(0));
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(fill_normal)->Arg(128)->Arg(rows * 128);

// Each draw has its own stream, as in a step.
void lambda_law(benchmark::State& state, double alpha) {
  const LambdaLaw law(alpha);
  std::uint64_t step = 0;
  for ([[maybe_unused]] auto _ : state) {
    Stream stream(1, Purpose::lambda, step++);
    benchmark::DoNotOptimize(law.draw(stream));
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK_CAPTURE(lambda_law, alpha_0_1, 0.1);
BENCHMARK_CAPTURE(lambda_law, alpha_1, 1.0);
BENCHMARK_CAPTURE(lambda_law, alpha_10, 10.0);

void drawer(benchmark::State& state, const char* method_name, LambdaPer lambda_per) {
  const Method& method = find_method(method_name);
  const MixOptions options{.lambda_per = lambda_per};
  const Matrix<float> x = normals(rows, 11);
  const Graph graph = make_graph(method, options, x);
  const Matrix<double> y(rows, 1);
  Drawer<float> draw(method, options, make_family("gaussian"), graph, y, rows, 1);
  std::vector<Index> batch(to_size(rows));
  std::iota(batch.begin(), batch.end(), Index{0});
  std::uint64_t step = 0;
  for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(&draw(step++, batch));
  state.SetItemsProcessed(state.iterations() * rows);
}
BENCHMARK_CAPTURE(drawer, erm, "erm", LambdaPer::step);
BENCHMARK_CAPTURE(drawer, probmix, "probmix", LambdaPer::step);
BENCHMARK_CAPTURE(drawer, probmix_lambda_per_pair, "probmix", LambdaPer::pair);
BENCHMARK_CAPTURE(drawer, m_probmix, "m-probmix", LambdaPer::step);
BENCHMARK_CAPTURE(drawer, loc_m_probmix, "loc-m-probmix", LambdaPer::step);

}  // namespace

}  // namespace probmix::bench
