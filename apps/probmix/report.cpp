// probmix report.
#include "probmix/report/study/report.hpp"

#include <fmt/format.h>

#include <memory>

#include "commands.hpp"
#include "options.hpp"
#include "probmix/base/atomic_file.hpp"
#include "probmix/base/error.hpp"
#include "probmix/base/read_file.hpp"
#include "probmix/report/page/export.hpp"
#include "probmix/report/page/fill.hpp"
#include "terminal.hpp"

namespace probmix::app {

namespace {

constexpr std::size_t largest_page = std::size_t{1} << 24;  // bytes of Markdown

struct ReportCommand {
  std::vector<std::string> results;
  std::vector<std::string> variants;
  std::filesystem::path out = "report.html";
  std::filesystem::path tables;    // a directory; empty: none
  std::vector<std::string> pages;  // Markdown to fill
  std::string part;
};

void check_files(const ReportCommand& command) {
  std::vector<std::string> read = command.results;
  read.insert(read.end(), command.variants.begin(), command.variants.end());
  check_other_file("--out", command.out, read);
  check_other_file("--out", command.out, command.pages);
  for (const std::string& page : command.pages) check_other_file("--fill", page, read);
  check_writable(command.out);
  check_usage(command.tables.empty() || !std::filesystem::exists(command.tables) ||
                  std::filesystem::is_directory(command.tables),
              "--tables needs a directory, but {} is a file", command.tables.string());
  check_usage(command.part.empty() || !command.pages.empty(),
              "--part selects tables of a page, so it needs --fill");
}

std::vector<report::Variant> read_variants(const std::vector<std::string>& files) {
  std::vector<report::Variant> variants;
  for (const std::string& file : files) {
    Results results = read_results({file});
    for (const std::string& remark : results.remarks) say(remark);
    variants.push_back({std::filesystem::path(file).stem().string(), std::move(results.studies)});
  }
  return variants;
}

void write_tables(const std::filesystem::path& folder, const report::Report& report) {
  std::filesystem::create_directories(folder);
  for (const report::NamedTable& named : report.tables) {
    const std::string file = (folder / named.name).string();
    write_file_atomically(file + ".csv", csv_table(named.table));
    write_file_atomically(file + ".md", markdown_table(named.table));
    write_file_atomically(file + ".tex", latex_table(named.table));
  }
  for (const report::StudyCells& study : report.cells) {
    write_file_atomically((folder / study.name).string() + ".csv", study.csv);
  }
  say(fmt::format("{} as .csv, .md and .tex: {}", counted(std::ssize(report.tables), "table"),
                  folder.string()));
}

void run(const ReportCommand& command) {
  check_files(command);
  const Results results = read_results({command.results.begin(), command.results.end()});
  for (const std::string& remark : results.remarks) say(remark);
  const report::Report report =
      make_report(results.studies, results.remarks, read_variants(command.variants));
  for (const std::string& remark : report.remarks) say(remark);
  // Fill every page before writing any, so that a wrong name changes nothing.
  std::vector<report::FilledPage> filled;
  for (const std::string& page : command.pages) {
    filled.push_back(fill_tables(read_file(page, largest_page), page, report.tables, command.part));
  }
  write_file_atomically(command.out, report.html);
  say("report: " + command.out.string());
  if (!command.tables.empty()) write_tables(command.tables, report);
  for (std::size_t k = 0; k < filled.size(); ++k) {
    write_file_atomically(command.pages[k], filled[k].text);
    say(fmt::format("{} filled: {}", counted(static_cast<Index>(filled[k].tables), "table"),
                    command.pages[k]));
  }
}

}  // namespace

void add_report(CLI::App& app) {
  CLI::App* const report =
      app.add_subcommand("report", "Make a page with tables and charts from results");
  report->footer(
      "Examples:\n"
      "  probmix reproduce uci --data DIR --sets yacht --splits 0-4 --out uci.jsonl\n"
      "  probmix report uci.jsonl --out report.html\n"
      "  probmix report shard1.jsonl shard2.jsonl toy.jsonl --out report.html --tables tables\n"
      "  probmix report all.jsonl --variants p300.jsonl p100.jsonl --fill defaults.md");
  const auto command = std::make_shared<ReportCommand>();
  report
      ->add_option("RESULTS", command->results,
                   "Files written by 'probmix reproduce ... --out', from any studies and shards")
      ->type_name("FILE")
      ->required();
  add_file(*report, "--out", command->out, "Report page (HTML)");
  add_file(*report, "--tables", command->tables,
           "Also write every table as CSV, Markdown and LaTeX into this directory, and the numbers "
           "of each study as CSV")
      ->type_name("DIR");
  report
      ->add_option("--variants", command->variants,
                   "Results of the same runs with other options, one file each: the report adds "
                   "their paired changes against RESULTS")
      ->type_name("FILE ...");
  report
      ->add_option("--fill", command->pages,
                   "Markdown pages in which to replace the text between <!-- table NAME --> and "
                   "<!-- end --> with the table of that name")
      ->type_name("FILE ...");
  report
      ->add_option("--part", command->part,
                   "With --fill: only the tables marked PART/NAME, for pages made of several "
                   "reports")
      ->type_name("PART");
  report->callback([command] { run(*command); });
}

}  // namespace probmix::app
