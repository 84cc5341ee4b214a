#include "study.hpp"

#include <fmt/format.h>

#include "options.hpp"
#include "probmix/base/error.hpp"
#include "probmix/base/file.hpp"
#include "probmix/data/split.hpp"
#include "probmix/experiment/choice.hpp"
#include "probmix/experiment/read_results.hpp"
#include "probmix/experiment/sweep.hpp"
#include "probmix/report/study/report.hpp"
#include "probmix/report/study/study_table.hpp"
#include "terminal.hpp"

namespace probmix::app {

using report::make_report;
using report::study_table;

namespace {

// What a table does not show: why runs diverged, and runs of another version of the program.
void tell_oddities(std::span<const RunRecord> records) {
  const auto others = std::ranges::count_if(
      records, [](const RunRecord& r) { return r.version != build_version(); });
  if (others > 0) {
    say(fmt::format("{} of another version of probmix: the arithmetic may differ",
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
  std::vector<RunRecord> records = {};  // of the last study
  std::vector<RunRecord> in_file = {};  // all that the file held before
  Index new_runs = 0;
  double seconds = 0;
};

// Executes a study, without the runs that the last one made.
void execute(const StudyCommand& command, const Study& study, const std::string& label,
             Executed& executed) {
  Sweep sweep(study.name(), study.configurations(), command.out, study.tuning());
  executed.in_file = sweep.in_file();
  const std::size_t in_file = sweep.done();
  if (in_file > 0) {
    say(fmt::format("{} holds {} of {}", command.out.string(), in_file,
                    counted(static_cast<Index>(sweep.total()), label)));
  }
  sweep.know(executed.records);
  const std::size_t before = sweep.done();
  ProgressLine progress(study.name() + ", " + label + "s", sweep.total(), before);
  executed.records = sweep.run([&](const Json& run) { return study.execute(run); }, command.threads,
                               [&] { progress.finished(); });
  executed.new_runs += static_cast<Index>(sweep.total() - before);
  executed.seconds += progress.elapsed_seconds();
}

// Executes the best settings of each cell, given the runs for tuning.
void execute_best(const StudyCommand& command, const StudyPlan& plan, Executed& executed) {
  const StudyView& view = study_view(plan.name);
  const std::vector<RunRecord> tuning =
      with_other_repeats(executed.records, executed.in_file, view.cell_keys(), view.repeat);
  const std::string remark = choose_settings(tuning, view.cell_keys(), view.repeat).remark;
  if (!remark.empty()) say(remark);
  execute(command, best_runs(plan, tuning), "run", executed);
}

// Before any run: can those of the study be added to the file?
void check_file(const StudyCommand& command, const Study& study) {
  if (command.out.empty() || !std::filesystem::exists(command.out)) return;
  const Sweep sweep(study.name(), study.configurations(), command.out);
  check_extends(study.name(), sweep.in_file(), study.configurations());
}

void print_results(const StudyCommand& command, const StudyPlan& plan, const Executed& executed,
                   const Conclusion& conclusion) {
  const StudyView& view = study_view(plan.name);
  const std::vector<CellSummary> cells = sum_up(view, executed.records);
  if (command.json) {
    Json all = Json::array();
    for (const CellSummary& cell : cells) {
      all.push_back(to_json(view, cell));
      if (cell.group.done.empty()) continue;
      Json configuration = cell.group.done.front()->configuration;
      configuration.erase(view.repeat);
      all.back()["configuration"] = without_infinities(std::move(configuration));
    }
    if (!conclusion.json.is_null()) {
      Json object = {{"results", std::move(all)}};
      object.update(conclusion.json);
      all = std::move(object);
    }
    print(all.dump(2) + "\n");
    return;
  }
  print(fmt::format("{}: mean ± standard error over {}, {}, * best\n\n{}\n{} in {:.1f} s on {}{}\n",
                    view.title, counted(std::ssize(plan.repeats), view.repeat), view.units,
                    text_table(study_table(view, cells)), counted(executed.new_runs, "run"),
                    executed.seconds,
                    counted(std::clamp<Index>(executed.new_runs, 1, command.threads), "thread"),
                    executed.new_runs > 0 ? "" : ": all were there before"));
  if (!conclusion.text.empty()) print("\n" + conclusion.text + "\n");
}

}  // namespace

void add_study_options(CLI::App& app, StudyCommand& command) {
  app.add_option("--methods", command.methods,
                 "Methods to train, separated by commas, or all; 'probmix methods' lists them")
      ->type_name("NAME,...")
      ->capture_default_str();
  add_number(app, "--threads", command.threads,
             "Runs at the same time; the results do not depend on it");
  add_flag(app, "--json", command.json, "Print a JSON array, one object for each row");
  add_file(app, "--out", command.out,
           "Write each finished run to this file (JSON lines), and go on from what it holds");
  add_file(app, "--page", command.page, "Also write a report with pictures (HTML)");
  // For 'reproduce all', which checks every study before the first.
  add_flag(app, "--check-only", command.check_only, "Say what is wrong, if anything, and stop")
      ->group("");
  app.add_option_function<std::string>(
         "--shard",
         [&shard = command.shard](const std::string& text) {
           const std::vector<std::string> parts = split(text, '/');
           check_usage(parts.size() == 2, "--shard must be a part such as 1/4, not '{}'", text);
           shard.number = parse_number<Index>("--shard", parts[0]);
           shard.count = parse_number<Index>("--shard", parts[1]);
         },
         "Do only the first, second, ... of n parts, to spread a study over machines; 'probmix "
         "report' takes the results of all together")
      ->type_name("I/N");
}

void add_trial_options(CLI::App& app, StudyCommand& command, TrialOptions& trial) {
  add_number(app, "--members", trial.members,
             "Draws of a random embedding that make a prediction; 0: its mean alone");
  add_grid_options(app, command.grid);
  add_mix_options(app, trial.mix);
  add_train_options(app, trial.train);
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
      ->default_str("the environment's PROBMIX_DATA");
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

std::vector<std::string> unused_options(const CLI::App& app, const TrialOptions& trial,
                                        const std::vector<const Method*>& methods,
                                        const std::vector<Architecture>& networks) {
  Json used;
  for (const Method* const method : methods) used.update(configuration_of(trial, *method));
  std::vector<std::string_view> names;
  for (const Architecture& network : networks) {
    Json options = configuration_of(network);
    const bool is_lstm = network.kind == ArchitectureKind::lstm;
    if (is_lstm && network.lstm.layers == 1) options.erase("dropout");  // it is between layers
    used.update(options);
    names.push_back(architecture_names[static_cast<std::size_t>(network.kind)]);
  }
  return unused_options(app, used, methods, fmt::format("--arch {}", fmt::join(names, ",")));
}

std::vector<Index> run_numbers(Index n, std::string_view what) {
  check_range(what, n, 1, 1'000'000);
  return first_numbers(n);
}

void run_study(const StudyCommand& command, StudyPlan plan, const MixOptions& mix,
               const Conclude& conclude, const std::vector<std::string>& notices) {
  check_range("threads", command.threads, 1, 4096);
  if (!command.page.empty()) {
    check_usage(std::filesystem::weakly_canonical(command.page) !=
                    std::filesystem::weakly_canonical(command.out),
                "--page and --out are the same file, {}", command.page.string());
    check_writable(command.page);
  }
  plan.settings = command.grid.settings(mix);
  plan.cells = shard_of(plan.cells, command.shard);
  check_usage(!plan.settings.empty(), "--alpha, --beta and --pooling need at least one value each");
  check_usage(!plan.cells.empty(), "shard {}/{} has nothing to do: the study has fewer cells",
              command.shard.number, command.shard.count);
  const Study first = first_runs(plan);
  check_file(command, first);
  if (command.check_only) return;
  for (const std::string& notice : notices) say(notice);
  Executed executed;
  execute(command, first, plan.tunes() ? "tuning run" : "run", executed);
  if (plan.tunes()) execute_best(command, plan, executed);
  tell_oddities(executed.records);
  const Conclusion conclusion = conclude ? conclude(executed.records) : Conclusion{};
  print_results(command, plan, executed, conclusion);
  if (!command.page.empty()) {
    std::vector<std::string> remarks;
    if (!conclusion.text.empty()) remarks.push_back(conclusion.text);
    const std::vector<StudyRecords> studies{{plan.name, executed.records}};
    write_file_atomically(command.page, make_report(studies, remarks).html);
    say("report: " + command.page.string());
  }
}

}  // namespace probmix::app
