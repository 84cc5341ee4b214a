#include "probmix/data/arrow.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>

#include "probmix/base/error.hpp"
#include "probmix/base/printable.hpp"
#include "probmix/base/text_hash.hpp"
#include "probmix/data/date.hpp"
#include "probmix/data/memory_frame.hpp"

namespace probmix {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

// Releases what a producer has handed out.
template <class Owned>
struct Released {
  Owned value{};

  Released() = default;
  ~Released() {
    if (value.release != nullptr) value.release(&value);
  }
  Released(const Released&) = delete;
  Released& operator=(const Released&) = delete;
};

bool is_bit_set(const void* bits, std::int64_t at) {
  return (static_cast<const unsigned char*>(bits)[at / 8] >> (at % 8) & 1) != 0;
}

template <class T>
T read(const void* values, std::int64_t at) {
  T value;
  std::memcpy(&value, static_cast<const char*>(values) + at * static_cast<std::int64_t>(sizeof(T)),
              sizeof(T));
  return value;
}

double read_half(const void* values, std::int64_t at) {
  const auto bits = read<std::uint16_t>(values, at);
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const double size = exponent == 31 ? (fraction == 0 ? std::numeric_limits<double>::infinity()
                                                      : missing)
                      : exponent == 0 ? std::ldexp(fraction, -24)
                                      : std::ldexp(1024 + fraction, exponent - 25);
  return (bits >> 15) != 0 ? -size : size;
}

// A double keeps the leading bits of the 128.
double read_int128(const void* values, std::int64_t at) {
  const auto low = read<std::uint64_t>(values, 2 * at);
  const auto high = read<std::int64_t>(values, 2 * at + 1);
  return std::ldexp(static_cast<double>(high), 64) + static_cast<double>(low);
}

// How the numbers of a format are read; null: it has none.
using ReadNumber = double (*)(const void*, std::int64_t);
template <class T>
double read_number_as(const void* values, std::int64_t at) {
  return static_cast<double>(read<T>(values, at));
}
ReadNumber number_reader(std::string_view format) {
  if (format.size() != 1) return nullptr;
  switch (format.front()) {
    case 'b':
      return [](const void* values, std::int64_t at) { return is_bit_set(values, at) ? 1.0 : 0.0; };
    case 'c':
      return read_number_as<std::int8_t>;
    case 'C':
      return read_number_as<std::uint8_t>;
    case 's':
      return read_number_as<std::int16_t>;
    case 'S':
      return read_number_as<std::uint16_t>;
    case 'i':
      return read_number_as<std::int32_t>;
    case 'I':
      return read_number_as<std::uint32_t>;
    case 'l':
      return read_number_as<std::int64_t>;
    case 'L':
      return read_number_as<std::uint64_t>;
    case 'e':
      return read_half;
    case 'f':
      return read_number_as<float>;
    case 'g':
      return read_number_as<double>;
    default:
      return nullptr;
  }
}

// What the numbers of a column mean, in what unit; `reader` is null for text.
struct Type {
  ReadNumber reader = nullptr;
  bool is_date = false;
  double divisor = 1;
};

// Decimals: "d:precision,scale" or "d:precision,scale,bits".
Type decimal_type(std::string_view format, std::string_view column) {
  int precision = 0, scale = 0, bits = 128;
  const int found =
      std::sscanf(std::string(format).c_str(), "d:%d,%d,%d", &precision, &scale, &bits);
  Type type{.reader = bits == 32    ? read_number_as<std::int32_t>
                      : bits == 64  ? read_number_as<std::int64_t>
                      : bits == 128 ? read_int128
                                    : nullptr,
            .divisor = std::pow(10.0, scale)};
  check(found >= 2 && type.reader != nullptr && std::abs(scale) < 100,
        "column {}: decimals of type '{}' are not read; convert them to floats", in_quotes(column),
        printable(format));
  return type;
}

Type type_of(std::string_view format, std::string_view column) {
  if (format == "u" || format == "U" || format == "vu") return {};
  if (const ReadNumber reader = number_reader(format)) return {.reader = reader};
  if (format == "n") return {.reader = [](const void*, std::int64_t) { return missing; }};
  if (format == "tdD") {
    return {read_number_as<std::int32_t>, true, 1 / static_cast<double>(day_seconds)};
  }
  if (format == "tdm") return {read_number_as<std::int64_t>, true, 1e3};
  if (format.starts_with("tss:")) return {read_number_as<std::int64_t>, true, 1};
  if (format.starts_with("tsm:")) return {read_number_as<std::int64_t>, true, 1e3};
  if (format.starts_with("tsu:")) return {read_number_as<std::int64_t>, true, 1e6};
  if (format.starts_with("tsn:")) return {read_number_as<std::int64_t>, true, 1e9};
  if (format.starts_with("d:")) return decimal_type(format, column);
  throw Error(fmt::format(
      "column {} has the Arrow type '{}', which is not read; give numbers, text, dictionaries, "
      "dates or timestamps",
      in_quotes(column), printable(format)));
}

// The text at a position. Views ("vu") hold up to 12 bytes themselves; the bytes of longer ones are
// in one of the buffers after the second.
std::string_view text_at(const ArrowArray& array, std::string_view format, std::int64_t at) {
  if (format == "vu") {
    const char* const view = static_cast<const char*>(array.buffers[1]) + 16 * at;
    const auto length = read<std::int32_t>(view, 0);
    check(length >= 0, "an Arrow text has a negative length");
    if (length <= 12) return {view + 4, static_cast<std::size_t>(length)};
    const auto buffer = read<std::int32_t>(view, 2), first = read<std::int32_t>(view, 3);
    check(buffer >= 0 && buffer < array.n_buffers - 3 && first >= 0,
          "an Arrow text lies outside its buffers");
    return {static_cast<const char*>(array.buffers[2 + buffer]) + first,
            static_cast<std::size_t>(length)};
  }
  const auto end_of = [&](std::int64_t k) {
    return format == "u" ? std::int64_t{read<std::int32_t>(array.buffers[1], k)}
                         : read<std::int64_t>(array.buffers[1], k);
  };
  const std::int64_t first = end_of(at), end = end_of(at + 1);
  check(first >= 0 && end >= first, "the offsets of an Arrow text decrease");
  return {static_cast<const char*>(array.buffers[2]) + first, static_cast<std::size_t>(end - first)};
}

// Gathers a column over the batches of a stream.
class ColumnReader {
 public:
  explicit ColumnReader(const ArrowSchema& schema)
      : name_(schema.name == nullptr ? "" : schema.name),
        format_(schema.format),
        type_(type_of(format_, name_)) {
    if (schema.dictionary == nullptr) return;
    check(type_.reader != nullptr && !type_.is_date, "column {}: the indices of a dictionary are "
          "whole numbers, not '{}'", in_quotes(name_), printable(format_));
    level_format_ = schema.dictionary->format;
    level_type_ = type_of(level_format_, name_);
    check(schema.dictionary->dictionary == nullptr && !level_type_.is_date,
          "column {}: dictionaries of dates or of dictionaries are not read", in_quotes(name_));
  }

  void add(const ArrowArray& array, std::int64_t first, std::int64_t rows) {
    check_array(array, format_, first + rows);
    std::vector<std::int32_t> place;
    if (!level_format_.empty()) place = places_of(array.dictionary);
    for (std::int64_t row = first; row < first + rows; ++row) {
      const std::int64_t at = array.offset + row;
      if (format_ == "n" || is_null(array, at)) {
        add_missing();
      } else if (!level_format_.empty()) {
        const double index = type_.reader(array.buffers[1], at);
        check(index >= 0 && index < static_cast<double>(place.size()),
              "column {}: an index of the dictionary is {}, but it has {} entries",
              in_quotes(name_), index, place.size());
        codes_.push_back(place[static_cast<std::size_t>(index)]);
      } else if (type_.reader == nullptr) {
        codes_.push_back(code_of(text_at(array, format_, at)));
      } else {
        numbers_.push_back(type_.reader(array.buffers[1], at) / type_.divisor);
      }
    }
  }

  FrameColumn take() {
    if (!level_format_.empty()) {
      return category_column(std::move(name_), std::move(codes_), std::move(levels_));
    }
    if (type_.reader == nullptr) {
      return text_column(std::move(name_), std::move(codes_), std::move(levels_));
    }
    return type_.is_date ? date_column(std::move(name_), std::move(numbers_))
                         : number_column(std::move(name_), std::move(numbers_));
  }

 private:
  void check_array(const ArrowArray& array, std::string_view format, std::int64_t length) const {
    const std::int64_t buffers = format == "n" ? 0 : format == "vu" ? 3
                                 : format == "u" || format == "U" ? 3 : 2;
    check(array.offset >= 0 && array.length >= length && array.n_buffers >= buffers,
          "column {}: an Arrow array has {} buffers and {} rows instead of {} and {}",
          in_quotes(name_), array.n_buffers, array.length, buffers, length);
    check(length == 0 || buffers == 0 || array.buffers[1] != nullptr,
          "column {}: an Arrow array lacks its values", in_quotes(name_));
  }

  static bool is_null(const ArrowArray& array, std::int64_t at) {
    return array.n_buffers > 0 && array.null_count != 0 && array.buffers[0] != nullptr &&
           !is_bit_set(array.buffers[0], at);
  }

  void add_missing() {
    if (type_.reader == nullptr || !level_format_.empty()) {
      codes_.push_back(-1);
    } else {
      numbers_.push_back(missing);
    }
  }

  std::int32_t code_of(std::string_view text) {
    const auto found = codes_of_.find(text);
    if (found != codes_of_.end()) return found->second;
    check(levels_.size() < std::numeric_limits<std::int32_t>::max(),
          "column {} has too many different texts", in_quotes(name_));
    const auto code = static_cast<std::int32_t>(levels_.size());
    levels_.emplace_back(text);
    codes_of_.emplace(levels_.back(), code);
    return code;
  }

  // The codes of a dictionary's entries, which may differ from batch to batch.
  std::vector<std::int32_t> places_of(const ArrowArray* dictionary) {
    check(dictionary != nullptr, "column {}: an Arrow array lacks its dictionary",
          in_quotes(name_));
    check_array(*dictionary, level_format_, dictionary->length);
    std::vector<std::int32_t> places;
    for (std::int64_t k = 0; k < dictionary->length; ++k) {
      const std::int64_t at = dictionary->offset + k;
      if (is_null(*dictionary, at)) {
        places.push_back(-1);
      } else if (level_type_.reader == nullptr) {
        places.push_back(code_of(text_at(*dictionary, level_format_, at)));
      } else {
        const double number =
            level_type_.reader(dictionary->buffers[1], at) / level_type_.divisor;
        places.push_back(code_of(fmt::format("{}", number + 0.0)));  // −0 becomes 0
      }
    }
    return places;
  }

  std::string name_, format_;
  Type type_;
  std::string level_format_ = {};  // of a dictionary; empty: there is none
  Type level_type_ = {};
  std::vector<double> numbers_;
  std::vector<std::int32_t> codes_;
  std::vector<std::string> levels_;
  std::unordered_map<std::string, std::int32_t, TextHash, std::equal_to<>> codes_of_;
};

void check_success(ArrowArrayStream& stream, int code) {
  if (code == 0) return;
  const char* const text = stream.get_last_error(&stream);
  throw Error(fmt::format("the Arrow stream failed: {}",
                          text == nullptr ? fmt::format("error {}", code) : printable(text)));
}

}  // namespace

std::vector<FrameColumn> read_arrow(ArrowArrayStream& stream) {
  check(stream.release != nullptr, "the Arrow stream was read before");
  Released<ArrowArrayStream> source;
  std::swap(source.value, stream);
  ArrowArrayStream& from = source.value;
  Released<ArrowSchema> schema;
  check_success(from, from.get_schema(&from, &schema.value));
  check(std::string_view(schema.value.format) == "+s",
        "the Arrow stream has batches of type '{}', not of columns",
        printable(schema.value.format));
  std::vector<ColumnReader> readers;
  for (std::int64_t c = 0; c < schema.value.n_children; ++c) {
    readers.emplace_back(*schema.value.children[c]);
  }
  for (;;) {
    Released<ArrowArray> batch;
    check_success(from, from.get_next(&from, &batch.value));
    if (batch.value.release == nullptr) break;
    check(batch.value.n_children == std::ssize(readers) && batch.value.null_count <= 0 &&
              batch.value.offset >= 0 && batch.value.length >= 0,
          "a batch of the Arrow stream does not fit its schema of {} columns", readers.size());
    for (std::size_t c = 0; c < readers.size(); ++c) {
      readers[c].add(*batch.value.children[c], batch.value.offset, batch.value.length);
    }
  }
  std::vector<FrameColumn> columns;
  for (ColumnReader& reader : readers) columns.push_back(reader.take());
  return columns;
}

}  // namespace probmix
