// probmix train.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <memory>

#include "commands.hpp"
#include "options.hpp"
#include "probmix/base/error.hpp"
#include "probmix/base/printable.hpp"
#include "probmix/model/checkpoint.hpp"
#include "probmix/model/judge_fit.hpp"
#include "probmix/options/candidates.hpp"
#include "probmix/options/trial.hpp"
#include "probmix/report/page/table.hpp"
#include "table_options.hpp"
#include "terminal.hpp"

namespace probmix::app {

using report::Align;
using report::Table;

namespace {

using Clock = std::chrono::steady_clock;

// Between two looks at the clock, the interrupt and the progress line.
constexpr double seconds_at_a_time = 0.01;

struct TrainCommand {
  TableSource table = {};
  std::filesystem::path out = "model.safetensors";
  FitOptions fit = {};
  Index threads = 1;
  std::filesystem::path checkpoint = {};
  double checkpoint_seconds = 10;
  bool json = false;
};

// How each column of the table is used.
Table column_table(const Frame& frame, const ModelFit& fit) {
  Table table;
  table.columns = {{"column"}, {"kind"}, {"missing", Align::right}, {"use"}};
  const Target& target = fit.target();
  const std::vector<std::string> bounds = Censoring(target.options).columns();
  for (const FrameColumn& column : frame.columns) {
    const auto& inputs = fit.data().inputs.columns();
    const auto input = std::ranges::find(inputs, column.name, &InputColumn::name);
    std::string use = input == inputs.end() ? "" : counted(input->width(), "input");
    if (std::ranges::find(target.names, column.name) != target.names.end()) {
      use = use.empty() ? "target" : "target and " + use;
    }
    if (column.name == fit.options().weights) use = "weights";
    if (std::ranges::find(bounds, column.name) != bounds.end()) use = "bound of the target";
    if (column.name == fit.options().series.group) use = use.empty() ? "group" : "group, " + use;
    if (column.name == fit.options().series.time) use = use.empty() ? "time" : "time, " + use;
    std::string kind(column_kind_names[static_cast<std::size_t>(column.kind)]);
    if (column.kind == ColumnKind::category) {
      kind += fmt::format(", {}", counted(std::ssize(column.levels), "level"));
    }
    table.add({printable(column.name), kind, fmt::format("{}", column.missing),
               use.empty() ? "left out" : use});
  }
  return table;
}

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Trains to the end, or until an interrupt; true if it reached the end.
bool train(const TrainCommand& command, ModelFit& fit, const Interrupt& interrupt,
           Clock::time_point start) {
  std::optional<Checkpoint> checkpoint;
  std::optional<SearchProgress> before;
  if (!command.checkpoint.empty()) {
    checkpoint.emplace(command.checkpoint, fit.identity());
    before = checkpoint->load_search(fit.search_identity());
  }
  SearchProgress progress_before = before.value_or(SearchProgress());
  progress_before.seconds += seconds_since(start);  // the time of reading counts too
  fit.resume(std::move(progress_before));
  // With trials there are more of them, the further it comes.
  Index loaded = 0;
  const auto load = [&] {
    for (; checkpoint && loaded < fit.networks(); ++loaded) {
      if (const auto state = checkpoint->load(loaded)) fit.restore(*state, loaded);
    }
  };
  load();
  if (fit.epochs() > 0) {
    say(fmt::format("continuing after epoch {} from {}", fit.epochs(),
                    command.checkpoint.string()));
  }
  const auto save = [&] {
    // The decisions first: they are made with networks that need not be saved.
    checkpoint->save(fit.search(), fit.search_identity());
    for (const Index network : fit.changed()) checkpoint->save(fit.state(network), network);
    for (const Index network : fit.dropped()) checkpoint->remove(network);
  };
  Clock::time_point saved = Clock::now();
  const Index epochs = *fit.options().train.epochs;
  // A network that stops early counts as if it had run all epochs.
  const auto done = [&] {
    std::size_t sum = 0;
    for (Index k = 0; k < fit.networks(); ++k) {
      sum += fit.done(k) ? to_size(epochs) : fit.progress(k).history.size();
    }
    return sum;
  };
  const double budget = fit.options().budget;
  const auto seconds = [](double exact) { return static_cast<std::size_t>(exact); };
  ProgressLine progress(budget > 0 ? "training, seconds" : "training, epochs",
                        budget > 0 ? seconds(budget) : to_size(fit.needed() * epochs),
                        budget > 0 ? seconds(fit.seconds()) : done());
  while (!fit.done() && !interrupt.asked()) {
    const std::size_t told = fit.diverged().size();
    fit.run(seconds_at_a_time);
    load();
    for (std::size_t k = told; k < fit.diverged().size(); ++k) say(fit.diverged()[k]);
    progress.set(budget > 0 ? seconds(fit.seconds()) : done());
    if (checkpoint && seconds_since(saved) >= command.checkpoint_seconds) {
      save();
      saved = Clock::now();
    }
  }
  if (checkpoint) save();
  return fit.done();
}

// Empty if the model is any good.
std::string verdict(const FitJudgement& judgement) {
  if (!judgement.is_worse_than_marginal()) return "";
  return fmt::format(
      "Do not use this model: it is worse than one density for all rows (NLL {:.4g} against "
      "{:.4g}). Try a smaller --learning-rate, more rows or other inputs.",
      judgement.nll, judgement.marginal_nll);
}

Json summary(const ModelFit& fit, const Model& model, const std::string& warning) {
  std::vector<std::string> remarks;
  if (!warning.empty()) remarks.push_back(warning);
  for (const std::string& remark : fit.data().remarks) {
    remarks.push_back(with_spelling(remark, spelled));
  }
  if (!fit.choice().empty()) remarks.push_back(fit.choice());
  Json json = {{"target", model.target.names},
               {"family", model.target.family},
               {"method", method_of(fit.options()).name},
               {"inputs", model.inputs.width()},
               {"remarks", remarks}};
  json.update(model.training);
  return json;
}

std::string rows_text(const ModelFit& fit) {
  const Split& split = fit.data().splits.front();
  const std::string rows =
      fmt::format("{} for training, {} for validation", counted(std::ssize(split.train), "row"),
                  split.validation.size());
  Index begun = 0;  // all, unless it was interrupted
  for (Index k = 0; k < fit.networks(); ++k) begun += fit.progress(k).history.empty() ? 0 : 1;
  return fit.needed() == 1 ? rows
                           : fmt::format("{}, each with {}", counted(begun, "network"), rows);
}

std::string epochs_text(const ModelFit& fit) {
  if (fit.needed() == 1) {
    return fmt::format("{}, the best {}", counted(fit.epochs(), "epoch"),
                       fit.progress().best_epoch);
  }
  return fmt::format("{} in all", counted(fit.epochs(), "epoch"));
}

// What the held-out rows chose: the family, and the weights of the variants.
std::string choices_text(const ModelFit& fit, const Model& model) {
  std::string text = fit.choice().empty() ? "" : fit.choice() + "\n";
  std::string dropped;
  if (model.training.contains("dropped")) {
    const auto names = model.training["dropped"].get<std::vector<std::string>>();
    dropped = fmt::format("without: {}\n", fmt::join(names, "; "));
  }
  if (!model.training.contains("candidates")) return text + dropped;
  Table table;
  table.columns = {{"variant"}, {"NLL", Align::right}, {"weight", Align::right}};
  Index without = 0;
  for (const Json& candidate : model.training["candidates"]) {
    const bool is_trial = candidate["name"].get<std::string>().starts_with("trial ");
    if (is_trial && candidate["weight"] == 0) {
      ++without;
      continue;
    }
    table.add({candidate["name"].get<std::string>(),
               fmt::format("{:.3f}", candidate["nll"].get<double>()),
               fmt::format("{:.2f}", candidate["weight"].get<double>())});
  }
  if (model.marginal.weight >= 0.005) {
    table.add({"one density for all rows", "", fmt::format("{:.2f}", model.marginal.weight)});
  }
  const std::string others =
      without == 0 ? "" : fmt::format("and {} without weight\n", counted(without, "trial"));
  return text + "\n" + text_table(table) + others + dropped + "\n";
}

// What the training tries: the variants of the preset and, in a search, what trials may be like.
std::vector<FitOptions> tried_options(const FitOptions& fit) {
  constexpr Index rows = 1000, enough_trials = 200;
  std::vector<FitOptions> tried = candidates(fit, rows);
  if (fit.trials == 0 && fit.budget == 0) return tried;
  for (Index k = 0; k < enough_trials; ++k) tried.push_back(trial(fit, rows, k, true));
  return tried;
}

void run(TrainCommand command) {
  command.fit.train.threads = command.threads;
  check_usage(command.checkpoint_seconds >= 0, "--checkpoint-seconds must be at least 0, not {}",
              command.checkpoint_seconds);
  check_other_file("--out", command.out, {command.table.path});
  check_writable(command.out);
  if (!command.checkpoint.empty()) {
    const std::filesystem::path file = command.checkpoint / Checkpoint::file_name;
    check_other_file("--out", command.out, {file.string()});
    make_directory(command.checkpoint);
    check_writable(file);
  }
  const bool is_new = !std::filesystem::exists(command.out);
  const Clock::time_point start = Clock::now();
  const Frame frame = read_table(command.table, command.fit);
  ModelFit fit(frame, command.fit);
  if (!command.json) {
    print(fmt::format("{}: {}, {}\n\n{}\n", frame.file, counted(frame.rows(), "row"),
                      counted(std::ssize(frame.columns), "column"),
                      text_table(column_table(frame, fit))));
    for (const std::string& remark : fit.data().remarks)
      print(with_spelling(remark, spelled) + "\n");
  }
  const Interrupt interrupt;
  const bool is_done = train(command, fit, interrupt, start);
  const Index epochs = fit.epochs();
  if (epochs == 0) throw Interrupted("stopped before the first epoch; nothing was saved");
  Model model = fit.model();
  if (!command.json) print(choices_text(fit, model));
  const FitJudgement judgement = judge_fit(fit, model);
  const bool is_kept =
      is_done || is_new;  // an unfinished training does not replace an existing model
  if (is_kept) save_model(model, command.out);
  const double seconds = seconds_since(start);
  if (command.json) {
    print(exact_json_text(summary(fit, model, verdict(judgement)), 2) + "\n");
  } else {
    const std::string nll =
        model.training.contains("validation-nll")
            ? fmt::format("; validation NLL {:.4g}", model.training["validation-nll"].get<double>())
            : "";
    print(fmt::format("{}: {}; {}{}; {:.1f} s\n", method_of(fit.options()).name, rows_text(fit),
                      epochs_text(fit), nll, seconds));
    if (const std::string warning = verdict(judgement); !warning.empty()) print(warning + "\n");
    if (is_kept) print(fmt::format("model: {}\n", command.out.string()));
  }
  if (is_done) return;
  throw Interrupted(fmt::format(
      "stopped after {}; {} {}; {}",
      fit.needed() == 1 ? fmt::format("epoch {} of {}", epochs, *fit.options().train.epochs)
                        : fmt::format("{} of {} networks", counted(epochs, "epoch"), fit.needed()),
      command.out.string(), is_kept ? "holds the best so far" : "is unchanged",
      command.checkpoint.empty() ? "with --checkpoint DIR training could be resumed"
                                 : "run the same command again to continue"));
}

}  // namespace

void add_train(CLI::App& app) {
  CLI::App* const train = app.add_subcommand("train", "Train a model on a CSV file");
  train->footer(
      "Examples:\n"
      "  probmix train houses.csv --target price --out houses.safetensors\n"
      "  probmix train visits.csv.gz --target visits --family poisson --group patient\n"
      "  probmix train prices.csv --target Close --time Date --window 42 --horizon 21 --arch lstm\n"
      "  probmix train houses.csv --target price --checkpoint run1   # and again after a stop");
  const auto command = std::make_shared<TrainCommand>();
  add_input_file(*train, "DATA", command->table.path,
                 "Table: CSV, plain or packed by gzip or zstd; - for standard input");
  add_file(*train, "--out", command->out, "Model file");
  add_threads(*train, command->threads, "Number of threads; does not change the result");
  add_file(*train, "--checkpoint", command->checkpoint,
           "Save the state of the training here, and resume from it")
      ->type_name("DIR");
  add_number(*train, "--checkpoint-seconds", command->checkpoint_seconds,
             "Seconds between two saves");
  add_duration(*train, "--budget", command->fit.budget,
               "Time for the training: what the preset wants, then trials while there is time");
  add_flag(*train, "--json", command->json, "Print the summary as JSON");
  add_fit_options(*train, command->fit);
  train->get_option("--target")->required();
  add_table_options(*train, command->table);
  train->callback([command, train] {
    command->fit.fixed = given_options(*train);
    for (const std::string& line : unused_options(*train, tried_options(command->fit))) say(line);
    run(*command);
  });
}

}  // namespace probmix::app
