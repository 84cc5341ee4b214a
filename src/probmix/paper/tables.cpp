#include "probmix/paper/tables.hpp"

#include <algorithm>

#include "probmix/base/error.hpp"
#include "probmix/base/random.hpp"
#include "probmix/data/byte_source.hpp"
#include "probmix/data/csv_write.hpp"
#include "probmix/data/find_files.hpp"
#include "probmix/data/split.hpp"
#include "probmix/model/folds.hpp"

namespace probmix {

namespace fs = std::filesystem;
namespace {

constexpr Index parts = 5;  // one of them is for testing
constexpr std::uint64_t split_seed = 1;
constexpr std::size_t largest_text = std::size_t{1} << 30;

// Two files as one text. In the test file of adult the classes end in a point.
struct JoinedText {
  std::string text;
  Index first_lines;  // of the first file
};
JoinedText join(const fs::path& train, const fs::path& test) {
  const auto read = [](const fs::path& path) {
    std::string text = read_all(*open_source(path.string()), largest_text);
    if (!text.ends_with('\n')) text += '\n';
    return text;
  };
  JoinedText joined{.text = read(train), .first_lines = 0};
  joined.first_lines = std::ranges::count(joined.text, '\n');
  std::string more = read(test);
  for (std::size_t at = 0; (at = more.find(".\n", at)) != more.npos;) more.erase(at, 1);
  joined.text += more;
  return joined;
}

struct TableWithTest {
  std::shared_ptr<const Frame> frame;
  std::vector<Index> test = {};  // rows; empty: none are given
};

TableWithTest read_files(const fs::path& directory, const BenchmarkTable& table) {
  const auto find = [&](const std::string& name) {
    return data_file(directory, fs::path("tables") / (name + ".csv.gz"), table_files);
  };
  const fs::path path = find(table.file.empty() ? table.name : table.file);
  FrameOptions options{.format = {.separator = ',', .header = table.header}};
  if (table.kind == TableKind::classes) options.categories = {table.target};
  if (table.test_file.empty()) {
    return {std::make_shared<const Frame>(read_frame(path.string(), options))};
  }
  const fs::path test_path = find(table.test_file);
  const JoinedText joined = join(path, test_path);
  TableWithTest result{std::make_shared<const Frame>(
      parse_frame(joined.text, path.string() + " and " + test_path.filename().string(), options))};
  for (Index r = 0; r < result.frame->rows(); ++r) {
    if (result.frame->line[to_size(r)] > joined.first_lines) result.test.push_back(r);
  }
  check(!result.test.empty(), "'{}': there are no rows", test_path.string());
  return result;
}

// Examples whose target is one of the test rows are for testing.
Fold given_fold(const Examples& examples, std::span<const Index> test) {
  Fold fold{.judged = {{"test", {}}}};
  for (Index k = 0; k < examples.count(); ++k) {
    const bool is_test = std::ranges::binary_search(test, examples.target[to_size(k)]);
    (is_test ? fold.judged.front().examples : fold.train).push_back(k);
  }
  return fold;
}

// The class numbers of the examples; empty if the target is no category.
std::vector<std::int64_t> classes_of(const Frame& frame, const std::string& target,
                                     const Examples& examples) {
  std::vector<std::int64_t> classes;
  const FrameColumn& column = frame.column(target);
  if (column.kind != ColumnKind::category) return classes;
  for (const Index row : examples.target) classes.push_back(column.codes[to_size(row)]);
  return classes;
}

Fold fold_of(const Frame& frame, const FitOptions& options, const Examples& examples, Index split) {
  if (is_split_in_time(options.series)) {
    return make_folds(frame, options, examples, {}, parts - 1,
                      split_seed)[to_size(parts - 2 - split)];
  }
  const auto deal = static_cast<std::uint64_t>(split / parts);
  return make_folds(frame, options, examples, classes_of(frame, options.targets.front(), examples),
                    parts, derive_seed(split_seed, deal))[to_size(split % parts)];
}

Examples examples_of(const Frame& frame, const FitOptions& options) {
  return find_examples(frame, options.series, options.rules, options.targets);
}

}  // namespace

std::span<const BenchmarkTable> benchmark_tables() {
  using enum TableKind;
  static const std::vector<BenchmarkTable> all = {
      {.name = "autompg", .target = "c8"},
      {.name = "airfoil", .target = "c6"},
      {.name = "skillcraft", .target = "c20"},
      {.name = "abalone", .kind = counts, .target = "c9"},
      {.name = "auto_imports", .kind = positive, .target = "c26"},
      {.name = "german-amount", .kind = positive, .target = "c5", .file = "german"},
      {.name = "german", .kind = classes, .target = "c21"},
      {.name = "glass", .kind = classes, .target = "c10"},
      {.name = "horse-colic", .kind = classes, .target = "c24"},
      {.name = "horse-outcome", .kind = classes, .target = "c23", .file = "horse-colic"},
      // Months such as 1949-01 are not read as dates; the rows are in order.
      {.name = "airline-passengers",
       .kind = series,
       .target = "Passengers",
       .header = true,
       .inputs = {"Passengers"},
       .series = {.window = 12, .horizon = 1}},
      {.name = "monthly-sunspots",
       .kind = series,
       .target = "Sunspots",
       .header = true,
       .inputs = {"Sunspots"},
       .series = {.window = 24, .horizon = 1}},
      {.name = "daily-min-temperatures",
       .kind = series,
       .target = "Temp",
       .header = true,
       .series = {.window = 14, .horizon = 1, .time = "Date"}},
      {.name = "elevators", .target = "c19"},
      {.name = "bike", .target = "c18"},
      {.name = "kin40k", .target = "c9"},
      {.name = "adult",
       .kind = classes,
       .target = "c15",
       .file = "adult-train",
       .test_file = "adult-test"},
      {.name = "pollution",
       .kind = series,
       .target = "pm2.5",
       .header = true,
       .series = {.window = 6, .horizon = 1, .time = "No"}},
  };
  return all;
}

std::vector<std::string> benchmark_names() {
  std::vector<std::string> names;
  for (const BenchmarkTable& table : benchmark_tables()) names.push_back(table.name);
  return names;
}

const BenchmarkTable& benchmark_table(std::string_view name) {
  const std::vector<std::string> names = benchmark_names();
  const std::vector<std::string_view> views(names.begin(), names.end());
  return benchmark_tables()[check_choice("table", name, views)];
}

std::shared_ptr<const StudyData> read_benchmark(const fs::path& directory,
                                                const BenchmarkTable& table, FitOptions options) {
  const TableWithTest data = read_files(directory, table);
  const std::shared_ptr<const Frame>& frame = data.frame;
  frame->column(table.target);
  options.targets = {table.target};
  options.inputs = table.inputs;
  options.series = table.series;
  const auto examples = std::make_shared<const Examples>(examples_of(*frame, options));
  const auto at = [frame, examples, options, test = data.test](Index split) -> StudyData::Case {
    Fold fold =
        test.empty() ? fold_of(*frame, options, *examples, split) : given_fold(*examples, test);
    fold.number = static_cast<std::uint64_t>(split);
    return {frame, std::move(fold)};
  };
  return std::make_shared<const StudyData>(
      StudyData{.name = table.name,
                .options = std::move(options),
                .identity = {{"dataset", table.name},
                             {"rows", examples->count()},
                             {"fingerprint", fingerprint_of(*frame)}},
                .repeat = "split",
                .at = at,
                .repeats = is_split_in_time(table.series) ? parts - 1 : 0});
}

std::string benchmark_csv(const Frame& frame) {
  std::string text;
  for (const FrameColumn& column : frame.columns) {
    text += (&column == &frame.columns.front() ? "" : ",") + csv_field(column.name);
  }
  text += '\n';
  for (Index r = 0; r < frame.rows(); ++r) {
    for (const FrameColumn& column : frame.columns) {
      if (&column != &frame.columns.front()) text += ',';
      text += csv_field(value_text(column, r));
    }
    text += '\n';
  }
  return text;
}

Json benchmark_splits(const StudyData& data, TableKind kind, std::span<const Index> splits) {
  const FitOptions& options = data.options;
  const std::string& target = options.targets.front();
  const std::shared_ptr<const Frame> frame = data.at(0).table;
  Json inputs = Json::array(), categories = Json::array();
  for (const FrameColumn& column : frame->columns) {
    const bool is_answer = column.name == target && options.series.horizon == 0;
    const bool is_wanted =
        options.inputs.empty() || std::ranges::count(options.inputs, column.name) > 0;
    if (is_wanted && !is_answer && column.name != options.series.time)
      inputs.push_back(column.name);
    if (column.kind == ColumnKind::category) categories.push_back(column.name);
  }
  const Examples examples = examples_of(*frame, options);
  const auto rows = [&](const std::vector<Index>& chosen) -> Json {
    return {{"last", take(examples.last, chosen)}, {"target", take(examples.target, chosen)}};
  };
  Json list = Json::array();
  for (const Index split : splits) {
    check_usage(data.repeats == 0 || split < data.repeats,
                "{} has {} splits, numbered from 0; there is no split {}", data.name, data.repeats,
                split);
    const Fold fold = data.at(split).fold;
    list.push_back({{"split", split},
                    {"train", rows(fold.train)},
                    {"test", rows(fold.judged.front().examples)}});
  }
  return {{"table", data.name},
          {"kind", table_kind_names[static_cast<std::size_t>(kind)]},
          {"target", target},
          {"inputs", std::move(inputs)},
          {"categories", std::move(categories)},
          {"window", options.series.window},
          {"splits", std::move(list)}};
}

}  // namespace probmix
