// Element-wise kernels at the sizes of a step: a layer of 128 units, rows of 128.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <string>

#include "inputs.hpp"
#include "probmix/kernel/adam.hpp"
#include "probmix/kernel/arithmetic.hpp"
#include "probmix/kernel/bias_activation.hpp"
#include "probmix/kernel/fuse_gaussian.hpp"

namespace probmix::bench {

namespace {

constexpr Index rows = 1151;
constexpr Index width = 128;

// `floats`: read and written per iteration.
void report_bytes(benchmark::State& state, Index floats) {
  state.SetBytesProcessed(state.iterations() * floats * static_cast<Index>(sizeof(float)));
}

Activation activation(benchmark::State& state) {
  const auto act = static_cast<Activation>(state.range(0));
  state.SetLabel(std::string(activation_names[to_size(state.range(0))]));
  return act;
}

void activations(benchmark::internal::Benchmark* b) {
  for (const auto act : {Activation::relu, Activation::tanh, Activation::softplus}) {
    b->Arg(static_cast<long>(act));
  }
}

// In place: activates what was activated before, which does not change the time.
void bias_activation_forward(benchmark::State& state) {
  const Activation act = activation(state);
  Matrix<float> y = normals(rows, width);
  const AlignedVector<float> bias(width);
  for ([[maybe_unused]] auto _ : state) {
    kernel::bias_activation_forward(act, y.view(), bias.data(), nullptr);
    benchmark::ClobberMemory();
  }
  report_bytes(state, 2 * rows * width);
}
BENCHMARK(bias_activation_forward)->Apply(activations);

// In place as well, at an output whose derivative is 1: otherwise dy would shrink to subnormal
// numbers, which are slower.
void bias_activation_backward(benchmark::State& state) {
  const Activation act = activation(state);
  Matrix<float> y(rows, width);
  std::fill_n(y.data(), rows * width, act == Activation::tanh ? 0.0F : 30.0F);
  Matrix<float> dy = normals(rows, width);
  AlignedVector<float> dbias(width);
  for ([[maybe_unused]] auto _ : state) {
    kernel::bias_activation_backward(act, y.view(), nullptr, dy.view(), dbias.data());
    benchmark::ClobberMemory();
  }
  report_bytes(state, 3 * rows * width);
}
BENCHMARK(bias_activation_backward)->Apply(activations);

void lerp_forward(benchmark::State& state) {
  const Index n = state.range(0);
  const AlignedVector<float> a = normals(n);
  const AlignedVector<float> b = normals(n);
  AlignedVector<float> out(to_size(n));
  for ([[maybe_unused]] auto _ : state) {
    kernel::lerp_forward(0.3F, a.data(), b.data(), out.data(), n);
    benchmark::ClobberMemory();
  }
  report_bytes(state, 3 * n);
}
BENCHMARK(lerp_forward)->Arg(16)->Arg(width)->Arg(rows* width);

void axpy(benchmark::State& state) {
  const Index n = state.range(0);
  const AlignedVector<float> x = normals(n);
  AlignedVector<float> y = normals(n);
  for ([[maybe_unused]] auto _ : state) {
    kernel::axpy(0.3F, x.data(), y.data(), n);
    benchmark::ClobberMemory();
  }
  report_bytes(state, 3 * n);
}
BENCHMARK(axpy)->Arg(16)->Arg(width)->Arg(rows* width);

void fuse_gaussian_forward(benchmark::State& state) {
  const Index n = state.range(0);
  const Matrix<float> in = normals(5, n);
  Matrix<float> out(3, n);
  for ([[maybe_unused]] auto _ : state) {
    kernel::fuse_gaussian_forward(0.3F, in.row(0), in.row(1), in.row(2), in.row(3), in.row(4),
                                  out.row(0), out.row(1), out.row(2), n);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * n);
}
BENCHMARK(fuse_gaussian_forward)->Arg(width)->Arg(32 * width);

void fuse_gaussian_backward(benchmark::State& state) {
  const Index n = state.range(0);
  const Matrix<float> in = normals(5, n);
  Matrix<float> d(4, n);
  for ([[maybe_unused]] auto _ : state) {
    kernel::fuse_gaussian_backward(0.3F, in.row(0), in.row(1), in.row(2), in.row(3), in.row(4),
                                   d.row(0), d.row(1), d.row(2), d.row(3), n);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * n);
}
BENCHMARK(fuse_gaussian_backward)->Arg(width)->Arg(32 * width);

// The parameters of an MLP 11-128-32-2, and a million.
void adam_update(benchmark::State& state) {
  const Index n = state.range(0);
  const AlignedVector<float> gradient = normals(n);
  AlignedVector<float> m(to_size(n));
  AlignedVector<float> v(to_size(n));
  AlignedVector<float> parameter = normals(n);
  for ([[maybe_unused]] auto _ : state) {
    kernel::adam_update({1e-6, 0.9, 0.999, 1e-8, 1}, gradient.data(), m.data(), v.data(),
                        parameter.data(), n);
    benchmark::ClobberMemory();
  }
  report_bytes(state, 7 * n);
}
BENCHMARK(adam_update)->Arg(5730)->Arg(1 << 20);

}  // namespace

}  // namespace probmix::bench
