// bench_table: how fast a CSV file becomes columns of numbers, on one core.
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "options.hpp"
#include "probmix/base/atomic_file.hpp"
#include "probmix/base/random.hpp"
#include "probmix/data/frame.hpp"
#include "program.hpp"
#include "run.hpp"
#include "terminal.hpp"
#include "timing.hpp"

namespace {

using namespace probmix;
using namespace probmix::bench;

struct Options {
  Index rows = 1'000'000;
  Index columns = 20;
  Index rounds = 5;
  bool json = false;
};

// A table of normal numbers with five decimals, deleted at the end.
class TableFile {
 public:
  explicit TableFile(const Options& options)
      : path_(std::filesystem::temp_directory_path() /
              fmt::format("probmix-bench-{}.csv", ::getpid())) {
    AtomicFile file(path_);
    std::string text;
    for (Index c = 0; c < options.columns; ++c) text += fmt::format("{}x{}", c > 0 ? "," : "", c);
    Stream stream(1, Purpose::data);
    for (Index r = 0; r < options.rows; ++r) {
      for (Index c = 0; c < options.columns; ++c) {
        text += fmt::format("{}{:.5f}", c > 0 ? ',' : '\n', stream.normal());
      }
      if (text.size() < (std::size_t{1} << 20)) continue;
      file.write(text);
      text.clear();
    }
    file.write(text + "\n");
    file.commit();
  }
  ~TableFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  TableFile(const TableFile&) = delete;
  TableFile& operator=(const TableFile&) = delete;

  std::string path() const { return path_.string(); }
  double megabytes() const { return static_cast<double>(std::filesystem::file_size(path_)) / 1e6; }

 private:
  std::filesystem::path path_;
};

Json measure(const Options& options) {
  check_range("rows", options.rows, 1, 100'000'000);
  check_range("columns", options.columns, 1, 10'000);
  check_range("rounds", options.rounds, 1, 1000);
  const TableFile table(options);
  std::vector<double> bytes, records, columns;
  const auto take_turn = [](std::vector<double>& times, const auto& work) {
    times.push_back(time_block(0, work).wall);
  };
  for (Index round = 0; round < options.rounds; ++round) {
    take_turn(bytes, [&] {
      const auto source = open_source(table.path());
      std::vector<char> buffer(std::size_t{1} << 16);
      while (source->read(buffer) > 0) {
      }
    });
    take_turn(records, [&] {
      CsvReader reader(open_source(table.path()));
      while (reader.next()) {
      }
    });
    take_turn(columns, [&] { read_frame(table.path()); });
  }
  const auto rate = [&](std::vector<double> times) {
    return table.megabytes() / median(std::move(times));
  };
  return {{"rows", options.rows},
          {"columns", options.columns},
          {"megabytes", table.megabytes()},
          {"bytes_mb_per_s", rate(bytes)},
          {"records_mb_per_s", rate(records)},
          {"columns_mb_per_s", rate(columns)}};
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App command(
      "Megabytes a second of a CSV file of numbers, on one core: its bytes alone, its records, and "
      "typed columns; medians of rounds that take turns",
      "bench_table");
  probmix::app::set_help(command);
  command.footer("Example:\n  bench_table --rows 1000000 --columns 20");
  app::add_number(command, "--rows", options.rows, "Rows of the table");
  app::add_number(command, "--columns", options.columns, "Columns of the table");
  app::add_number(command, "--rounds", options.rounds, "Times that it is read");
  app::add_flag(command, "--json", options.json, "Print a JSON object");
  return probmix::app::run(command, argc, argv, [&] {
    const Json json = measure(options);
    app::print(options.json ? exact_json_text(json, 2) + "\n" : to_text(json));
  });
}
