// The matrix products of a training step: their arithmetic, and the same products without anything
// around them, as a yardstick.
#pragma once

#include <span>
#include <vector>

#include "probmix/base/matrix.hpp"
#include "probmix/nn/parameters.hpp"

namespace probmix::bench {

// The products of one linear layer in a step, as nn/linear.cpp asks for them:
//   forward   y (rows × outputs) = x Wᵀ
//   backward  dW += dyᵀ x,  and dx = dy W unless the layer is the first.
struct LayerProducts {
  Index rows;
  Index inputs;
  Index outputs;  // those with weights
  Index stride;   // of y, which has further columns for learned constants
  bool wants_dx;

  double flops() const {
    return 2.0 * static_cast<double>(rows * inputs * outputs) * (wants_dx ? 3 : 2);
  }
};

// The layers of a network, from the table of its parameters: "encoder.….weight" sees encoder_rows
// rows and "decoder.….weight" decoder_rows.
std::vector<LayerProducts> products_of(std::span<const Parameter> parameters, Index encoder_rows,
                                       Index decoder_rows);

double total_flops(std::span<const LayerProducts> layers);

// oneDNN's sgemm on exactly these products, in the order of a step.
class Sgemm {
 public:
  explicit Sgemm(std::vector<LayerProducts> layers);
  void run();

 private:
  struct Operands {
    AlignedVector<float> x, weight, y, dweight, dx;  // y stands for dy as well
  };

  std::vector<LayerProducts> layers_;
  std::vector<Operands> operands_;
};

}  // namespace probmix::bench
