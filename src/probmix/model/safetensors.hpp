// The file format of models and checkpoints: named arrays of numbers and a little text. Nothing in
// it is ever executed, and Python can read it (package safetensors).
//
//   8 bytes     the size of the header, little-endian
//   header      JSON: {"__metadata__": {"key": "text"}, "name": {"dtype": "F32", "shape": [2, 3],
//               "data_offsets": [0, 24]}, ...}
//   the arrays  little-endian, in the order of their offsets, without gaps
//
// What is written has a checksum of all of it in the metadata ("digest"), which reading verifies.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "probmix/base/matrix.hpp"

namespace probmix {

class ByteSource;

struct Tensor {
  std::string name;
  std::vector<Index> shape;
  std::variant<std::vector<float>, std::vector<double>, std::vector<std::int64_t>> values;
};

struct TensorFile {
  std::map<std::string, std::string> metadata = {};
  std::vector<Tensor> tensors = {};

  // The values of the tensor of this name, shape and type. Throws an Error that names the file.
  template <class Number>
  const std::vector<Number>& values(std::string_view name, const std::vector<Index>& shape) const;

  std::string file = {};    // for messages
  bool has_digest = false;  // the file had one, and it fits
};

std::string to_safetensors(const TensorFile& tensors);

using Metadata = std::map<std::string, std::string>;

// Reads a file no further than its header says it goes. `accept` gets its metadata and the size of
// its arrays in bytes before these are read, and throws unless they fit: a small compressed file
// may promise gigabytes. Throws a one-line Error that names the file.
std::string read_safetensors(ByteSource& source,
                             const std::function<void(const Metadata&, std::size_t)>& accept);

// Sizes and offsets are untrusted. Throws a one-line Error that names the file.
TensorFile parse_safetensors(std::string_view bytes, const std::string& file);

}  // namespace probmix
