// Learned embeddings of categories: a block of inputs, one for each level and mostly 0 or 1, is
// mapped to a few numbers by its own matrix; inputs between the blocks pass unchanged.
//
// Mixed inputs (λ of one level, 1 − λ of another) get the mixed embedding.
#pragma once

#include <vector>

#include "probmix/nn/layer.hpp"

namespace probmix {

struct CategoryBlock {
  Index first = 0;    // of the inputs
  Index inputs = 0;   // levels
  Index outputs = 0;  // width of the embedding

  bool operator==(const CategoryBlock&) const = default;
};

// Throws a UsageError unless the blocks follow each other within the inputs and are wide enough.
void check_blocks(const std::vector<CategoryBlock>& blocks, Index inputs);

template <class Real>
class CategoryEmbeddings final : public Layer<Real> {
 public:
  CategoryEmbeddings(Index inputs, std::vector<CategoryBlock> blocks);

  Index inputs() const override { return inputs_; }
  Index outputs() const override { return outputs_; }
  void declare(ParameterTable& table, const std::string& name) override;
  void initialise(Real* parameters, Stream& stream) const override;
  void forward(const Real* parameters, View<const Real> x, View<Real> y,
               Memory<Real> memory) const override;
  void backward(const Real* parameters, View<const Real> x, View<const Real> y, Memory<Real> memory,
                View<Real> dy, Real* dx, Real* gradient) const override;

 private:
  // Calls pass(from, to, count) for inputs that pass and embed(block, from, to, number of the
  // block) for the others, in their order; `from` and `to` are positions in x and y.
  template <class Pass, class Embed>
  void walk(const Pass& pass, const Embed& embed) const;

  Index inputs_, outputs_;
  std::vector<CategoryBlock> blocks_;
  std::vector<Index> weight_;  // offsets of matrices [levels, width]
};

extern template class CategoryEmbeddings<float>;
extern template class CategoryEmbeddings<double>;

}  // namespace probmix
