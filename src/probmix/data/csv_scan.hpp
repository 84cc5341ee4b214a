// The one place that knows the grammar of CSV (RFC 4180): finds the fields of a record in a text.
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
  std::vector<std::size_t> doubled = {};      // those that have quotes inside, each written twice
  std::size_t size = 0;                       // with the end of its line
  Index lines = 0;                            // that it goes through
};

class CsvScanner {
 public:
  // A space stands for any run of spaces and tabs, which may also begin and end a line.
  CsvScanner(char separator, std::size_t most_columns, std::size_t field_bytes);

  char separator() const { return separator_; }

  // How much of the text is blank lines, and how many these are. Blanks at the end of the text are
  // a line only if nothing follows (`is_all`).
  struct Blank {
    std::size_t size = 0;
    Index lines = 0;
  };
  Blank blank_lines(std::string_view text, bool is_all) const;

  // Finds the record that the text begins with. False if its end is not in the text, and more may
  // follow (not `is_all`). Throws a Fault if it cannot be a record.
  bool scan(std::string_view text, bool is_all, CsvRecord& record) const;

  struct Fault {
    Index line;  // from 0, from the begin of the text
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
