#include "table.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string_view>

#include "arrays.hpp"
#include "bindings.hpp"
#include "probmix/base/error.hpp"
#include "probmix/base/printable.hpp"
#include "probmix/data/arrow.hpp"
#include "probmix/data/memory_frame.hpp"

namespace nb = nanobind;

namespace probmix::python {
namespace {

// Holds the memory of a Python object for as long as a column needs it.
class Buffer {
 public:
  explicit Buffer(nb::handle object) {
    if (PyObject_GetBuffer(object.ptr(), &buffer_, PyBUF_STRIDED_RO | PyBUF_FORMAT) != 0) {
      throw nb::python_error();
    }
  }
  ~Buffer() {
    const nb::gil_scoped_acquire locked;
    PyBuffer_Release(&buffer_);
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  const Py_buffer& get() const { return buffer_; }

 private:
  Py_buffer buffer_{};
};

template <class T>
Numbers read_as(const std::shared_ptr<Buffer>& buffer) {
  const Py_buffer& at = buffer->get();
  check(at.itemsize == sizeof(T), "an array has items of {} bytes instead of {}", at.itemsize,
        sizeof(T));
  return Numbers::in_memory<T>(at.buf, at.shape[0], at.strides[0], buffer);
}

// Whole numbers of the size that the buffer has.
template <class... T>
Numbers by_size(const std::shared_ptr<Buffer>& buffer) {
  Numbers numbers;
  const bool is_read = ((buffer->get().itemsize == sizeof(T) && (numbers = read_as<T>(buffer), true)) || ...);
  check(is_read, "an array has whole numbers of {} bytes", buffer->get().itemsize);
  return numbers;
}

// The numbers of an array of one dimension, read where they are.
Numbers numbers_of(nb::handle array) {
  const auto buffer = std::make_shared<Buffer>(array);
  const Py_buffer& at = buffer->get();
  check(at.ndim == 1, "a column needs an array of 1 dimension, not of {}", at.ndim);
  const std::string_view format = at.format == nullptr ? "B" : at.format;
  // After what says that the order of bytes is the machine's own, one letter; its size depends on that.
  const bool is_native = format.size() == 1 ||
                         (format.size() == 2 && (format.front() == '@' || format.front() == '='));
  const char letter = is_native ? format.back() : 'x';
  const auto is_one_of = [letter](std::string_view letters) { return letters.find(letter) != letters.npos; };
  if (letter == 'f') return read_as<float>(buffer);
  if (letter == 'd') return read_as<double>(buffer);
  if (is_one_of("bhilq")) {
    return by_size<std::int8_t, std::int16_t, std::int32_t, std::int64_t>(buffer);
  }
  if (is_one_of("?BHILQ")) {
    return by_size<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>(buffer);
  }
  throw Error(fmt::format("arrays of type '{}' are not read", format));
}

std::vector<std::int32_t> codes_of(const Array1<std::int32_t>& codes) {
  return {codes.data(), codes.data() + codes.size()};
}

void add_stream(Table& table, const nb::capsule& stream) {
  for (FrameColumn& column : read_stream(stream)) table.columns.push_back(std::move(column));
}

Index rows_of(const Table& table) {
  if (table.columns.empty()) return 0;
  const FrameColumn& first = table.columns.front();
  return first.kind == ColumnKind::category ? std::ssize(first.codes)
                                            : static_cast<Index>(first.values.size());
}

nb::list described(const Table& table) {
  nb::list list;
  for (const FrameColumn& column : table.columns) {
    const std::string_view kind = column_kind_names[static_cast<std::size_t>(column.kind)];
    list.append(nb::make_tuple(column.name, nb::str(kind.data(), kind.size()), column.missing,
                               column.levels.size()));
  }
  return list;
}

}  // namespace

std::vector<FrameColumn> read_stream(const nb::capsule& stream) {
  check(std::string_view(stream.name() == nullptr ? "" : stream.name()) == "arrow_array_stream",
        "an Arrow stream is a capsule named arrow_array_stream");
  auto* const source = static_cast<ArrowArrayStream*>(stream.data());
  const nb::gil_scoped_release unlocked;
  return read_arrow(*source);
}

void bind_table(nb::module_& m) {
  nb::class_<Table>(m, "Table")
      .def("__init__",
           [](Table* at, std::string name) { new (at) Table{.name = std::move(name)}; })
      .def("add_numbers",
           [](Table& table, std::string name, nb::handle array) {
             table.columns.push_back(number_column(std::move(name), numbers_of(array)));
           })
      .def("add_dates",
           [](Table& table, std::string name, nb::handle seconds) {
             table.columns.push_back(date_column(std::move(name), numbers_of(seconds)));
           })
      .def("add_categories",
           [](Table& table, std::string name, const Array1<std::int32_t>& codes,
              std::vector<std::string> levels) {
             table.columns.push_back(
                 category_column(std::move(name), codes_of(codes), std::move(levels)));
           })
      .def("add_text",
           [](Table& table, std::string name, const Array1<std::int32_t>& codes,
              std::vector<std::string> levels) {
             table.columns.push_back(
                 text_column(std::move(name), codes_of(codes), std::move(levels)));
           })
      .def("add_stream", add_stream)
      .def_prop_ro("rows", [](const Table& table) { return rows_of(table); })
      // (name, kind, missing values, levels) of each column.
      .def("columns", described);
}

}  // namespace probmix::python
