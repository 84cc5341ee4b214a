#include "probmix/data/frame.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>

#include "probmix/base/error.hpp"
#include "probmix/base/printable.hpp"
#include "probmix/data/column_builder.hpp"
#include "probmix/data/date.hpp"
#include "probmix/data/field.hpp"
#include "probmix/data/memory_frame.hpp"
#include "probmix/data/number.hpp"

namespace probmix {
namespace {

constexpr Index progress_rows = 1 << 16;

// If the levels are all numbers, some with a comma: the problem and its remedy. Else empty.
std::string comma_doubt(const std::vector<std::string>& levels) {
  bool has_comma = false;
  bool is_thousands = true;  // three digits after every comma
  for (const std::string& level : levels) {
    const std::size_t comma = find_decimal_comma(level);
    if (comma == std::string::npos && !is_number(level)) return "";
    if (comma == std::string::npos) continue;
    has_comma = true;
    is_thousands = is_thousands && level.size() == comma + 4;
  }
  if (!has_comma) return "";
  return is_thousands ? "has commas in its numbers: remove them, or, if they are decimal commas, "
                        "read the table with `decimal-comma`"
                      : "has numbers with decimal commas: read the table with `decimal-comma`";
}

// A date that is not in ISO 8601 form: 01/03/2023, 1.3.2023 14:00, 2023/3/1.
bool looks_like_date(std::string_view text) {
  const std::string_view day = text.substr(0, text.find_first_of(" T"));
  std::array<std::size_t, 3> digits{};  // of the parts
  char separator = 0;
  std::size_t part = 0;
  for (const char c : day) {
    if (c >= '0' && c <= '9') {
      ++digits[part];
    } else if ((c != '/' && c != '.' && c != '-') || (part > 0 && c != separator) || ++part > 2) {
      return false;
    } else {
      separator = c;
    }
  }
  const auto is_short = [](std::size_t count) { return count == 1 || count == 2; };
  return part == 2 && is_short(digits[1]) &&
         ((is_short(digits[0]) && digits[2] == 4) || (digits[0] == 4 && is_short(digits[2])));
}

// What may be wrong with inferred categories, with the remedy. Else empty.
std::string doubt_about(const std::vector<std::string>& levels) {
  if (!levels.empty() && std::ranges::all_of(levels, looks_like_date)) {
    return "has what look like dates: write them as YYYY-MM-DD (ISO 8601), since 01/03 may be in "
           "January or in March";
  }
  return comma_doubt(levels);
}

// For a column inferred as categories although at least half of its fields are numbers (or dates):
// the first field that is not, and where. Otherwise empty.
std::string find_text(const Frame& frame, const FrameColumn& column) {
  std::vector<Index> count(column.levels.size());
  for (const std::int32_t code : column.codes) {
    if (code >= 0) ++count[to_size(code)];
  }
  Index numbers = 0, dates = 0;
  for (std::size_t k = 0; k < count.size(); ++k) {
    if (is_number(column.levels[k])) numbers += count[k];
    if (is_date(column.levels[k])) dates += count[k];
  }
  const Index known = frame.rows() - column.missing;
  if (known == 0 || 2 * std::max(numbers, dates) < known) return "";
  const auto is_text = [&](std::int32_t code) {
    if (code < 0) return false;
    const std::string& level = column.levels[to_size(code)];
    return numbers >= dates ? !is_number(level) : !is_date(level);
  };
  const auto found = std::ranges::find_if(column.codes, is_text);
  if (found == column.codes.end()) return "";
  return fmt::format("{}: {}", frame.where(found - column.codes.begin(), column),
                     in_quotes(column.levels[to_size(*found)]));
}

using Names = std::set<std::string, std::less<>>;

// Reads the table with the given columns as categories. If further columns turn out to be
// categories, adds them and returns nothing.
std::optional<Frame> read_once(std::unique_ptr<ByteSource> source, const FrameOptions& options,
                               Names& categories) {
  CsvReader reader(std::move(source), options.format);
  for (const std::string& name : categories) {
    check_usage(std::ranges::count(reader.columns(), name) == 1,
                "{}: there is no column {}; columns: {}", reader.file(), in_quotes(name),
                names_in_quotes(reader.columns()));
  }
  std::vector<ColumnBuilder> builders;
  for (const std::string& name : reader.columns()) {
    builders.emplace_back(
        name, categories.contains(name) ? std::optional(ColumnKind::category) : std::nullopt);
  }
  Frame frame{.file = reader.file(), .columns = {}, .line = {}};
  bool again = false;
  while (reader.next()) {
    frame.line.push_back(reader.line());
    std::size_t bytes = sizeof(double) * (builders.size() + 1) * frame.line.size();
    const std::span<const std::string_view> fields = reader.fields();
    for (std::size_t c = 0; c < builders.size(); ++c) {
      if (builders[c].is_refused()) continue;
      if (!builders[c].add(fields[c])) {
        again = true;
        categories.insert(reader.columns()[c]);
      }
      bytes += builders[c].text_bytes();
    }
    check(bytes <= options.most_bytes,
          "{}: line {}: the table so far takes {} bytes of memory, over the limit of {}; use fewer "
          "rows or columns",
          reader.file(), reader.line(), bytes, options.most_bytes);
    if (options.progress && frame.rows() % progress_rows == 0) options.progress(frame.rows());
  }
  check(frame.rows() > 0, "{}: there are no rows below the header", reader.file());
  if (again) return {};
  for (ColumnBuilder& builder : builders) {
    FrameColumn& column = frame.columns.emplace_back(builder.take());
    const bool is_asked_for =
        std::ranges::find(options.categories, column.name) != options.categories.end();
    if (is_asked_for || column.kind != ColumnKind::category) continue;
    column.first_text = find_text(frame, column);
    column.doubt = doubt_about(column.levels);
  }
  return frame;
}

Frame read_twice(const std::function<std::unique_ptr<ByteSource>()>& open,
                 const FrameOptions& options) {
  Names categories(options.categories.begin(), options.categories.end());
  auto frame = read_once(open(), options, categories);
  if (!frame) frame = read_once(open(), options, categories);
  check(frame.has_value(), "the file changed while it was being read; try again");
  return std::move(*frame);
}

// Keeps what it hands out.
class KeptSource final : public ByteSource {
 public:
  KeptSource(std::unique_ptr<ByteSource> source, std::string& kept, std::size_t limit)
      : ByteSource(source->name()), source_(std::move(source)), kept_(kept), limit_(limit) {}

  std::size_t read(std::span<char> out) override {
    const std::size_t got = source_->read(out);
    check(kept_.size() + got <= limit_, "'{}' exceeds the limit of {} bytes; use a smaller file",
          name(), limit_);
    kept_.append(out.data(), got);
    return got;
  }

 private:
  std::unique_ptr<ByteSource> source_;
  std::string& kept_;
  std::size_t limit_;
};

}  // namespace

std::string value_text(const FrameColumn& column, Index row) {
  if (column.is_missing(row)) return "";
  if (column.kind == ColumnKind::category) {
    return column.levels[to_size(column.codes[to_size(row)])];
  }
  const double value = column.values[to_size(row)];
  if (column.kind == ColumnKind::number) return fmt::format("{}", value + 0.0);  // −0 becomes 0
  const double seconds = std::floor(value);
  const std::string text = format_date(static_cast<std::int64_t>(seconds));
  return value == seconds ? text : text + fmt::format("{:.3f}", value - seconds).substr(1);
}

Frame make_frame(std::vector<std::pair<std::string, std::vector<double>>> columns) {
  std::vector<FrameColumn> made;
  for (auto& column : columns) {
    made.push_back(number_column(std::move(column.first), std::move(column.second)));
  }
  return memory_frame(std::move(made));
}

void make_categories(Frame& frame, std::span<const std::string> names) {
  for (const std::string& name : names) {
    const FrameColumn& column = frame.column(name);
    if (column.kind == ColumnKind::category) continue;
    ColumnBuilder builder(name, ColumnKind::category);
    for (Index row = 0; row < frame.rows(); ++row) builder.add(value_text(column, row));
    frame.columns[static_cast<std::size_t>(&column - frame.columns.data())] = builder.take();
  }
}

void check_all_numbers(const Frame& frame, std::span<const std::string> names) {
  for (const FrameColumn& column : frame.columns) {
    const bool is_looked_at = names.empty() || std::ranges::count(names, column.name) > 0;
    if (!is_looked_at || (column.kind == ColumnKind::number && column.missing == 0)) continue;
    for (Index row = 0; row < frame.rows(); ++row) {
      const std::string where = frame.where(row, column);
      check(!column.is_missing(row), "{}: the value is missing; fill it in or remove the row",
            where);
      check(column.kind != ColumnKind::date, "{}: this is a date, but a number is needed", where);
      if (column.kind == ColumnKind::number) continue;
      const std::string& text = column.levels[to_size(column.codes[to_size(row)])];
      double ignored = 0;
      const std::string_view fault = read_number(text, ignored);
      check(fault.empty(), "{}: {} {}", where, in_quotes(text), fault);
    }
  }
}

Frame sorted_by(Frame frame, const std::string& name, const std::string& group) {
  const FrameColumn& by = frame.column(name);
  check_usage(by.kind != ColumnKind::category,
              "{}: rows cannot be sorted by column {}, which has categories{}", frame.file,
              in_quotes(name), by.first_text.empty() ? "" : "; see " + by.first_text);
  std::vector<Index> order(to_size(frame.rows()));
  std::iota(order.begin(), order.end(), Index{0});
  std::vector<Index> part(order.size());  // of each row, in the order of the groups' first rows
  if (!group.empty()) {
    std::unordered_map<std::string, Index> parts;
    const FrameColumn& groups = frame.column(group);
    for (const Index row : order) {
      part[to_size(row)] =
          parts.try_emplace(value_text(groups, row), std::ssize(parts)).first->second;
    }
  }
  std::ranges::stable_sort(order, {}, [&](Index row) {
    const double value = by.values[to_size(row)];
    const bool is_missing = std::isnan(value);  // last
    return std::tuple(part[to_size(row)], is_missing, is_missing ? 0.0 : value);
  });
  const auto reorder = [&]<class T>(const auto& values, std::vector<T> sorted) {
    if (values.empty()) return sorted;
    for (const Index row : order) sorted.push_back(values[to_size(row)]);
    return sorted;
  };
  for (FrameColumn& column : frame.columns) {
    column.values = reorder(column.values, std::vector<double>());
    column.codes = reorder(column.codes, std::vector<std::int32_t>());
  }
  frame.line = reorder(frame.line, std::vector<Index>());
  return frame;
}

Frame parse_frame(std::string_view text, const std::string& name, const FrameOptions& options) {
  return read_twice([&] { return text_source(text, name); }, options);
}

Frame read_frame(const std::string& path, const FrameOptions& options) {
  std::error_code ignored;
  if (path != "-" && std::filesystem::is_regular_file(path, ignored)) {
    return read_twice([&] { return open_source(path); }, options);
  }
  // A pipe cannot be read twice. It may have no end, so what is wrong with it is said at once.
  std::unique_ptr<ByteSource> source = open_source(path);
  const std::string name = source->name();
  std::string kept;
  return read_twice(
      [&]() -> std::unique_ptr<ByteSource> {
        if (source == nullptr) return text_source(kept, name);
        return std::make_unique<KeptSource>(std::move(source), kept, options.most_bytes);
      },
      options);
}

const FrameColumn& Frame::column(std::string_view name) const {
  const auto found = std::ranges::find(columns, name, &FrameColumn::name);
  if (found != columns.end()) return *found;
  std::vector<std::string> names;
  for (const FrameColumn& column : columns) names.push_back(column.name);
  throw UsageError(fmt::format("{}: there is no column {}; columns: {}", file, in_quotes(name),
                               names_in_quotes(names)));
}

std::string Frame::place(Index row) const {
  return line.empty() ? fmt::format("row {}", row) : fmt::format("{} {}", unit, line[to_size(row)]);
}

std::string Frame::where(Index row, const FrameColumn& column) const {
  return fmt::format("{}: {}, column {}", file, place(row), in_quotes(column.name));
}

}  // namespace probmix
