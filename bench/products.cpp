#include "products.hpp"

#include <cctype>
#include <string>
#include <string_view>
#include <utility>

#include "probmix/base/error.hpp"
#include "probmix/base/random.hpp"
#include "probmix/kernel/gemm.hpp"

namespace probmix::bench {

namespace {

// Positions within sequences stand in a layer's name: the first layer on the data is number 0 of
// all sequences that it is nested in ("encoder.0", "encoder.0.left.0").
bool is_first(std::string_view name) {
  for (const char c : name) {
    if (std::isdigit(static_cast<unsigned char>(c)) != 0 && c != '0') return false;
  }
  return name.starts_with("encoder.");
}

AlignedVector<float> small_normals(Index size, Stream& stream) {
  AlignedVector<float> values(to_size(size));
  for (float& value : values) value = static_cast<float>(0.1 * stream.normal());
  return values;
}

}  // namespace

std::vector<LayerProducts> products_of(std::span<const Parameter> parameters, Index encoder_rows,
                                       Index decoder_rows) {
  std::vector<LayerProducts> layers;
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    const Parameter& weight = parameters[p];
    if (!weight.name.ends_with(".weight")) continue;
    check(weight.shape.size() == 2 && p + 1 < parameters.size() &&
              parameters[p + 1].name.ends_with(".bias"),
          "the products of '{}' are not known: it is not a linear layer", weight.name);
    layers.push_back({weight.name.starts_with("encoder.") ? encoder_rows : decoder_rows,
                      weight.shape[1], weight.shape[0], parameters[p + 1].size(),
                      !is_first(weight.name)});
  }
  return layers;
}

double total_flops(std::span<const LayerProducts> layers) {
  double total = 0;
  for (const LayerProducts& layer : layers) total += layer.flops();
  return total;
}

Sgemm::Sgemm(std::vector<LayerProducts> layers) : layers_(std::move(layers)) {
  Stream stream(1, Purpose::test);
  for (const LayerProducts& l : layers_) {
    operands_.push_back({small_normals(l.rows * l.inputs, stream),
                         small_normals(l.outputs * l.inputs, stream),
                         small_normals(l.rows * l.stride, stream),
                         AlignedVector<float>(to_size(l.outputs * l.inputs)),
                         AlignedVector<float>(to_size(l.wants_dx ? l.rows * l.inputs : 0))});
  }
}

void Sgemm::run() {
  using kernel::gemm;
  using kernel::Op;
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    const LayerProducts& l = layers_[i];
    Operands& o = operands_[i];
    gemm(Op::none, Op::transpose, l.rows, l.outputs, l.inputs, 1.0F, o.x.data(), l.inputs,
         o.weight.data(), l.inputs, 0.0F, o.y.data(), l.stride);
  }
  for (std::size_t i = layers_.size(); i-- > 0;) {
    const LayerProducts& l = layers_[i];
    Operands& o = operands_[i];
    gemm(Op::transpose, Op::none, l.outputs, l.inputs, l.rows, 1.0F, o.y.data(), l.stride,
         o.x.data(), l.inputs, 1.0F, o.dweight.data(), l.inputs);
    if (l.wants_dx) {
      gemm(Op::none, Op::none, l.rows, l.inputs, l.outputs, 1.0F, o.y.data(), l.stride,
           o.weight.data(), l.inputs, 0.0F, o.dx.data(), l.inputs);
    }
  }
}

}  // namespace probmix::bench
