// Reads the records of a CSV file one by one, in constant memory.
//
// Accepted beyond RFC 4180: separators ; | and tab, detected from the first records; a byte order
// mark; LF or CRLF; no newline at the end; blank lines (skipped); blanks around column names; no
// header. Anything else is a one-line Error that names file, line and column, the value found and
// the remedy.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "probmix/data/byte_source.hpp"
#include "probmix/data/csv_scan.hpp"

namespace probmix {

struct CsvFormat {
  std::optional<char> separator = {};  // empty: auto-detected
  // Whether the first record names the columns. Empty: if it looks like it, with text where the
  // second has a number or a date, or with nothing but text. Unnamed columns become c1, c2, ...
  std::optional<bool> header = {};
  bool decimal_comma = false;  // 2,5 is a number, returned as 2.5; then 2.5 is an error
  std::size_t most_columns = 10'000;
  std::size_t field_bytes = std::size_t{64} << 10;  // also how far a missing quote can reach
};

class CsvReader {
 public:
  // Reads the header. Throws an Error if there is nothing to read.
  explicit CsvReader(std::unique_ptr<ByteSource> source, const CsvFormat& format = {});
  CsvReader(const CsvReader&) = delete;  // fields() are views into its own memory
  CsvReader& operator=(const CsvReader&) = delete;

  const std::string& file() const { return source_->name(); }
  const std::vector<std::string>& columns() const { return columns_; }
  char separator() const { return scanner_.separator(); }

  // Advances to the next record, which has one field per column; false at the end.
  bool next();
  // The fields of the current record, unquoted; valid until the next call of next().
  std::span<const std::string_view> fields() const { return record_.fields; }
  // The line of the file, from 1, where the record begins.
  Index line() const { return line_; }
  // "prices.csv: line 7, column 'Close'", for messages.
  std::string where(Index column) const;

 private:
  std::string_view rest() const { return {buffer_.data() + begin_, end_ - begin_}; }
  void refill();
  bool read_record();
  void write_points();
  void undouble_quotes();
  char find_separator();
  bool looks_like_header() const;
  void name_columns(const CsvFormat& format);

  std::unique_ptr<ByteSource> source_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;  // of the bytes read and not yet used
  bool is_all_ = false;              // nothing follows
  CsvScanner scanner_;
  bool decimal_comma_;
  bool has_header_ = true;
  bool waiting_ = false;  // the first record is data and has been read
  std::vector<std::string> columns_;
  Index line_ = 1;
  Index next_line_ = 1;  // at begin_
  CsvRecord record_;
  std::string undoubled_;  // the fields of the record that contain quotes
};

}  // namespace probmix
