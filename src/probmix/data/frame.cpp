#include "probmix/data/frame.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <optional>
#include <unordered_map>

#include "probmix/base/error.hpp"
#include "probmix/base/printable.hpp"
#include "probmix/base/text_hash.hpp"
#include "probmix/data/date.hpp"
#include "probmix/data/field.hpp"
#include "probmix/data/number.hpp"

namespace probmix {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr Index progress_rows = 1 << 16;

// A column whose kind is not certain until its last row.
class ColumnBuilder {
 public:
  ColumnBuilder(std::string name, std::optional<ColumnKind> known)
      : column_{.name = std::move(name)}, kind_(known) {}

  // All fields have to be read again, as categories.
  bool is_refused() const { return refused_; }

  // False if the field is not of the kind that those before were.
  bool add(std::string_view field) {
    double value = 0;
    if (kind_ == ColumnKind::number && read_number(field, value).empty()) {  // the usual case
      column_.values.push_back(value);
      return true;
    }
    if (is_missing(field)) {
      ++column_.missing;
      add_missing();
      return true;
    }
    if (!kind_) find_kind(field);
    if (*kind_ == ColumnKind::number) {
      refused_ = !read_number(field, value).empty();
      column_.values.push_back(value);
    } else if (*kind_ == ColumnKind::date) {
      const auto seconds = parse_date(without_blanks(field));
      refused_ = !seconds;
      column_.values.push_back(static_cast<double>(seconds.value_or(0)));
    } else {
      add_level(without_blanks(field));
    }
    return !refused_;
  }

  // Of the texts of levels; the rows are counted elsewhere.
  std::size_t text_bytes() const { return text_bytes_; }

  FrameColumn take() {
    column_.kind = kind_.value_or(ColumnKind::number);
    if (column_.kind == ColumnKind::category) {
      sort_levels();
    } else {
      column_.codes.clear();
    }
    return std::move(column_);
  }

 private:
  void add_missing() {
    if (!kind_ || *kind_ != ColumnKind::category) column_.values.push_back(nan);
    if (!kind_ || *kind_ == ColumnKind::category) column_.codes.push_back(-1);
  }

  // By the first field that is not missing.
  void find_kind(std::string_view field) {
    kind_ = is_number(field) ? ColumnKind::number
            : is_date(field) ? ColumnKind::date
                             : ColumnKind::category;
    if (*kind_ == ColumnKind::category) column_.values.clear();
    if (*kind_ != ColumnKind::category) column_.codes.clear();
  }

  void add_level(std::string_view text) {
    auto found = positions_.find(text);
    if (found == positions_.end()) {
      const auto position = static_cast<std::int32_t>(positions_.size());
      found = positions_.emplace(std::string(text), position).first;
      text_bytes_ += text.size() + 2 * sizeof(std::string) + 32;  // with its node in the map
    }
    column_.codes.push_back(found->second);
  }

  // The order of the rows should not matter.
  void sort_levels() {
    std::vector<std::pair<std::string, std::int32_t>> levels;
    while (!positions_.empty()) {
      auto node = positions_.extract(positions_.begin());
      levels.emplace_back(std::move(node.key()), node.mapped());
    }
    std::ranges::sort(levels);
    std::vector<std::int32_t> place(levels.size());
    for (std::size_t k = 0; k < levels.size(); ++k) {
      place[static_cast<std::size_t>(levels[k].second)] = static_cast<std::int32_t>(k);
      column_.levels.push_back(std::move(levels[k].first));
    }
    for (std::int32_t& code : column_.codes) {
      if (code >= 0) code = place[static_cast<std::size_t>(code)];
    }
  }

  FrameColumn column_;
  std::optional<ColumnKind> kind_;
  bool refused_ = false;
  std::size_t text_bytes_ = 0;
  std::unordered_map<std::string, std::int32_t, TextHash, std::equal_to<>> positions_;
};

// Of levels that are all numbers, some of them with a comma: what to do about it. Else empty.
std::string comma_doubt(const std::vector<std::string>& levels) {
  bool has_comma = false;
  bool is_thousands = true;  // three digits behind every comma
  for (const std::string& level : levels) {
    const std::size_t comma = find_decimal_comma(level);
    if (comma == std::string::npos && !is_number(level)) return "";
    if (comma == std::string::npos) continue;
    has_comma = true;
    is_thousands = is_thousands && level.size() == comma + 4;
  }
  if (!has_comma) return "";
  return is_thousands ? "has commas in its numbers: write them without, or, if they are decimal "
                        "commas, read the table with --decimal-comma"
                      : "has numbers with decimal commas: read the table with --decimal-comma";
}

// What is known of columns before they are read, and why of those that turned out to be text.
struct Known {
  ColumnKind kind = ColumnKind::category;
  std::string first_text = {};
};
using Kinds = std::unordered_map<std::string, Known>;

// Reads with the kinds that are known. Adds to these and returns nothing where a column turns out
// to be of no kind but category.
std::optional<Frame> read_once(std::unique_ptr<ByteSource> source, const FrameOptions& options,
                               Kinds& kinds) {
  CsvReader reader(std::move(source), options.format);
  for (const auto& [name, known] : kinds) {
    check_usage(std::ranges::count(reader.columns(), name) == 1,
                "{}: there is no column {}; columns: {}", reader.file(), in_quotes(name),
                names_in_quotes(reader.columns()));
  }
  std::vector<ColumnBuilder> builders;
  for (const std::string& name : reader.columns()) {
    const auto found = kinds.find(name);
    builders.emplace_back(name,
                          found == kinds.end() ? std::nullopt : std::optional(found->second.kind));
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
        kinds[reader.columns()[c]].first_text =
            fmt::format("{}: {}", reader.where(static_cast<Index>(c)), in_quotes(fields[c]));
      }
      bytes += builders[c].text_bytes();
    }
    check(bytes <= options.most_bytes,
          "{}: line {}: the table so far takes {} bytes of memory, more than the {} that are used; "
          "use fewer rows or columns",
          reader.file(), reader.line(), bytes, options.most_bytes);
    if (options.progress && frame.rows() % progress_rows == 0) options.progress(frame.rows());
  }
  check(frame.rows() > 0, "{}: there are no rows below the header", reader.file());
  if (again) return {};
  for (ColumnBuilder& builder : builders) {
    frame.columns.push_back(builder.take());
    const auto known = kinds.find(frame.columns.back().name);
    if (known != kinds.end()) frame.columns.back().first_text = known->second.first_text;
    const bool is_asked_for = std::ranges::find(options.categories, frame.columns.back().name) !=
                              options.categories.end();
    if (!is_asked_for) frame.columns.back().doubt = comma_doubt(frame.columns.back().levels);
  }
  return frame;
}

Frame read_twice(const std::function<std::unique_ptr<ByteSource>()>& open,
                 const FrameOptions& options) {
  Kinds kinds;
  for (const std::string& name : options.categories) kinds[name] = {};
  auto frame = read_once(open(), options, kinds);
  if (!frame) frame = read_once(open(), options, kinds);
  check(frame.has_value(), "a file has changed while it was read; try again");
  return std::move(*frame);
}

}  // namespace

Frame make_frame(std::vector<std::pair<std::string, std::vector<double>>> columns) {
  Frame frame{.file = "the table", .columns = {}, .line = {}};
  const std::size_t rows = columns.empty() ? 0 : columns.front().second.size();
  check(rows > 0, "a table needs a column and a row");
  for (auto& [name, values] : columns) {
    check(values.size() == rows, "column {} has {} rows, but {} has {}", in_quotes(name),
          values.size(), in_quotes(frame.columns.empty() ? name : frame.columns.front().name),
          rows);
    check(std::ranges::count(frame.columns, name, &FrameColumn::name) == 0,
          "two columns are named {}", in_quotes(name));
    FrameColumn column{.name = std::move(name)};
    for (const double value : values) {
      check(!std::isinf(value), "column {} has an infinite value", in_quotes(column.name));
      column.missing += std::isnan(value) ? 1 : 0;
    }
    column.values = std::move(values);
    frame.columns.push_back(std::move(column));
  }
  for (std::size_t r = 0; r < rows; ++r) frame.line.push_back(static_cast<Index>(r + 1));
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
  const auto source = open_source(path);  // a pipe: cannot be read twice
  return parse_frame(read_all(*source, options.most_bytes), source->name(), options);
}

const FrameColumn& Frame::column(std::string_view name) const {
  const auto found = std::ranges::find(columns, name, &FrameColumn::name);
  if (found != columns.end()) return *found;
  std::vector<std::string> names;
  for (const FrameColumn& column : columns) names.push_back(column.name);
  throw UsageError(fmt::format("{}: there is no column {}; columns: {}", file, in_quotes(name),
                               names_in_quotes(names)));
}

std::string Frame::where(Index row, const FrameColumn& column) const {
  return fmt::format("{}: line {}, column {}", file, line[to_size(row)], in_quotes(column.name));
}

}  // namespace probmix
