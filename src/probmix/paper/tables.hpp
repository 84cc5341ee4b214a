// The development collection: real tables of many kinds, on which defaults are judged beside other
// programs (bench/quality). None come with the project.
//
// Each split trains on 80 % of the rows and tests on 20 %, and depends on nothing but the table and
// its number. Splits are the folds of cross-validations, with equal shares of each class. In time,
// split 0 tests on the last fifth, split 1 on the fifth before it with what precedes that for
// training, and so on. A table that comes with test rows has the same parts in all splits, which
// then differ in their seeds only.
#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "probmix/sweep/study_data.hpp"

namespace probmix {

enum class TableKind { regression, counts, positive, classes, series };
inline constexpr std::array<std::string_view, 5> table_kind_names = {
    "regression", "counts", "positive", "classes", "series"};

struct BenchmarkTable {
  std::string name;
  TableKind kind = TableKind::regression;
  std::string target;          // without a header, columns are c1, c2 and so on
  std::string file = {};       // NAME.csv.gz if empty
  std::string test_file = {};  // the test rows; empty: splits are made
  bool header = false;
  std::vector<std::string> inputs = {};  // empty: all other columns
  SeriesShape series = {};
};

// The one list of them, quick ones first.
std::span<const BenchmarkTable> benchmark_tables();
std::vector<std::string> benchmark_names();
// Throws a UsageError that lists the names.
const BenchmarkTable& benchmark_table(std::string_view name);

inline constexpr std::string_view table_files =
    "a directory with files such as tables/autompg.csv.gz, from "
    "github.com/treforevans/uci_datasets "
    "and github.com/jbrownlee/Datasets";

// Reads the files in the folder `tables` of a directory, or in the directory itself. Throws a
// one-line Error that names the file.
std::shared_ptr<const StudyData> read_benchmark(const std::filesystem::path& directory,
                                                const BenchmarkTable& table, FitOptions options);

// For other programs, which are to be judged on the same rows: the table as CSV, with a header,
// missing values empty; and its splits:
//   {"table", "kind", "target", "inputs", "categories", "window",
//    "splits": [{"split", "train": {"last", "target"}, "test": {"last", "target"}}]}
// `last` and `target` are row numbers from 0: a prediction sees the `window` rows up to `last`.
std::string benchmark_csv(const Frame& frame);
Json benchmark_splits(const StudyData& data, TableKind kind, std::span<const Index> splits);

}  // namespace probmix
