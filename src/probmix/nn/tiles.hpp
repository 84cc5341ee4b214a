// A layer that runs on a few rows at a time, so that its working memory stays in the cache: rows of
// sequences are long.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>

#include "probmix/nn/layer.hpp"

namespace probmix {

template <class Real>
class Tiles final : public Layer<Real> {
 public:
  Tiles(std::shared_ptr<Layer<Real>> layer, Index tile) : layer_(std::move(layer)), tile_(tile) {}

  Index inputs() const override { return layer_->inputs(); }
  Index outputs() const override { return layer_->outputs(); }
  Index kept() const override { return layer_->kept(); }
  Index scratch() const override { return layer_->scratch(); }
  Index steps() const override { return layer_->steps(); }
  void declare(ParameterTable& table, const std::string& name) override {
    layer_->declare(table, name);
  }
  void initialise(Real* parameters, Stream& stream) const override {
    layer_->initialise(parameters, stream);
  }
  void forward(const Real* parameters, View<const Real> x, View<Real> y,
               Memory<Real> memory) const override {
    for (Index r = 0; r < x.rows; r += tile_) {
      const Index rows = std::min(tile_, x.rows - r);
      layer_->forward(parameters, {x.row(r), rows, x.cols}, {y.row(r), rows, y.cols},
                      memory.from(r, kept()));
    }
  }
  void backward(const Real* parameters, View<const Real> x, View<const Real> y, Memory<Real> memory,
                View<Real> dy, Real* dx, Real* gradient) const override {
    for (Index r = 0; r < x.rows; r += tile_) {
      const Index rows = std::min(tile_, x.rows - r);
      layer_->backward(parameters, {x.row(r), rows, x.cols}, {y.row(r), rows, y.cols},
                       memory.from(r, kept()), {dy.row(r), rows, dy.cols},
                       dx == nullptr ? nullptr : dx + r * x.cols, gradient);
    }
  }

 private:
  std::shared_ptr<Layer<Real>> layer_;
  Index tile_;
};

}  // namespace probmix
