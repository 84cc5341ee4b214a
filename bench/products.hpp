// The matrix products of a training step: their arithmetic, and the same products on their own, as
// a yardstick.
#pragma once

#include <span>
#include <vector>

#include "probmix/base/matrix.hpp"
#include "probmix/nn/parameters.hpp"

namespace probmix::bench {

// The products with one weight matrix in a step, as in nn/linear.cpp:
//   forward   y (rows × outputs) = x Wᵀ
//   backward  dW += dyᵀ x,  and dx = dy W unless the layer is the first.
struct LayerProducts {
  Index rows;
  Index inputs;
  Index outputs;  // columns of y with weights
  Index stride;   // of y, which also has columns for learned constants
  bool wants_dx;

  double flops() const {
    return 2.0 * static_cast<double>(rows * inputs * outputs) * (wants_dx ? 3 : 2);
  }
};

// The shape of the rows of a sequence network; units 0: not a sequence network.
struct Sequences {
  Index steps = 1;
  Index units = 0;  // per step, inside the network
  Index heads = 0;  // of attention
};

// For all matrices among a network's parameters: those of the encoder see encoder_rows rows, those
// of the decoder decoder_rows. Until a sequence is flattened, each step is a row, and all steps are
// counted as one product, although an LSTM has to compute them step by step; so the yardstick is
// slightly too fast. The products of attention (queries with keys, weights with values) take as
// many numbers and operations as those with a matrix, and are counted as such.
std::vector<LayerProducts> products_of(std::span<const Parameter> parameters, Index encoder_rows,
                                       Index decoder_rows, const Sequences& sequences);

double total_flops(std::span<const LayerProducts> layers);

// Runs oneDNN's sgemm on exactly these products, in the order of a step.
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
