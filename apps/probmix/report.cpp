// probmix report.
#include "probmix/report/report.hpp"

#include <fmt/format.h>

#include <memory>

#include "commands.hpp"
#include "options.hpp"
#include "probmix/base/error.hpp"
#include "probmix/base/file.hpp"
#include "probmix/report/export.hpp"
#include "terminal.hpp"

namespace probmix::app {

namespace {

struct ReportCommand {
  std::vector<std::string> results;
  std::filesystem::path out = "report.html";
  std::filesystem::path tables;  // a directory; empty: none
};

void run(const ReportCommand& command) {
  std::vector<std::filesystem::path> files(command.results.begin(), command.results.end());
  check_other_file("--out", command.out, command.results);
  check_writable(command.out);
  check_usage(command.tables.empty() || !std::filesystem::exists(command.tables) ||
                  std::filesystem::is_directory(command.tables),
              "--tables needs a directory, but {} is a file", command.tables.string());
  const Results results = read_results(files);
  for (const std::string& remark : results.remarks) say(remark);
  const Report report = make_report(results.studies, results.remarks);
  for (const std::string& remark : report.remarks) say(remark);
  write_file_atomically(command.out, report.html);
  say("report: " + command.out.string());
  if (command.tables.empty()) return;
  std::filesystem::create_directories(command.tables);
  for (const NamedTable& named : report.tables) {
    const std::filesystem::path file = command.tables / named.name;
    write_file_atomically(file.string() + ".csv", csv_table(named.table));
    write_file_atomically(file.string() + ".md", markdown_table(named.table));
    write_file_atomically(file.string() + ".tex", latex_table(named.table));
  }
  for (const StudyCells& study : report.cells) {
    write_file_atomically((command.tables / study.name).string() + ".csv", study.csv);
  }
  say(fmt::format("{} as .csv, .md and .tex: {}", counted(std::ssize(report.tables), "table"),
                  command.tables.string()));
}

}  // namespace

void add_report(CLI::App& app) {
  CLI::App* const report =
      app.add_subcommand("report", "Make a page with tables and pictures from results");
  report->footer(
      "Examples:\n"
      "  probmix reproduce uci --data DIR --sets yacht --splits 0-4 --out uci.jsonl\n"
      "  probmix report uci.jsonl --out report.html\n"
      "  probmix report shard1.jsonl shard2.jsonl toy.jsonl --out report.html --tables tables");
  const auto command = std::make_shared<ReportCommand>();
  report
      ->add_option("RESULTS", command->results,
                   "Files that 'probmix reproduce ... --out' wrote, of any studies and shards")
      ->type_name("FILE")
      ->required();
  add_file(*report, "--out", command->out, "The page (HTML)");
  add_file(*report, "--tables", command->tables,
           "Also write every table as CSV, Markdown and LaTeX into this directory, and the numbers "
           "of each study as CSV")
      ->type_name("DIR");
  report->callback([command] { run(*command); });
}

}  // namespace probmix::app
