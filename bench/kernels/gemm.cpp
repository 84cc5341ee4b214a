// The products of an MLP d-128-32-2 in the three orientations of nn/linear.cpp.
#include "gemm.hpp"

#include <benchmark/benchmark.h>

#include <utility>

#include "inputs.hpp"

namespace probmix::bench {

namespace {

struct Layer {
  explicit Layer(const benchmark::State& state)
      : rows(state.range(0)),
        inputs(state.range(1)),
        outputs(state.range(2)),
        x(normals(rows * inputs)),
        weight(normals(outputs * inputs)),
        y(normals(rows * outputs)) {}

  void report(benchmark::State& state) const {
    const auto flops = 2.0 * static_cast<double>(rows * inputs * outputs);
    state.counters["FLOP"] =
        benchmark::Counter(flops, benchmark::Counter::kIsIterationInvariantRate);
  }

  Index rows, inputs, outputs;
  AlignedVector<float> x, weight, y;
};

// y = x Wᵀ
void gemm_forward(benchmark::State& state) {
  Layer l(state);
  for ([[maybe_unused]] auto _ : state) {
    gemm(Op::none, Op::transpose, l.rows, l.outputs, l.inputs, 1.0F, l.x.data(), l.inputs,
         l.weight.data(), l.inputs, 0.0F, l.y.data(), l.outputs);
    benchmark::ClobberMemory();
  }
  l.report(state);
}

// dW += dyᵀ x
void gemm_dweight(benchmark::State& state) {
  Layer l(state);
  for ([[maybe_unused]] auto _ : state) {
    gemm(Op::transpose, Op::none, l.outputs, l.inputs, l.rows, 1.0F, l.y.data(), l.outputs,
         l.x.data(), l.inputs, 1.0F, l.weight.data(), l.inputs);
    benchmark::ClobberMemory();
  }
  l.report(state);
}

// dx = dy W
void gemm_dx(benchmark::State& state) {
  Layer l(state);
  for ([[maybe_unused]] auto _ : state) {
    gemm(Op::none, Op::none, l.rows, l.inputs, l.outputs, 1.0F, l.y.data(), l.outputs,
         l.weight.data(), l.inputs, 0.0F, l.x.data(), l.inputs);
    benchmark::ClobberMemory();
  }
  l.report(state);
}

void layers(benchmark::internal::Benchmark* b) {
  b->ArgNames({"rows", "in", "out"})->Unit(benchmark::kMicrosecond);
  for (const auto& [rows, features] : {std::pair{222, 6}, {1151, 11}, {8592, 16}}) {
    b->Args({rows, features, 128})->Args({rows, 128, 32})->Args({rows, 32, 2});
  }
}

BENCHMARK(gemm_forward)->Apply(layers);
BENCHMARK(gemm_dweight)->Apply(layers);
BENCHMARK(gemm_dx)->Apply(layers);

}  // namespace

}  // namespace probmix::bench
