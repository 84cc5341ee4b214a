// The grammar of CSV (RFC 4180), all in one place: finds the fields of a record in a text.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "probmix/base/error.hpp"
#include "probmix/base/matrix.hpp"

namespace probmix {

struct CsvRecord {
  std::vector<std::string_view> fields = {};  // parts of the text, without the quotes around them
  std::vector<std::size_t> doubled = {};      // fields that contain quotes, each written twice
  std::size_t size = 0;                       // including the line end
  Index lines = 0;                            // lines it spans
};

class CsvScanner {
 public:
  // A space as separator means any run of spaces and tabs, which may also begin and end a line.
  CsvScanner(char separator, std::size_t most_columns, std::size_t field_bytes);

  char separator() const { return separator_; }

  // The blank lines that the text begins with: their size in bytes and their number. Blanks at the
  // end of the text are a blank line only if nothing follows (`is_all`).
  struct Blank {
    std::size_t size = 0;
    Index lines = 0;
  };
  Blank blank_lines(std::string_view text, bool is_all) const;

  // Finds the record that the text begins with. False if the record may continue beyond the text
  // (not `is_all`). Throws a Fault if it is malformed.
  bool scan(std::string_view text, bool is_all, CsvRecord& record) const;

  struct Fault {
    Index line;  // from 0, relative to the start of the text
    std::string message;
  };

 private:
  class Scan;
  bool has_blanks() const { return separator_ == ' '; }

  char separator_;
  std::size_t most_columns_;
  std::size_t field_bytes_;
  std::array<bool, 256> ends_field_{};
};

}  // namespace probmix
