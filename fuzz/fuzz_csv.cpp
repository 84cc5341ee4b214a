// An arbitrary table, read as a frame and again one record at a time in small pieces, which must
// give the same fields. Anything but an Error is a finding.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "probmix/base/error.hpp"
#include "probmix/data/frame.hpp"

namespace {

using namespace probmix;

// Hands out at most 7 bytes at a time.
class Trickle : public ByteSource {
 public:
  Trickle(std::string_view text) : ByteSource("table"), text_(text) {}
  std::size_t read(std::span<char> out) override {
    const std::size_t size = std::min({out.size(), text_.size(), std::size_t{7}});
    std::copy_n(text_.begin(), size, out.begin());
    text_.remove_prefix(size);
    return size;
  }

 private:
  std::string_view text_;
};

// All fields, or the message.
std::vector<std::string> all_fields(std::unique_ptr<ByteSource> source, bool decimal_comma) {
  std::vector<std::string> fields;
  try {
    CsvReader reader(std::move(source), {.decimal_comma = decimal_comma, .most_columns = 1000});
    while (reader.next()) {
      for (const std::string_view field : reader.fields()) fields.emplace_back(field);
      fields.push_back(std::to_string(reader.line()));
    }
  } catch (const Error& error) {
    fields.emplace_back(error.what());
    if (fields.back().find('\n') != std::string::npos) std::abort();
  }
  return fields;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const bool decimal_comma : {false, true}) {
    if (all_fields(text_source(text, "table"), decimal_comma) !=
        all_fields(std::make_unique<Trickle>(text), decimal_comma)) {
      std::abort();
    }
  }
  for (const bool decimal_comma : {false, true}) {
    try {
      const Frame frame = parse_frame(
          text, "table", {.format = {.decimal_comma = decimal_comma, .most_columns = 1000}});
      for (const FrameColumn& column : frame.columns) {
        const Index rows = column.kind == ColumnKind::category ? std::ssize(column.codes)
                                                               : std::ssize(column.values);
        if (rows != frame.rows()) std::abort();
      }
    } catch (const Error&) {
    }
  }
  return 0;
}
