// The matrix products of a training step: their arithmetic, and the same products without anything
// around them, as a yardstick.
#pragma once

#include <span>
#include <vector>

#include "probmix/base/matrix.hpp"
#include "probmix/nn/parameters.hpp"

namespace probmix::bench {

// The products of one matrix of weights in a step, as nn/linear.cpp asks for them:
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

// What the rows of a network for sequences are; units 0: it has none.
struct Sequences {
  Index steps = 1;
  Index units = 0;  // of a step inside of the network
  Index heads = 0;  // of attention
};

// Of all matrices in the table of a network's parameters: those of the encoder see encoder_rows
// rows, those of the decoder decoder_rows. Up to where a sequence is flattened, each step is a row,
// and all steps stand as one product, which an LSTM has to take step by step: as a yardstick this
// is a little too good. The products of attention, of queries with keys and of weights with values,
// are as many numbers and operations as those of a matrix, and stand as such.
std::vector<LayerProducts> products_of(std::span<const Parameter> parameters, Index encoder_rows,
                                       Index decoder_rows, const Sequences& sequences);

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
