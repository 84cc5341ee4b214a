// A layer with parameters, inputs and the memory of a call, in float or double.
#pragma once

#include <memory>
#include <utility>

#include "probmix/nn/layer.hpp"

namespace probmix::test {

template <class Real>
struct Trial {
  explicit Trial(std::shared_ptr<Layer<Real>> of, Index rows) : layer(std::move(of)) {
    ParameterTable table;
    layer->declare(table, "transformer");
    parameters.resize(to_size(table.size()));
    Stream stream(1, Purpose::test);
    layer->initialise(parameters.data(), stream);
    gradient.resize(parameters.size());
    x = Matrix<Real>(rows, layer->inputs());
    for (Index k = 0; k < rows * x.cols(); ++k) x.data()[k] = static_cast<Real>(stream.normal());
    y = Matrix<Real>(rows, layer->outputs());
    dy = Matrix<Real>(rows, layer->outputs());
    for (Index k = 0; k < rows * y.cols(); ++k) dy.data()[k] = static_cast<Real>(stream.normal());
    dx.resize(to_size(rows * layer->inputs()));
    keep.resize(to_size(rows * layer->kept()));
    scratch.resize(to_size(rows * layer->scratch()));
  }
  Memory<Real> memory() { return {keep.data(), scratch.data(), random, 0}; }
  void forward() { layer->forward(parameters.data(), x.view(), y.view(), memory()); }
  void backward() {
    layer->backward(parameters.data(), x.view(), y.view(), memory(), dy.view(), dx.data(),
                    gradient.data());
  }

  std::shared_ptr<Layer<Real>> layer;
  AlignedVector<Real> parameters, gradient, dx, keep, scratch;
  Matrix<Real> x, y, dy;
  const Randomness* random = nullptr;
};

}  // namespace probmix::test
