#include "probmix/data/csv_scan.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "probmix/base/printable.hpp"
#include "probmix/kernel/mark_bytes.hpp"

namespace probmix {

CsvScanner::CsvScanner(char separator, std::size_t most_columns, std::size_t field_bytes)
    : separator_(separator), most_columns_(most_columns), field_bytes_(field_bytes) {
  for (const char c : {separator, '\n', '\r', '"', '\0'}) {
    ends_field_[static_cast<unsigned char>(c)] = true;
  }
  ends_field_['\t'] = ends_field_['\t'] || has_blanks();
}

CsvScanner::Blank CsvScanner::blank_lines(std::string_view text, bool is_all) const {
  Blank blank;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\n') {
      blank = {at + 1, blank.lines + 1};
    } else if (text[at] == '\r') {
      if (at + 1 == text.size() || text[at + 1] != '\n') return blank;
    } else if ((text[at] != ' ' && text[at] != '\t') || (text[at] == separator_ && !has_blanks())) {
      return blank;
    }
  }
  if (is_all) blank.size = text.size();
  return blank;
}

// One attempt to scan one record.
class CsvScanner::Scan {
 public:
  Scan(const CsvScanner& scanner, std::string_view text, bool is_all, CsvRecord& record)
      : scanner_(scanner), text_(text), is_all_(is_all), record_(record) {
    record_.fields.clear();
    record_.doubled.clear();
    record_.lines = 0;
  }

  bool run() {
    skip_blanks();
    for (;;) {
      if (record_.fields.size() == scanner_.most_columns_) {
        fail(fmt::format("more than {} columns, the limit; remove some", scanner_.most_columns_));
      }
      const bool quoted = at_ < text_.size() && text_[at_] == '"';
      if (!(quoted ? take_quoted() : take_plain())) return false;
      if (scanner_.has_blanks() && at_ < text_.size() && is_blank(text_[at_])) {
        skip_blanks();
        if (at_ == text_.size() && !is_all_) return false;
        if (at_ < text_.size() && text_[at_] != '\n' && text_[at_] != '\r') continue;
      }
      if (at_ == text_.size()) {
        record_.size = at_;
        return is_all_;
      }
      const char c = text_[at_];
      if (c == scanner_.separator_) {  // not a run of blanks
        ++at_;
        continue;
      }
      if (c == '\r' && at_ + 1 == text_.size() && !is_all_) return false;
      const bool crlf = c == '\r' && at_ + 1 < text_.size() && text_[at_ + 1] == '\n';
      if (c != '\n' && !crlf) {
        fail(fmt::format(
            "field {} continues after its closing quote; write a quote inside a field twice",
            record_.fields.size()));
      }
      record_.size = at_ + (crlf ? 2 : 1);
      ++record_.lines;
      return true;
    }
  }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t'; }
  void skip_blanks() {
    while (scanner_.has_blanks() && at_ < text_.size() && is_blank(text_[at_])) ++at_;
  }

  [[noreturn]] void fail(std::string message) const { fail_at(record_.lines, std::move(message)); }
  [[noreturn]] static void fail_at(Index line, std::string message) {
    throw Fault{line, std::move(message)};
  }
  [[noreturn]] static void fail_nul(Index line) {
    fail_at(line, "a NUL byte, so this is not plain text; save the table as CSV in UTF-8");
  }

  // Advances to the first byte that ends a plain field, a block of marks at a time.
  void find_end_of_field() {
    while (!scanner_.has_blanks() &&
           (at_ + kernel::marked_bytes <= text_.size() || at_ < marked_to_)) {
      if (at_ >= marked_to_) {
        marks_ = kernel::mark_bytes(text_.data() + at_, scanner_.separator_);
        marked_to_ = at_ + kernel::marked_bytes;
      }
      const std::uint64_t ahead = marks_ >> (at_ + kernel::marked_bytes - marked_to_);
      if (ahead == 0) {
        at_ = marked_to_;
        continue;
      }
      at_ += static_cast<std::size_t>(std::countr_zero(ahead));
      if (scanner_.ends_field_[static_cast<unsigned char>(text_[at_])]) return;
      ++at_;
    }
    while (at_ < text_.size() && !scanner_.ends_field_[static_cast<unsigned char>(text_[at_])]) {
      ++at_;
    }
  }

  // Reads up to a separator or line end. False if that may still follow.
  bool take_plain() {
    const std::size_t begin = at_;
    find_end_of_field();
    if (at_ - begin > scanner_.field_bytes_) {
      fail(fmt::format("a field exceeds the limit of {} bytes; shorten it", scanner_.field_bytes_));
    }
    if (at_ == text_.size() && !is_all_) return false;
    record_.fields.push_back(text_.substr(begin, at_ - begin));
    if (at_ == text_.size()) return true;
    const char c = text_[at_];
    if (c == '"') {
      fail(fmt::format(
          "a quote inside the unquoted field that begins {}; put the whole field in quotes, and "
          "write the quotes inside it twice",
          in_quotes(text_.substr(begin, at_ - begin))));
    }
    if (c == '\0') fail_nul(record_.lines);
    if (c == '\r') {
      if (at_ + 1 == text_.size() && !is_all_) return false;
      if (at_ + 1 == text_.size() || text_[at_ + 1] != '\n') {
        fail("a carriage return inside a field; end lines with LF or CRLF");
      }
    }
    return true;
  }

  // Reads past the closing quote. False if that may still follow.
  bool take_quoted() {
    const Index line = record_.lines;
    const std::size_t begin = ++at_;
    std::size_t doubled = 0;
    for (;;) {
      const std::size_t quote = std::min(text_.find('"', at_), text_.size());
      if (quote - begin - doubled > scanner_.field_bytes_) {
        fail_at(line,
                fmt::format("a quoted field exceeds the limit of {} bytes; shorten it, or add its "
                            "missing closing quote",
                            scanner_.field_bytes_));
      }
      const std::string_view part = text_.substr(at_, quote - at_);
      if (const std::size_t nul = part.find('\0'); nul != part.npos) {
        fail_nul(record_.lines + std::ranges::count(part.substr(0, nul), '\n'));
      }
      if (quote == text_.size() && !is_all_) return false;
      if (quote == text_.size()) {
        fail_at(line, "a quote is opened but never closed; add or remove one");
      }
      record_.lines += std::ranges::count(part, '\n');
      at_ = quote + 1;
      if (at_ == text_.size() && !is_all_) return false;  // the quote may be one of two
      if (at_ == text_.size() || text_[at_] != '"') {
        if (doubled > 0) record_.doubled.push_back(record_.fields.size());
        record_.fields.push_back(text_.substr(begin, quote - begin));
        return true;
      }
      ++at_;
      ++doubled;
    }
  }

  const CsvScanner& scanner_;
  std::string_view text_;
  bool is_all_;
  CsvRecord& record_;
  std::size_t at_ = 0;
  std::uint64_t marks_ = 0;  // of the block before marked_to_
  std::size_t marked_to_ = 0;
};

bool CsvScanner::scan(std::string_view text, bool is_all, CsvRecord& record) const {
  return Scan(*this, text, is_all, record).run();
}

}  // namespace probmix
