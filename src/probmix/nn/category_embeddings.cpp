#include "probmix/nn/category_embeddings.hpp"

#include <algorithm>

#include "probmix/base/error.hpp"
#include "probmix/kernel/arithmetic.hpp"
#include "probmix/nn/initial.hpp"

namespace probmix {
namespace {

Index output_width(Index inputs, const std::vector<CategoryBlock>& blocks) {
  for (const CategoryBlock& block : blocks) inputs += block.outputs - block.inputs;
  return inputs;
}

}  // namespace

void check_blocks(const std::vector<CategoryBlock>& blocks, Index inputs) {
  Index end = 0;
  for (const CategoryBlock& block : blocks) {
    check_usage(block.first >= end && block.inputs >= 1 && block.first <= inputs &&
                    block.inputs <= inputs - block.first,
                "a block of {} categories from input {} does not fit {} inputs", block.inputs,
                block.first, inputs);
    check_range("the width of an embedding of categories", block.outputs, 1, 1 << 12);
    end = block.first + block.inputs;
  }
}

template <class Real>
CategoryEmbeddings<Real>::CategoryEmbeddings(Index inputs, std::vector<CategoryBlock> blocks)
    : inputs_((check_blocks(blocks, inputs), inputs)),
      outputs_(output_width(inputs, blocks)),
      blocks_(std::move(blocks)) {}

template <class Real>
void CategoryEmbeddings<Real>::declare(ParameterTable& table, const std::string& name) {
  weight_.clear();
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    weight_.push_back(
        table.add(fmt::format("{}.{}", name, b), {blocks_[b].inputs, blocks_[b].outputs}));
  }
}

// Starts on the same scale as standardised numbers.
template <class Real>
void CategoryEmbeddings<Real>::initialise(Real* parameters, Stream& stream) const {
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    fill_uniform(parameters + weight_[b], blocks_[b].inputs * blocks_[b].outputs, 1.0, stream);
  }
}

template <class Real>
template <class Pass, class Embed>
void CategoryEmbeddings<Real>::walk(const Pass& pass, const Embed& embed) const {
  Index from = 0, to = 0;
  const auto pass_up_to = [&](Index end) {
    pass(from, to, end - from);
    to += end - from;
    from = end;
  };
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    pass_up_to(blocks_[b].first);
    embed(blocks_[b], from, to, b);
    from += blocks_[b].inputs;
    to += blocks_[b].outputs;
  }
  pass_up_to(inputs_);
}

template <class Real>
void CategoryEmbeddings<Real>::forward(const Real* parameters, View<const Real> x, View<Real> y,
                                       Memory<Real> /*memory*/) const {
  for (Index r = 0; r < x.rows; ++r) {
    const Real* const in = x.row(r);
    Real* const out = y.row(r);
    walk([&](Index from, Index to, Index count) { std::copy_n(in + from, count, out + to); },
         [&](const CategoryBlock& block, Index from, Index to, std::size_t b) {
           std::fill_n(out + to, block.outputs, Real{0});
           for (Index k = 0; k < block.inputs; ++k) {
             if (in[from + k] == 0) continue;  // all but one or two
             kernel::axpy(in[from + k], parameters + weight_[b] + k * block.outputs, out + to,
                          block.outputs);
           }
         });
  }
}

template <class Real>
void CategoryEmbeddings<Real>::backward(const Real* parameters, View<const Real> x,
                                        View<const Real> /*y*/, Memory<Real> /*memory*/,
                                        View<Real> dy, Real* dx, Real* gradient) const {
  for (Index r = 0; r < x.rows; ++r) {
    const Real* const in = x.row(r);
    const Real* const dout = dy.row(r);
    Real* const din = dx == nullptr ? nullptr : dx + r * inputs_;
    walk(
        [&](Index from, Index to, Index count) {
          if (din != nullptr) std::copy_n(dout + to, count, din + from);
        },
        [&](const CategoryBlock& block, Index from, Index to, std::size_t b) {
          for (Index k = 0; k < block.inputs; ++k) {
            const Index row = weight_[b] + k * block.outputs;
            if (in[from + k] != 0) {
              kernel::axpy(in[from + k], dout + to, gradient + row, block.outputs);
            }
            if (din == nullptr) continue;
            Real sum = 0;
            for (Index w = 0; w < block.outputs; ++w) sum += parameters[row + w] * dout[to + w];
            din[from + k] = sum;
          }
        });
  }
}

template class CategoryEmbeddings<float>;
template class CategoryEmbeddings<double>;

}  // namespace probmix
