#include "probmix/data/csv_reader.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <unordered_set>

#include "probmix/base/printable.hpp"
#include "probmix/data/field.hpp"
#include "probmix/data/file_format.hpp"
#include "probmix/data/number.hpp"

namespace probmix {
namespace {

constexpr std::size_t first_size = std::size_t{1} << 16;
constexpr std::size_t largest_record = std::size_t{1} << 26;
constexpr std::array separators = {',', ';', '\t', '|'};
constexpr std::size_t looked_at = 20;  // records, to detect the separator

// The number of fields of the first record if most of the next ones have as many; 0 if not, or if
// it has only one.
std::size_t common_fields(const CsvScanner& scanner, std::string_view text, bool is_all) {
  std::vector<std::size_t> counts;
  try {
    CsvRecord record;
    while (counts.size() < looked_at) {
      text.remove_prefix(scanner.blank_lines(text, is_all).size);
      if (text.empty() || !scanner.scan(text, is_all, record)) break;
      counts.push_back(record.fields.size());
      text.remove_prefix(record.size);
    }
  } catch (const CsvScanner::Fault&) {
    // Decide by the records read so far.
  }
  if (counts.empty() || counts.front() < 2) return 0;
  const auto agree = static_cast<std::size_t>(std::ranges::count(counts, counts.front()));
  return 2 * agree > counts.size() ? counts.front() : 0;
}

void check_names(const std::vector<std::string>& names, const std::string& file, Index line) {
  std::unordered_set<std::string_view> seen;
  for (std::size_t c = 0; c < names.size(); ++c) {
    check(!names[c].empty(), "{}: line {}: column {} has no name; name every column", file, line,
          c + 1);
    check(seen.insert(names[c]).second, "{}: line {}: two columns are named {}; rename one", file,
          line, in_quotes(names[c]));
  }
}

}  // namespace

CsvReader::CsvReader(std::unique_ptr<ByteSource> source, const CsvFormat& format)
    : source_(std::move(source)),
      buffer_(first_size),
      scanner_(separators.front(), format.most_columns, format.field_bytes),
      decimal_comma_(format.decimal_comma) {
  constexpr std::string_view refused{"\"\n\r\0", 4};
  check_usage(!format.separator || refused.find(*format.separator) == refused.npos,
              "fields cannot be separated by quotes, line ends or NUL");
  refill();
  if (rest().starts_with("\xEF\xBB\xBF")) begin_ += 3;
  if (const FileFormat* const other = other_format(rest())) {
    throw Error(fmt::format("{}: this is {}; {}", file(), other->name, other->remedy));
  }
  const char separator = format.separator ? *format.separator : find_separator();
  scanner_ = CsvScanner(separator, format.most_columns, format.field_bytes);
  name_columns(format);
}

// Makes room in the buffer and fills it as far as the source allows.
void CsvReader::refill() {
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (end_ == buffer_.size()) {
    check(end_ < largest_record,
          "{}: line {}: a row exceeds the limit of {} bytes; shorten it, or add the missing line "
          "ends",
          file(), next_line_, largest_record);
    buffer_.resize(2 * buffer_.size());
  }
  while (!is_all_ && end_ < buffer_.size()) {
    const std::size_t got = source_->read(std::span(buffer_).subspan(end_));
    end_ += got;
    is_all_ = got == 0;
  }
}

char CsvReader::find_separator() {
  const auto count_by = [&](char separator) {
    const CsvScanner scanner(separator, std::size_t{1} << 20, first_size);
    return common_fields(scanner, rest(), is_all_);
  };
  // With decimal commas, a comma can separate fields only if nothing else does and the numbers are
  // quoted.
  char best = decimal_comma_ ? ';' : separators.front();
  std::size_t most = 0;
  for (const char separator : separators) {
    if (decimal_comma_ && separator == ',') continue;
    const std::size_t fields = count_by(separator);
    if (fields > most) {
      most = fields;
      best = separator;
    }
  }
  const bool may_be_comma =
      decimal_comma_ && most == 0 && rest().find('"') != std::string_view::npos;
  return may_be_comma && count_by(',') > 0 ? ',' : best;
}

// Sets record_ and line_; false at the end.
bool CsvReader::read_record() {
  for (;;) {
    const CsvScanner::Blank blank = scanner_.blank_lines(rest(), is_all_);
    begin_ += blank.size;
    next_line_ += blank.lines;
    try {
      if (!rest().empty() && scanner_.scan(rest(), is_all_, record_)) break;
    } catch (const CsvScanner::Fault& fault) {
      throw Error(fmt::format("{}: line {}: {}", file(), next_line_ + fault.line, fault.message));
    }
    if (is_all_) return false;
    refill();
  }
  line_ = next_line_;
  next_line_ += record_.lines;
  if (!record_.doubled.empty()) undouble_quotes();
  begin_ += record_.size;
  return true;
}

void CsvReader::undouble_quotes() {
  undoubled_.clear();
  std::size_t room = 0;
  for (const std::size_t c : record_.doubled) room += record_.fields[c].size();
  undoubled_.reserve(room);  // it must not move
  for (const std::size_t c : record_.doubled) {
    const std::string_view text = record_.fields[c];
    const std::size_t begin = undoubled_.size();
    for (std::size_t k = 0; k < text.size(); ++k) {
      undoubled_ += text[k];
      if (text[k] == '"') ++k;  // skip the second of two
    }
    record_.fields[c] = std::string_view(undoubled_).substr(begin);
  }
}

// Called after the first record was read; peeks at the second without consuming it.
bool CsvReader::looks_like_header() const {
  const auto is_value = [&](std::string_view field) {
    return is_number(field) || is_date(field) ||
           (decimal_comma_ && find_decimal_comma(field) != std::string_view::npos);
  };
  const auto is_text = [&](std::string_view field) {
    return !is_missing(field) && !is_value(field);
  };
  if (std::ranges::none_of(fields(), is_text)) return false;
  if (std::ranges::none_of(fields(), is_value)) return true;
  CsvRecord second;
  const std::string_view text = rest().substr(scanner_.blank_lines(rest(), is_all_).size);
  try {
    if (text.empty() || !scanner_.scan(text, is_all_, second)) return true;
  } catch (const CsvScanner::Fault&) {
    return true;  // next() will report what is wrong with it
  }
  for (std::size_t c = 0; c < std::min(fields().size(), second.fields.size()); ++c) {
    if (is_text(fields()[c]) && is_value(second.fields[c])) return true;
  }
  return false;
}

void CsvReader::name_columns(const CsvFormat& format) {
  check(read_record(), "{}: the file is empty; its first line must name the columns", file());
  has_header_ = format.header ? *format.header : looks_like_header();
  waiting_ = !has_header_;
  for (std::size_t c = 0; c < fields().size(); ++c) {
    const std::string_view name = has_header_ ? without_blanks(fields()[c]) : "";
    const bool may_lack = !format.header || !has_header_;
    columns_.push_back(name.empty() && may_lack ? fmt::format("c{}", c + 1) : std::string(name));
  }
  check_names(columns_, file(), line_);
}

// Replaces decimal commas by points, in place: a number has no doubled quotes, so it is in buffer_.
void CsvReader::write_points() {
  for (std::size_t c = 0; c < fields().size(); ++c) {
    const std::size_t comma = find_decimal_comma(fields()[c]);
    if (comma != std::string_view::npos) {
      buffer_[static_cast<std::size_t>(fields()[c].data() - buffer_.data()) + comma] = '.';
    } else if (fields()[c].find('.') != std::string_view::npos && is_number(fields()[c])) {
      throw Error(
          fmt::format("{}: {} has a point, but numbers in this table have decimal commas; write it "
                      "without thousands separators, or with a comma",
                      where(static_cast<Index>(c)), in_quotes(fields()[c])));
    }
  }
}

bool CsvReader::next() {
  if (waiting_) {
    waiting_ = false;
    if (decimal_comma_) write_points();
    return true;
  }
  if (!read_record()) return false;
  check(
      fields().size() == columns_.size(),
      "{}: line {}: expected {} fields, as in the {}, but found {}; every row needs one field per "
      "column",
      file(), line_, columns_.size(), has_header_ ? "header" : "first row", fields().size());
  if (decimal_comma_) write_points();
  return true;
}

std::string CsvReader::where(Index column) const {
  return fmt::format("{}: line {}, column {}", file(), line_, in_quotes(columns_[to_size(column)]));
}

}  // namespace probmix
