#include "probmix/paper/uci.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "probmix/base/error.hpp"
#include "probmix/base/fingerprint.hpp"
#include "probmix/base/printable.hpp"
#include "probmix/data/find_files.hpp"

namespace probmix {

namespace fs = std::filesystem;
namespace {

constexpr double most_splits = 1000;

// A name, never a path.
void check_name(const std::string& name) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
  };
  check_usage(!name.empty() && !name.starts_with('.') && std::ranges::all_of(name, allowed),
              "a data set has the name of its folder, made of letters, digits, '-', '_' and '.', "
              "not {}; the paper's are: {}",
              in_quotes(name), fmt::join(uci_names, ", "));
}

fs::path find_folder(const fs::path& directory, const std::string& name) {
  for (const fs::path& folder : {directory / "uci" / name, directory / name}) {
    std::error_code ignored;
    if (fs::is_directory(folder, ignored)) return folder;
  }
  const std::string place = printable(directory.string());
  throw Error(fmt::format(
      "there is no folder {} in '{}/uci' or '{}'; the paper's data sets are: {}; wanted: {}",
      in_quotes(name), place, place, fmt::join(uci_names, ", "), uci_files));
}

// A file of numbers separated by blanks.
Frame read_numbers(const fs::path& folder, const std::string& file) {
  const fs::path path = data_file(folder, file, uci_files);
  Frame frame = read_frame(path.string(), {.format = {.separator = ' ', .header = false}});
  check_all_numbers(frame);
  return frame;
}

// The only column of a file: distinct whole numbers from `low` to `high`.
std::vector<Index> read_indices(const fs::path& folder, const std::string& file,
                                std::string_view what, double low, double high) {
  const Frame frame = read_numbers(folder, file);
  check(frame.columns.size() == 1, "{}: line {}: {} numbers; write one {} per line", frame.file,
        frame.line.front(), frame.columns.size(), what);
  std::vector<Index> indices;
  std::vector<bool> seen(static_cast<std::size_t>(high) + 1);
  for (Index r = 0; r < frame.rows(); ++r) {
    const double value = frame.columns.front().values[to_size(r)];
    const Index line = frame.line[to_size(r)];
    check(value >= low && value <= high && value == std::floor(value),
          "{}: line {}: {} is not a {}, which is a whole number from {} to {}", frame.file, line,
          value, what, low, high);
    const auto index = static_cast<Index>(value);
    check(!seen[to_size(index)], "{}: line {}: {} {} occurs twice; remove one", frame.file, line,
          what, index);
    seen[to_size(index)] = true;
    indices.push_back(index);
  }
  return indices;
}

// The same for a file with a single number.
Index read_single(const fs::path& folder, const std::string& file, std::string_view what,
                  double low, double high) {
  const std::vector<Index> indices = read_indices(folder, file, what, low, high);
  check(indices.size() == 1, "{}: {} numbers; write one {}", printable((folder / file).string()),
        indices.size(), what);
  return indices.front();
}

Fold read_split(const fs::path& folder, Index split, Index rows) {
  const auto last = static_cast<double>(rows - 1);
  const std::string test_file = fmt::format("index_test_{}.txt", split);
  Fold fold{.train = read_indices(folder, fmt::format("index_train_{}.txt", split), "row number", 0,
                                  last),
            .judged = {{"test", read_indices(folder, test_file, "row number", 0, last)}},
            .number = static_cast<std::uint64_t>(split)};
  std::vector<bool> trained(to_size(rows));
  for (const Index r : fold.train) trained[to_size(r)] = true;
  for (const Index r : fold.judged.front().examples) {
    check(!trained[to_size(r)],
          "{}: row {} is also in index_train_{}.txt; use a row for training or testing, not both",
          printable((folder / test_file).string()), r, split);
  }
  return fold;
}

std::string fingerprint_of(const Frame& table, const std::vector<Fold>& folds) {
  Fingerprint print;
  print.add(fingerprint_of(table));
  for (const Fold& fold : folds) {
    for (const auto* rows : {&fold.train, &fold.judged.front().examples}) {
      print.add(rows->size());
      for (const Index row : *rows) print.add(static_cast<std::uint64_t>(row));
    }
  }
  return print.text();
}

}  // namespace

FitOptions uci_options() {
  return {.preset = Preset::fast,
          .limit_inputs = LimitInputs::wide,
          .family = "gaussian",
          .mix = {},
          .train = {.epochs = 1000, .batch = 128, .optimiser = {.learning_rate = 0.005}},
          .architecture = {.mlp = {.hidden = {128, 32}}}};
}

std::shared_ptr<const StudyData> read_uci(const fs::path& directory, const std::string& name,
                                          FitOptions options) {
  check_name(name);
  const fs::path folder = find_folder(directory, name);
  const auto table = std::make_shared<const Frame>(read_numbers(folder, "data.txt"));
  const auto last_column = static_cast<double>(table->columns.size() - 1);
  const std::vector<Index> features =
      read_indices(folder, "index_features.txt", "column number of data.txt", 0, last_column);
  const Index target =
      read_single(folder, "index_target.txt", "column number of data.txt", 0, last_column);
  check(std::ranges::find(features, target) == features.end(),
        "{}: column {} is also in index_features.txt; the target cannot be a feature",
        printable((folder / "index_target.txt").string()), target);
  options.targets = {table->columns[to_size(target)].name};
  for (const Index c : features) options.inputs.push_back(table->columns[to_size(c)].name);

  const Index splits = read_single(folder, "n_splits.txt", "number of splits", 1, most_splits);
  std::vector<Fold> folds;
  for (Index s = 0; s < splits; ++s) folds.push_back(read_split(folder, s, table->rows()));
  return std::make_shared<const StudyData>(
      StudyData{.name = name,
                .options = std::move(options),
                .identity = {{"dataset", name},
                             {"rows", table->rows()},
                             {"fingerprint", fingerprint_of(*table, folds)}},
                .repeat = "split",
                .at = [table, folds](Index split) -> StudyData::Case {
                  return {table, folds[to_size(split)]};
                },
                .repeats = splits});
}

}  // namespace probmix
