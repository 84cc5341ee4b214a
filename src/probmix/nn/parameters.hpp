// All parameters of a network lie in one array, and this table names its parts. Optimiser,
// clipping, saving and copying are then one pass over one array.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "probmix/base/matrix.hpp"

namespace probmix {

struct Parameter {
  std::string name;
  std::vector<Index> shape;
  Index offset = 0;
  bool is_weight = false;  // weight decay shrinks it

  Index size() const {
    Index product = 1;
    for (const Index extent : shape) product *= extent;
    return product;
  }
};

// Consecutive rows of a matrix among the parameters, whose differences the optimiser trains instead
// of the rows themselves (the first row minus 0).
struct ParameterPath {
  Index offset, rows, cols;

  Index size() const { return rows * cols; }
};

class ParameterTable {
 public:
  // Appends a parameter and returns its offset.
  Index add(std::string name, std::vector<Index> shape) {
    entries_.push_back({std::move(name), std::move(shape), size_});
    size_ += entries_.back().size();
    return entries_.back().offset;
  }
  // The same for what multiplies the inputs of a layer, so that smaller values make a simpler
  // function: neither biases, nor gains of norms, nor embeddings.
  Index add_weight(std::string name, std::vector<Index> shape) {
    const Index offset = add(std::move(name), std::move(shape));
    entries_.back().is_weight = true;
    return offset;
  }
  // Parts of parameters that were added before, in their order.
  void add_path(const ParameterPath& path) { paths_.push_back(path); }
  // A number unique to a layer of the network, for its random streams.
  std::uint32_t add_stream() { return streams_++; }
  Index size() const { return size_; }
  std::span<const Parameter> entries() const { return entries_; }
  std::span<const ParameterPath> paths() const { return paths_; }

 private:
  std::vector<Parameter> entries_;
  std::vector<ParameterPath> paths_;
  Index size_ = 0;
  std::uint32_t streams_ = 0;
};

}  // namespace probmix
