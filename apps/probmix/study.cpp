#include "study.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdlib>

#include "options.hpp"
#include "probmix/base/atomic_file.hpp"
#include "probmix/base/error.hpp"
#include "probmix/base/printable.hpp"
#include "probmix/data/split.hpp"
#include "probmix/report/study/report.hpp"
#include "probmix/report/study/study_table.hpp"
#include "probmix/sweep/choice.hpp"
#include "probmix/sweep/read_results.hpp"
#include "probmix/sweep/sweep.hpp"
#include "terminal.hpp"

namespace probmix::app {

using report::make_report;
using report::study_table;

namespace {

// Reports what the table does not show: why runs diverged, and runs of another program version.
void tell_oddities(std::span<const RunRecord> records) {
  const auto others = std::ranges::count_if(
      records, [](const RunRecord& r) { return r.version != build_version(); });
  if (others > 0) {
    say(fmt::format("{} from another version of probmix: the arithmetic may differ",
                    counted(others, "run")));
  }
  const auto diverged = std::ranges::find(records, RunStatus::diverged, &RunRecord::status);
  if (diverged != records.end()) {
    say(fmt::format(
        "{} diverged, the first: {}, {}",
        counted(std::ranges::count(records, RunStatus::diverged, &RunRecord::status), "run"),
        diverged->configuration.at("method").get<std::string>(), diverged->message));
  }
}

struct Executed {
  std::vector<RunRecord> records = {};
  std::size_t new_runs = 0;
  double seconds = 0;
};

// Executes the runs that have not been done before.
void execute(const StudyCommand& command, const StudyPlan& plan, std::span<const StudyRun> runs,
             const std::string& label, const Json& tuning, Sweep& sweep, Executed& executed) {
  const std::size_t before = sweep.count_done(runs);
  if (before > 0 && !command.out.empty()) {
    say(fmt::format("{} holds {} of {}", command.out.string(), before,
                    counted(std::ssize(runs), label)));
  }
  ProgressLine progress(plan.name + ", " + label + "s", runs.size(), before);
  executed.records = sweep.run(
      runs,
      {.tuning = tuning, .threads = command.threads, .finished = [&] { progress.finished(); }});
  executed.new_runs += runs.size() - before;
  executed.seconds += progress.elapsed_seconds();
}

// Executes all runs of a plan; if it tunes, first those that choose the settings of each cell.
Executed execute(const StudyCommand& command, const StudyPlan& plan,
                 std::span<const StudyRun> first, Sweep& sweep) {
  Executed executed;
  execute(command, plan, first, plan.tunes() ? "tuning run" : "run", tuning_note(plan), sweep,
          executed);
  if (!plan.tunes()) return executed;
  const StudyLayout& layout = study_layout(plan.name);
  const std::vector<RunRecord> tuning =
      with_other_repeats(executed.records, sweep.in_file(), layout.cell_keys(), layout.repeat);
  const Choice choice = choose_settings(tuning, layout.cell_keys(), layout.repeat);
  if (!choice.remark.empty()) say(choice.remark);
  execute(command, plan, best_runs(plan, choice), "run", {}, sweep, executed);
  return executed;
}

void print_results(const StudyCommand& command, const StudyPlan& plan, const Executed& executed,
                   const Conclusion& conclusion) {
  const StudyLayout& layout = study_layout(plan.name);
  const std::vector<CellSummary> cells = sum_up(layout, executed.records);
  if (command.json) {
    Json all = Json::array();
    for (const CellSummary& cell : cells) {
      all.push_back(to_json(layout, cell));
      if (cell.group.done.empty()) continue;
      Json configuration = cell.group.done.front()->configuration;
      configuration.erase(layout.repeat);
      all.back()["configuration"] = without_infinities(std::move(configuration));
    }
    if (!conclusion.json.is_null()) {
      Json object = {{"results", std::move(all)}};
      object.update(conclusion.json);
      all = std::move(object);
    }
    print(exact_json_text(all, 2) + "\n");
    return;
  }
  const auto new_runs = static_cast<Index>(executed.new_runs);
  const bool has_best = cells.size() > groups_of(cells).size();
  print(fmt::format("{}: mean ± standard error over {}, {}{}\n\n{}\n{} in {:.1f} s on {}{}\n",
                    layout.title, counted(std::ssize(plan.repeats), layout.repeat), layout.units,
                    has_best ? ", * best" : "", text_table(study_table(layout, cells)),
                    counted(new_runs, "run"), executed.seconds,
                    counted(std::clamp<Index>(new_runs, 1, command.threads), "thread"),
                    new_runs > 0 ? "" : ": all were done before"));
  for (const report::Table& table : conclusion.tables) {
    print("\n" + text_table(table));
  }
  if (!conclusion.text.empty()) print("\n" + conclusion.text + "\n");
}

}  // namespace

void add_study_options(CLI::App& app, StudyCommand& command) {
  app.add_option("--methods", command.methods,
                 "Methods to train, separated by commas, or all of the paper; 'probmix methods' "
                 "lists them")
      ->type_name("NAME,...")
      ->capture_default_str();
  add_threads(app, command.threads, "Number of parallel runs; does not change the results");
  add_flag(app, "--json", command.json, "Print a JSON array, one object for each row");
  add_file(
      app, "--out", command.out,
      "Append each finished run to this file (JSON lines), and skip runs that it already holds");
  add_file(app, "--page", command.page, "Also write a report with pictures (HTML)");
  // For 'reproduce all', which checks every study before running the first.
  add_flag(app, "--check-only", command.check_only, "Report what is wrong, if anything, and stop")
      ->group("");
  app.add_option_function<std::string>(
         "--shard",
         [&shard = command.shard](const std::string& text) {
           const std::vector<std::string> parts = split(text, '/');
           check_usage(parts.size() == 2, "--shard must be a part such as 1/4, not '{}'", text);
           shard.number = parse_number<Index>("--shard", parts[0]);
           shard.count = parse_number<Index>("--shard", parts[1]);
         },
         "Run only part I of N, to spread a study over several machines; 'probmix report' combines "
         "their results")
      ->type_name("I/N");
}

void add_preset_options(CLI::App& app, StudyCommand& command,
                        const std::vector<std::string_view>& others) {
  add_grid_options(app, command.grid);
  constexpr std::array never = {"alpha", "beta", "pooling", "method", "arch", "trials"};
  add_fit_options(app, command.fit, [&](const Option& option) {
    // Dropout counts as unused only while it is 0.
    const bool is_of_network = option.group == option_group::networks &&
                               (option.is_used(command.fit) || option.name == "dropout");
    const bool is_open = option.group == option_group::mixing ||
                         option.group == option_group::training || is_of_network;
    const bool is_named =
        std::ranges::count(others, option.name) > 0 || std::ranges::count(others, option.group) > 0;
    return (is_open || is_named) && std::ranges::count(never, option.name) == 0;
  });
}

void add_data_option(CLI::App& app, std::string& directory, const std::string& help) {
  app.add_option_function<std::string>(
         "--data",
         [&directory](const std::string& text) {
           check_usage(!text.empty() && text[0] != '-', "--data needs a directory, not '{}'", text);
           directory = text;
         },
         help)
      ->type_name("DIR")
      ->default_str("the environment variable PROBMIX_DATA");
}

std::filesystem::path data_directory(const std::string& option, std::string_view what_files) {
  const char* const variable = std::getenv("PROBMIX_DATA");
  const bool given = !option.empty();
  std::filesystem::path directory = given ? option : variable != nullptr ? variable : "";
  check(!directory.empty(),
        "where are the data? Give their directory with --data or the environment variable "
        "PROBMIX_DATA; wanted: {}",
        what_files);
  std::error_code ignored;
  check(std::filesystem::is_directory(directory, ignored),
        "'{}' (from {}) is not a directory; wanted: {}", printable(directory.string()),
        given ? "--data" : "PROBMIX_DATA", what_files);
  return directory;
}

void add_ranges(CLI::App& app, const std::string& option, std::vector<Index>& target,
                const std::string& help) {
  app.add_option_function<std::string>(
         option,
         [option, &target](const std::string& text) {
           target.clear();
           for (const std::string& part : split(text, ',')) {
             const std::vector<std::string> ends = split(part, '-');
             const Index first = parse_number<Index>(option, ends.front());
             const Index last = parse_number<Index>(option, ends.back());
             check_usage(ends.size() <= 2 && first <= last && last < 10'000,
                         "{} needs numbers and ranges such as 0-4,7, not '{}'", option, text);
             for (Index n = first; n <= last; ++n) {
               check_usage(std::ranges::find(target, n) == target.end(), "{} {} has {} twice",
                           option, text, n);
               target.push_back(n);
             }
           }
         },
         help)
      ->type_name("N-N,...")
      ->default_str(fmt::format("{}-{}", target.front(), target.back()));
}

std::vector<FitOptions> with_methods(const std::vector<FitOptions>& fits,
                                     const std::vector<const Method*>& methods) {
  std::vector<FitOptions> all;
  for (const FitOptions& fit : fits) {
    for (const Method* const method : methods) {
      all.push_back(fit);
      all.back().method = *method;
    }
  }
  return all;
}

std::vector<Index> run_numbers(Index n, std::string_view what) {
  check_range(what, n, 1, 1'000'000);
  return first_numbers(n);
}

void run_study(const StudyCommand& command, StudyPlan plan, const std::vector<std::string>& notices,
               const Conclude& conclude) {
  if (!command.page.empty()) {
    check_usage(std::filesystem::weakly_canonical(command.page) !=
                    std::filesystem::weakly_canonical(command.out),
                "--page and --out are the same file, {}", command.page.string());
    check_writable(command.page);
  }
  plan.settings = command.grid.settings(command.fit.mix);
  plan.cells = shard_of(plan.cells, command.shard);
  check_usage(!plan.settings.empty(), "--alpha, --beta and --pooling need at least one value each");
  check_usage(!plan.cells.empty(), "shard {}/{} has nothing to do: the study has fewer cells",
              command.shard.number, command.shard.count);
  const std::vector<StudyRun> first = first_runs(plan);
  if (command.check_only && !std::filesystem::exists(command.out)) return;
  Sweep sweep(plan.name, command.out);
  check_extends(plan.name, sweep.in_file(), first);
  if (command.check_only) return;
  for (const std::string& notice : notices) say(notice);
  const Executed executed = execute(command, plan, first, sweep);
  tell_oddities(executed.records);
  const Conclusion conclusion = conclude ? conclude(executed.records) : Conclusion{};
  print_results(command, plan, executed, conclusion);
  if (command.page.empty()) return;
  std::vector<std::string> remarks;
  if (!conclusion.text.empty()) remarks.push_back(conclusion.text);
  const std::vector<StudyRecords> studies{{plan.name, executed.records}};
  write_file_atomically(command.page, make_report(studies, remarks).html);
  say("report: " + command.page.string());
}

}  // namespace probmix::app
