#include "products.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "gemm.hpp"
#include "probmix/base/random.hpp"

namespace probmix::bench {

namespace {

// The first layer needs no gradient of its input. A layer's name contains its position in the
// sequences of layers it is nested in, and the first has number 0 in all of them ("encoder.0",
// "encoder.0.left.0"). The products of an LSTM with its own state do need that gradient.
bool is_first(std::string_view name) {
  return !name.ends_with(".weight_hh") &&
         std::ranges::none_of(name, [](char c) { return c >= '1' && c <= '9'; });
}

// In an encoder of sequences: a layer of an LSTM or inside the transformer, which is number 0 of
// the encoder or of one of its branches. Later layers see a sequence as one row.
bool takes_steps(std::string_view name) {
  if (name.ends_with(".weight_ih") || name.ends_with(".weight_hh")) return true;
  for (const std::string_view branch : {"encoder.0.left.", "encoder.0.right.", "encoder."}) {
    if (name.starts_with(branch)) return name.substr(branch.size()).starts_with("0.");
  }
  return false;
}

AlignedVector<float> small_normals(Index size, Stream& stream) {
  AlignedVector<float> values(to_size(size));
  for (float& value : values) value = static_cast<float>(0.1 * stream.normal());
  return values;
}

}  // namespace

std::vector<LayerProducts> products_of(std::span<const Parameter> parameters, Index encoder_rows,
                                       Index decoder_rows, const Sequences& sequences) {
  std::vector<LayerProducts> layers;
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    const Parameter& weight = parameters[p];
    if (weight.shape.size() != 2) continue;
    const Index outputs = weight.shape[0];
    const Index inputs = weight.shape[1];
    const bool has_constants = p + 1 < parameters.size() && weight.name.ends_with(".weight") &&
                               parameters[p + 1].name.ends_with(".bias");
    const Index stride = has_constants ? parameters[p + 1].size() : outputs;
    if (weight.name.starts_with("decoder.")) {
      layers.push_back({decoder_rows, inputs, outputs, stride, true});
      continue;
    }
    Index rows = encoder_rows;
    if (sequences.units > 0 && takes_steps(weight.name)) {
      // The state before the first step of an LSTM is 0.
      rows *= weight.name.ends_with(".weight_hh") ? sequences.steps - 1 : sequences.steps;
    }
    if (rows == 0) continue;
    layers.push_back({rows, inputs, outputs, stride, !is_first(weight.name)});
    if (weight.name.ends_with("in_proj_weight")) {
      const Index head = sequences.units / sequences.heads;
      for (const auto& [k, n] : {std::pair(head, sequences.steps), {sequences.steps, head}}) {
        layers.push_back({rows * sequences.heads, k, n, n, true});
      }
    }
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
