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

  Index size() const {
    Index product = 1;
    for (const Index extent : shape) product *= extent;
    return product;
  }
};

class ParameterTable {
 public:
  // Appends a parameter and returns its offset.
  Index add(std::string name, std::vector<Index> shape) {
    entries_.push_back({std::move(name), std::move(shape), size_});
    size_ += entries_.back().size();
    return entries_.back().offset;
  }
  // A number unique to a layer of the network, for its random streams.
  std::uint32_t add_stream() { return streams_++; }
  Index size() const { return size_; }
  std::span<const Parameter> entries() const { return entries_; }

 private:
  std::vector<Parameter> entries_;
  Index size_ = 0;
  std::uint32_t streams_ = 0;
};

}  // namespace probmix
