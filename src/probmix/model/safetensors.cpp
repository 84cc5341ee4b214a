#include "probmix/model/safetensors.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <set>

#include "probmix/base/error.hpp"
#include "probmix/base/fingerprint.hpp"
#include "probmix/base/json.hpp"
#include "probmix/base/printable.hpp"
#include "probmix/data/byte_source.hpp"

namespace probmix {
namespace {

static_assert(std::endian::native == std::endian::little,
              "tensors are written as they are in memory");

constexpr std::size_t length_bytes = 8;
constexpr std::size_t largest_header = std::size_t{8} << 20;
constexpr std::size_t largest_data = std::size_t{4} << 30;  // of a model
constexpr std::size_t most_tensors = 4096;
constexpr std::string_view metadata_key = "__metadata__";
constexpr std::string_view digest_key = "digest";

template <class Number>
constexpr std::string_view type_name;
template <>
constexpr std::string_view type_name<float> = "F32";
template <>
constexpr std::string_view type_name<double> = "F64";
template <>
constexpr std::string_view type_name<std::int64_t> = "I64";

std::string_view type_of(const Tensor& tensor) {
  return std::visit([]<class Number>(const std::vector<Number>&) { return type_name<Number>; },
                    tensor.values);
}

std::string_view bytes_of(const Tensor& tensor) {
  return std::visit(
      []<class Number>(const std::vector<Number>& values) {
        return std::string_view(reinterpret_cast<const char*>(values.data()),
                                values.size() * sizeof(Number));
      },
      tensor.values);
}

Index value_count(const Tensor& tensor) {
  return std::visit([](const auto& values) { return std::ssize(values); }, tensor.values);
}

Index count_of(const std::vector<Index>& shape) {
  Index count = 1;
  for (const Index extent : shape) count *= extent;
  return count;
}

// A hash of metadata and tensors, whatever their order in the file. It tells damage, not intent.
std::string digest_of(const TensorFile& file) {
  Fingerprint print;
  for (const auto& [key, text] : file.metadata) {
    print.add(key);
    print.add(text);
  }
  std::vector<const Tensor*> sorted;
  for (const Tensor& tensor : file.tensors) sorted.push_back(&tensor);
  std::ranges::sort(sorted, {}, &Tensor::name);
  for (const Tensor* const tensor : sorted) {
    print.add(tensor->name);
    print.add(type_of(*tensor));
    for (const Index extent : tensor->shape) print.add(static_cast<std::uint64_t>(extent));
    print.add_words(bytes_of(*tensor));
  }
  return print.text();
}

using Header = SortedJson;  // many tensors are found quickly

class Parser {
 public:
  Parser(std::string_view bytes, const std::string& file) : bytes_(bytes), file_(file) {}

  // How long the header is, from the first eight bytes.
  std::size_t header_length() const {
    require(bytes_.size() >= length_bytes, "it is shorter than {} bytes", length_bytes);
    std::uint64_t length = 0;
    std::memcpy(&length, bytes_.data(), length_bytes);
    require(length > 0 && length <= largest_header,
            "it does not begin with the size of its header");
    return length;
  }

  Header parse_header() const {
    const std::size_t length = header_length();
    require(length <= bytes_.size() - length_bytes,
            "it does not begin with the size of its header");
    const std::string_view header = bytes_.substr(length_bytes, length);
    Header json;
    const JsonFault fault = parse_sorted_json(header, most_tensors, json);
    require(fault == JsonFault::none || fault == JsonFault::no_json,
            "its header has more than {} tensors, or is nested too deeply", most_tensors);
    require(json.is_object(), "its header is not a JSON object");
    return json;
  }

  Metadata metadata(const Header& json) const {
    TensorFile found;
    if (json.contains(metadata_key)) read_metadata(json[metadata_key], found);
    return std::move(found.metadata);
  }

  // How many bytes of tensors follow the header.
  std::size_t data_size(const Header& json) const {
    std::size_t end = 0;
    for (const auto& [name, value] : json.items()) {
      if (name == metadata_key || !value.is_object() || !value.contains("data_offsets")) continue;
      const Header& offsets = value["data_offsets"];
      const bool known = offsets.is_array() && offsets.size() == 2 &&
                         offsets[1].is_number_unsigned() &&
                         offsets[1].get<std::uint64_t>() <= largest_data;
      require(known, "the offsets of tensor {} lie outside the file", in_quotes(name));
      end = std::max(end, offsets[1].get<std::size_t>());
    }
    return end;
  }

  TensorFile parse() {
    const Header json = parse_header();
    data_ = bytes_.substr(length_bytes + header_length());
    TensorFile found{.file = file_};
    for (const auto& [name, value] : json.items()) {
      if (name == metadata_key) {
        read_metadata(value, found);
      } else {
        read_tensor(name, value, found);
      }
    }
    check_layout();
    if (const auto digest = found.metadata.extract(std::string(digest_key))) {
      require(digest.mapped() == digest_of(found), "its content does not match its checksum");
      found.has_digest = true;
    }
    return found;
  }

 private:
  struct Part {
    std::size_t begin, end;
  };

  template <class... Args>
  void require(bool holds, fmt::format_string<Args...> message, Args&&... args) const {
    if (holds) return;
    throw Error(fmt::format("'{}' is not a readable model: {}; fetch or train it again", file_,
                            fmt::format(message, std::forward<Args>(args)...)));
  }

  void read_metadata(const Header& value, TensorFile& found) const {
    require(value.is_object(), "its metadata are not an object");
    for (const auto& [key, text] : value.items()) {
      require(text.is_string(), "its metadata entry {} is not a string", in_quotes(key));
      found.metadata[key] = text.get<std::string>();
    }
  }

  void read_tensor(const std::string& name, const Header& value, TensorFile& found) {
    require(value.is_object() && value.contains("dtype") && value.contains("shape") &&
                value.contains("data_offsets"),
            "tensor {} lacks dtype, shape or data_offsets", in_quotes(name));
    const std::vector<std::size_t> shape = sizes(name, value["shape"]);
    const std::vector<std::size_t> offsets = sizes(name, value["data_offsets"]);
    require(offsets.size() == 2 && offsets[0] <= offsets[1] && offsets[1] <= data_.size(),
            "the offsets of tensor {} lie outside the file", in_quotes(name));
    std::size_t count = 1;
    for (const std::size_t extent : shape) {
      require(extent == 0 || count <= data_.size() / extent, "tensor {} is larger than the file",
              in_quotes(name));
      count *= extent;
    }
    const Header& type = value["dtype"];
    Tensor tensor{.name = name, .shape = {shape.begin(), shape.end()}, .values = {}};
    const std::string_view bytes = data_.substr(offsets[0], offsets[1] - offsets[0]);
    const bool known = read_values<float>(type, count, bytes, tensor) ||
                       read_values<double>(type, count, bytes, tensor) ||
                       read_values<std::int64_t>(type, count, bytes, tensor);
    require(known, "tensor {} has the type {}, which is not F32, F64 or I64", in_quotes(name),
            in_quotes(sorted_json_text(type)));
    parts_.push_back({offsets[0], offsets[1]});
    found.tensors.push_back(std::move(tensor));
  }

  std::vector<std::size_t> sizes(const std::string& name, const Header& list) const {
    require(list.is_array() && list.size() <= 8,
            "the shape or offsets of tensor {} are not a list of up to 8 numbers", in_quotes(name));
    std::vector<std::size_t> found;
    for (const Header& value : list) {
      require(value.is_number_unsigned() && value.get<std::uint64_t>() <= bytes_.size(),
              "tensor {} has a size or offset that the file cannot hold", in_quotes(name));
      found.push_back(value.get<std::size_t>());
    }
    return found;
  }

  template <class Number>
  bool read_values(const Header& type, std::size_t count, std::string_view bytes,
                   Tensor& tensor) const {
    if (!type.is_string() || type.get_ref<const std::string&>() != type_name<Number>) return false;
    require(bytes.size() == count * sizeof(Number),
            "tensor {} has {} bytes, but its shape needs {}", in_quotes(tensor.name), bytes.size(),
            count * sizeof(Number));
    std::vector<Number> values(count);
    if (count > 0) std::memcpy(values.data(), bytes.data(), bytes.size());
    tensor.values = std::move(values);
    return true;
  }

  // The arrays must fill the file without gaps or overlap.
  void check_layout() {
    std::ranges::sort(parts_, {}, [](const Part& part) { return std::pair(part.begin, part.end); });
    std::size_t end = 0;
    for (const Part& part : parts_) {
      require(part.begin == end, "its tensors overlap or leave gaps");
      end = part.end;
    }
    require(end == data_.size(), "bytes follow the last tensor");
  }

  std::string_view bytes_, data_;
  const std::string& file_;
  std::vector<Part> parts_;
};

}  // namespace

std::string to_safetensors(const TensorFile& tensors) {
  Json header = Json::object();
  header[metadata_key] = tensors.metadata;
  header[metadata_key][digest_key] = digest_of(tensors);
  std::size_t offset = 0;
  std::set<std::string_view> names = {metadata_key};
  for (const Tensor& tensor : tensors.tensors) {
    const std::size_t size = bytes_of(tensor).size();
    check(names.insert(tensor.name).second, "two tensors are named {}", in_quotes(tensor.name));
    check(count_of(tensor.shape) == value_count(tensor),
          "tensor {} has {} values, but its shape needs {}", in_quotes(tensor.name),
          value_count(tensor), count_of(tensor.shape));
    header[tensor.name] = {{"dtype", type_of(tensor)},
                           {"shape", tensor.shape},
                           {"data_offsets", {offset, offset + size}}};
    offset += size;
  }
  std::string text;
  try {
    text = exact_json_text(header);
  } catch (const Json::exception&) {
    throw Error("a name in the model is not UTF-8; save the table as CSV in UTF-8");
  }
  check(text.size() < largest_header, "a header of {} bytes exceeds the limit of {}", text.size(),
        largest_header);
  text.resize((text.size() + length_bytes - 1) / length_bytes * length_bytes, ' ');  // aligned
  const std::uint64_t length = text.size();
  std::string bytes(length_bytes, '\0');
  std::memcpy(bytes.data(), &length, length_bytes);
  bytes.reserve(length_bytes + text.size() + offset);
  bytes += text;
  for (const Tensor& tensor : tensors.tensors) bytes += bytes_of(tensor);
  return bytes;
}

namespace {

// As many bytes as that, or to the end.
void read_more(ByteSource& source, std::size_t count, std::string& bytes) {
  constexpr std::size_t piece = std::size_t{1} << 20;
  for (std::size_t left = count; left > 0;) {
    const std::size_t before = bytes.size();
    bytes.resize(before + std::min(piece, left));  // no more than the source has
    const std::size_t got = source.read(std::span(bytes).subspan(before));
    bytes.resize(before + got);
    left -= got;
    if (got == 0) return;
  }
}

}  // namespace

std::string read_safetensors(ByteSource& source,
                             const std::function<void(const Metadata&, std::size_t)>& accept) {
  std::string bytes;
  read_more(source, length_bytes, bytes);
  read_more(source, Parser(bytes, source.name()).header_length(), bytes);
  std::size_t size = 0;
  {
    const Parser parser(bytes, source.name());
    const Header header = parser.parse_header();
    size = parser.data_size(header);
    accept(parser.metadata(header), size);
  }
  read_more(source, size + 1, bytes);  // one too many is noticed
  return bytes;
}

TensorFile parse_safetensors(std::string_view bytes, const std::string& file) {
  return Parser(bytes, file).parse();
}

template <class Number>
const std::vector<Number>& TensorFile::values(std::string_view name,
                                              const std::vector<Index>& shape) const {
  const auto found = std::ranges::find(tensors, name, &Tensor::name);
  check(found != tensors.end(), "'{}' lacks the tensor {}", file, in_quotes(name));
  const auto* const values = std::get_if<std::vector<Number>>(&found->values);
  check(values != nullptr && found->shape == shape,
        "'{}': the shape or type of tensor {} does not match the model's description", file,
        in_quotes(name));
  return *values;
}

template const std::vector<float>& TensorFile::values<float>(std::string_view,
                                                             const std::vector<Index>&) const;
template const std::vector<double>& TensorFile::values<double>(std::string_view,
                                                               const std::vector<Index>&) const;
template const std::vector<std::int64_t>& TensorFile::values<std::int64_t>(
    std::string_view, const std::vector<Index>&) const;

}  // namespace probmix
