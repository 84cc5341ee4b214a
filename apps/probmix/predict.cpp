// probmix predict.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <thread>

#include "commands.hpp"
#include "options.hpp"
#include "probmix/base/atomic_file.hpp"
#include "probmix/base/error.hpp"
#include "probmix/base/printable.hpp"
#include "probmix/data/csv_write.hpp"
#include "probmix/model/model_predictor.hpp"
#include "probmix/model/model_rows.hpp"
#include "probmix/model/prediction_table.hpp"
#include "table_options.hpp"
#include "terminal.hpp"

namespace probmix::app {

namespace {

struct PredictCommand {
  std::string model, data;
  std::string out = "-";
  PredictionOptions wanted = {};
  RowOptions rows = {};
  std::string outside = {};  // what to do about rows unlike those of training
  CsvFormat format = {};
  Index threads = 1;
};

// A file that appears only once it is complete, or standard output.
class Output {
 public:
  explicit Output(const std::string& path) {
    if (path != "-") file_.emplace(path);
  }
  void write(const std::string& text) {
    if (file_) {
      file_->write(text);
    } else {
      print(text);
    }
  }
  void finish() {
    if (file_) file_->commit();
  }

 private:
  std::optional<AtomicFile> file_;
};

void refuse_outside(const ModelRows& rows, const std::string& file) {
  constexpr double most = 0.5;  // one standard deviation beyond the training range
  for (Index r = 0; r < rows.rows(); ++r) {
    check(
        rows.outside(r) < most,
        "'{}': row {} is unlike all training rows (outside {:.2g} of 1); leave it out, or predict "
        "with --outside flag",
        file, rows.number(r), rows.outside(r));
  }
}

void run(const PredictCommand& command) {
  check_usage(command.model != "-" || command.data != "-",
              "only one of MODEL and DATA can be standard input");
  check_usage(command.outside.empty() || command.outside == "flag" || command.outside == "refuse",
              "--outside accepts flag or refuse, not '{}'", command.outside);
  if (command.out != "-") {
    check_other_file("--out", command.out, {command.model, command.data});
    check_writable(command.out);
  }
  const Model model = load_model(command.model);
  const PredictionTable table(model, command.wanted);
  ModelPredictor predict(model, command.threads);
  const std::unique_ptr<TableRows> data = open_rows(command.data, command.format);
  RowOptions options = command.rows;
  options.block = predict.block_rows();
  ModelRows rows(model, *data, options);
  // A series has fewer predictions than rows, so each names the row at which it is made.
  const bool numbers_rows = model.series.is_series();
  std::vector<std::string> names = options.keep;
  if (numbers_rows) names.insert(names.begin(), "row");
  for (const std::string& name : table.columns()) {
    check_usage(std::ranges::find(names, name) == names.end(),
                "the column {} would appear twice; do not keep it", in_quotes(name));
  }
  names.insert(names.end(), table.columns().begin(), table.columns().end());
  const bool flags_outside = command.outside == "flag";
  const std::string outside_name = "outside";
  if (flags_outside) {
    check_usage(std::ranges::find(names, outside_name) == names.end(),
                "the column {} would appear twice; do not keep it", in_quotes(outside_name));
    names.push_back(outside_name);
  }
  const bool safe = command.wanted.safe_csv;
  std::atomic<bool> has_formulas = std::ranges::any_of(names, is_formula) ||
                                   std::ranges::any_of(model.target.classes, is_formula);
  for (std::string& name : names) name = csv_field(name, safe);
  Output out(command.out);
  out.write(fmt::format("{}\n", fmt::join(names, ",")));
  Index done = 0;
  Index not_finite = 0, first_not_finite = 0;  // how many, and the first row's number
  CountLine progress("rows");
  std::vector<std::string> lines;
  std::vector<char> is_finite;  // of each line; written by several threads
  // Catch Ctrl-C so that no partial file remains; not while reading stdin, where the read would
  // block.
  std::optional<Interrupt> interrupt;
  if (command.out != "-" && command.data != "-") interrupt.emplace();
  const auto is_stopped = [&] { return interrupt && interrupt->asked(); };
  while (!is_stopped() && rows.next()) {
    lines.assign(to_size(rows.rows()), "");
    is_finite.assign(lines.size(), 1);
    if (command.outside == "refuse") refuse_outside(rows, data->file());
    predict.outputs(rows.x());
    predict.for_each(rows.rows(), [&](Index r, const Predictive& density) {
      std::string& line = lines[to_size(r)];
      if (numbers_rows) line += fmt::format("{},", rows.number(r));
      if (!options.keep.empty()) {
        for (const std::string& text : rows.kept(r)) {
          if (is_formula(text)) has_formulas = true;
          line += csv_field(text, safe) + ",";
        }
      }
      std::string fields;
      is_finite[to_size(r)] = table.add(density, done + r, fields) ? 1 : 0;
      if (flags_outside) fields += fmt::format(",{:.3g}", rows.outside(r));
      line += fields + "\n";
    });
    std::string text;
    for (const std::string& line : lines) text += line;
    out.write(text);
    for (Index r = 0; r < rows.rows(); ++r) {
      if (is_finite[to_size(r)] == 0 && ++not_finite == 1) first_not_finite = rows.number(r);
    }
    done += rows.rows();
    progress.set(done);
  }
  if (is_stopped()) {
    throw Interrupted(
        fmt::format("stopped after {}; no file was written", counted(done, "prediction")));
  }
  check(done > 0 || !model.series.is_series(),
        "'{}': no group has the {} consecutive rows that a window needs", data->file(),
        model.series.window);
  check(not_finite == 0,
        "'{}' predicts no finite density for {} of {}, first for row {}; {}train the model again, "
        "with a smaller `learning-rate` or `clip` 1",
        command.model, not_finite, counted(done, "row"), first_not_finite,
        command.out == "-" ? "their fields are empty; " : "no file was written; ");
  out.finish();
  if (!rows.unused().empty() && options.keep.empty()) {
    say(fmt::format("not used: {}", names_in_quotes(rows.unused())));
  }
  tell_oddities(rows.oddities());
  if (has_formulas && !safe) {
    say("some texts begin with =, +, - or @ and are formulas to a spreadsheet; see --safe-csv");
  }
  if (command.out != "-") {
    say(fmt::format("{}: {}", counted(done, "prediction"), command.out));
  }
}

// "10:20:5" or "10,12.5,20".
std::vector<double> parse_grid(const std::string& text) {
  const std::vector<std::string> parts = split(text, ':');
  std::vector<double> grid;
  if (parts.size() == 1) {
    for (const std::string& part : split(text, ',')) {
      grid.push_back(parse_number<double>("--density", part));
    }
    return grid;
  }
  check_usage(parts.size() == 3, "--density needs values, or FROM:TO:COUNT, not '{}'", text);
  const auto from = parse_number<double>("--density", parts[0]);
  const auto to = parse_number<double>("--density", parts[1]);
  const auto count = parse_number<Index>("--density", parts[2]);
  check_range("the COUNT of --density", count, 2, 10'000);
  check_usage(from < to && std::isfinite(to - from),
              "--density {} is not a grid: FROM must be below TO", text);
  for (Index k = 0; k < count; ++k) {
    grid.push_back(from + (to - from) * static_cast<double>(k) / static_cast<double>(count - 1));
  }
  return grid;
}

}  // namespace

void add_predict(CLI::App& app) {
  CLI::App* const predict =
      app.add_subcommand("predict", "Predictive densities for the rows of a CSV file");
  predict->footer(
      "Examples:\n"
      "  probmix predict houses.safetensors new.csv --out predictions.csv\n"
      "  probmix predict houses.safetensors new.csv --keep id --quantiles 0.1,0.9 --samples 5\n"
      "  cat new.csv | probmix predict houses.safetensors - > predictions.csv\n"
      "Columns are found by name; further columns do no harm. Rows are read, predicted and "
      "written\n"
      "a few thousand at a time, so memory does not grow with the file.");
  const auto command = std::make_shared<PredictCommand>();
  add_input_file(*predict, "MODEL", command->model, "Model written by 'probmix train'");
  add_input_file(*predict, "DATA", command->data,
                 "Table: CSV, plain or packed by gzip or zstd; - for standard input");
  predict->add_option("--out", command->out, "Predictions (CSV); - for standard output")
      ->type_name("FILE")
      ->capture_default_str();
  add_list(*predict, "--keep", command->rows.keep,
           "Columns of the table to copy in front of the predictions")
      ->default_str("");
  add_list(*predict, "--quantiles", command->wanted.quantiles,
           "Quantiles of the predictive distribution");
  add_list(*predict, "--intervals", command->wanted.intervals,
           "Probabilities of central intervals, such as 0.9")
      ->default_str("");
  add_flag(
      *predict, "--split-sd", command->wanted.split_deviation,
      "Also the parts of the deviation: what the data leave open, and what networks disagree on");
  predict
      ->add_option_function<std::string>(
          "--density",
          [command](const std::string& text) { command->wanted.grid = parse_grid(text); },
          "Density at these values: a list, or FROM:TO:COUNT")
      ->type_name("X,X,...");
  add_number(*predict, "--samples", command->wanted.samples, "Draws from each density");
  predict
      ->add_option(
          "--outside", command->outside,
          "Rows outside the training rows: a column that says how far, from 0 to 1 (flag), or "
          "an error (refuse)")
      ->type_name("NAME");
  add_flag(*predict, "--fill-columns", command->rows.fills_columns,
           "Treat an input column that the table lacks as missing in every row");
  add_flag(*predict, "--safe-csv", command->wanted.safe_csv,
           "Put an apostrophe before texts that a spreadsheet would run as formulas");
  add_threads(*predict, command->threads, "Number of threads; does not change the result");
  add_format_options(*predict, command->format);
  predict->callback([command] { run(*command); });
}

}  // namespace probmix::app
