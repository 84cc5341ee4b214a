#include "probmix/data/csv.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "probmix/base/error.hpp"
#include "probmix/base/printable.hpp"
#include "probmix/base/read_file.hpp"
#include "probmix/data/number.hpp"

namespace probmix {
namespace {

// Takes records off the front of a text.
class Reader {
 public:
  Reader(std::string_view text, const std::string& file, const CsvLimits& limits)
      : rest_(text), file_(file), limits_(limits) {}

  Index line() const { return line_; }

  void skip_blank_lines() {
    for (;;) {
      const std::string_view line = rest_;
      rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t"), rest_.size()));
      if (rest_.empty()) return;
      if (!take_line_end()) {
        rest_ = line;  // blanks before a field are its own
        return;
      }
    }
  }

  bool at_end() const { return rest_.empty(); }

  std::vector<std::string> record() {
    std::vector<std::string> fields;
    do {
      require(fields.size() < limits_.columns,
              "more than {} columns, the most that is read; remove some", limits_.columns);
      fields.push_back(rest_.starts_with('"') ? quoted_field() : plain_field());
    } while (take(','));
    require(rest_.empty() || take_line_end(),
            "field {} goes on after its closing quote; write a quote inside of a field twice",
            fields.size());
    return fields;
  }

 private:
  template <class... Args>
  void require(bool holds, fmt::format_string<Args...> message, Args&&... args) const {
    if (!holds) fail(line_, fmt::format(message, std::forward<Args>(args)...));
  }
  [[noreturn]] void fail(Index line, const std::string& message) const {
    throw Error(fmt::format("{}: line {}: {}", file_, line, message));
  }

  bool take(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  bool take_line_end() {
    if (!rest_.starts_with('\n') && !rest_.starts_with("\r\n")) return false;
    rest_.remove_prefix(rest_.front() == '\r' ? 2 : 1);
    ++line_;
    return true;
  }

  std::string plain_field() {
    std::size_t end = std::min(rest_.find_first_of(",\n\""), rest_.size());
    if (end < rest_.size() && rest_[end] == '\n' && end > 0 && rest_[end - 1] == '\r') --end;
    std::string field(rest_.substr(0, std::min(end, limits_.field_bytes)));
    require(end <= limits_.field_bytes,
            "a field has more than {} bytes, the most that is read; shorten it",
            limits_.field_bytes);
    require(field.find('\r') == field.npos,
            "a carriage return inside of a field; end lines with LF or CRLF");
    rest_.remove_prefix(end);
    require(
        !rest_.starts_with('"'),
        "a quote inside of the field that begins {}; put the whole field in quotes, and its own "
        "quotes twice",
        in_quotes(field));
    return field;
  }

  std::string quoted_field() {
    const Index begin = line_;
    rest_.remove_prefix(1);
    std::string field;
    for (;;) {
      const std::size_t end = rest_.find('"');
      if (std::min(end, rest_.size()) + field.size() > limits_.field_bytes) {
        fail(begin, fmt::format("a field in quotes has more than {} bytes, the most that is read; "
                                "shorten it, or add its missing quote",
                                limits_.field_bytes));
      }
      if (end == rest_.npos) fail(begin, "a quote is opened but never closed; add or remove one");
      const std::string_view part = rest_.substr(0, end);
      field += part;
      line_ += std::ranges::count(part, '\n');
      rest_.remove_prefix(end + 1);
      if (!take('"')) return field;
      field += '"';
    }
  }

  std::string_view rest_;
  const std::string& file_;
  const CsvLimits& limits_;
  Index line_ = 1;
};

void check_no_nul(std::string_view text, const std::string& file) {
  const std::size_t nul = text.find('\0');
  if (nul == text.npos) return;
  throw Error(fmt::format(
      "{}: line {}: a NUL byte, so this is no plain text; save the table as CSV in UTF-8", file,
      1 + std::ranges::count(text.substr(0, nul), '\n')));
}

void check_header(const CsvTable& table, Index line) {
  std::unordered_set<std::string_view> seen;
  for (std::size_t c = 0; c < table.header.size(); ++c) {
    const std::string& name = table.header[c];
    check(!name.empty(), "{}: line {}: column {} has no name; name every column", table.file, line,
          c + 1);
    check(seen.insert(name).second, "{}: line {}: two columns have the name {}; rename one",
          table.file, line, in_quotes(name));
  }
}

}  // namespace

CsvTable parse_csv(std::string_view text, std::string file, const CsvLimits& limits) {
  CsvTable table;
  table.file = std::move(file);
  check_no_nul(text, table.file);
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  Reader reader(text, table.file, limits);
  reader.skip_blank_lines();
  check(!reader.at_end(), "{}: the file is empty; its first line must name the columns",
        table.file);
  const Index header_line = reader.line();
  for (const std::string& name : reader.record()) table.header.emplace_back(without_blanks(name));
  check_header(table, header_line);

  for (reader.skip_blank_lines(); !reader.at_end(); reader.skip_blank_lines()) {
    table.line.push_back(reader.line());
    table.rows.push_back(reader.record());
    check(table.rows.back().size() == table.header.size(),
          "{}: line {}: {} fields where the header names {} columns; every row needs one field for "
          "each",
          table.file, table.line.back(), table.rows.back().size(), table.header.size());
    check(table.rows.size() * table.header.size() <= limits.fields,
          "{}: line {}: more than {} fields in the table, the most that is read; use fewer rows",
          table.file, table.line.back(), limits.fields);
  }
  check(!table.rows.empty(), "{}: there are no rows below the header", table.file);
  return table;
}

CsvTable read_csv(const std::filesystem::path& path, const CsvLimits& limits) {
  return parse_csv(read_file(path, limits.file_bytes), printable(path.string()), limits);
}

}  // namespace probmix
