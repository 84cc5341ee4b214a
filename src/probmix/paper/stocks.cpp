#include "probmix/paper/stocks.hpp"

#include <algorithm>

#include "probmix/base/error.hpp"
#include "probmix/data/date.hpp"
#include "probmix/data/find_files.hpp"
#include "probmix/paper/stock_pictures.hpp"

namespace probmix {
namespace {

// Drops unused columns, so that they do not affect the fingerprint.
Frame with_used_columns(Frame frame, const FitOptions& options) {
  if (options.inputs.empty()) return frame;
  std::erase_if(frame.columns, [&](const FrameColumn& column) {
    return column.name != options.series.time &&
           std::ranges::count(options.inputs, column.name) == 0 &&
           std::ranges::count(options.targets, column.name) == 0;
  });
  return frame;
}

Frame read_prices(const std::filesystem::path& path, const StockSplit& split,
                  const FitOptions& options) {
  Frame frame = read_frame(path.string(), {.format = {.separator = ',', .header = true}});
  const FrameColumn& time = frame.column(options.series.time);
  check(time.kind == ColumnKind::date, "{}: column '{}' has no dates ({}){}", frame.file, time.name,
        date_forms, time.first_text.empty() ? "" : "; see " + time.first_text);
  for (const std::string& name : options.inputs) frame.column(name);
  for (const std::string& name : options.targets) frame.column(name);
  frame = with_used_columns(std::move(frame), options);
  std::vector<std::string> numbers;
  for (const FrameColumn& column : frame.columns) {
    if (column.name != options.series.time) numbers.push_back(column.name);
  }
  check_all_numbers(frame, numbers);
  return split.sort ? sorted_by(std::move(frame), options.series.time) : frame;
}

std::string date_of(const Frame& frame, const std::string& column, Index row) {
  return format_date(static_cast<std::int64_t>(frame.column(column).values[to_size(row)]));
}

}  // namespace

FitOptions stock_options() {
  return {.preset = Preset::fast,
          .targets = {"Close"},
          .inputs = {"Open", "High", "Low", "Close"},
          .limit_inputs = LimitInputs::wide,
          .series = {.window = 42, .horizon = 21, .time = "Date"},
          .rules = {.gaps = GapRule::refuse, .straddling = Straddling::drop},
          .validation_rows = ValidationRows::random,
          .family = "gaussian",
          .mix = {},
          .train = {.epochs = 2000, .optimiser = {.learning_rate = 0.0005}},
          .architecture = {.kind = ArchitectureKind::lstm}};
}

std::shared_ptr<const StudyData> read_stock(const std::filesystem::path& directory,
                                            const std::string& name, const StockSplit& split,
                                            const FitOptions& options) {
  check_usage(!name.empty() && name.find_first_of("/\\") == std::string::npos,
              "a stock has the name of its file, without folder and .csv, not '{}'", name);
  check_usage(options.series.horizon >= 1,
              "`horizon` must be at least 1: with 0 the price to forecast would be an input");
  const auto table = std::make_shared<const Frame>(
      read_prices(data_file(directory, "stocks/" + name + ".csv", stock_files), split, options));
  const Examples examples = find_examples(*table, options.series, options.rules, options.targets);
  Fold fold = last_fold(*table, options, examples, split.test);
  if (options.validation > 0) {  // the same for all runs
    Split parts =
        split_examples(*table, options, examples, fold.train, {}, derive_seed(options.seed, 0));
    fold.train = std::move(parts.train);
    fold.validation = std::move(parts.validation);
  }
  return std::make_shared<const StudyData>(StudyData{
      .name = fmt::format(
          "{} {}", architecture_names[static_cast<std::size_t>(options.architecture.kind)], name),
      .options = options,
      .identity = {{"dataset", name},
                   {"rows", table->rows()},
                   {"from", date_of(*table, options.series.time, 0)},
                   {"to", date_of(*table, options.series.time, table->rows() - 1)},
                   {"fingerprint", fingerprint_of(*table)},
                   {"test", split.test}},
      .repeat = "run",
      .at = [table, fold](Index run) -> StudyData::Case {
        StudyData::Case at{table, fold};
        at.fold.number = static_cast<std::uint64_t>(run);
        return at;
      },
      .standardised = true,
      .pictures = stock_pictures});
}

}  // namespace probmix
