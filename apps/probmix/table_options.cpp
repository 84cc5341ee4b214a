#include "table_options.hpp"

#include "options.hpp"
#include "probmix/base/error.hpp"
#include "terminal.hpp"

namespace probmix::app {

void add_format_options(CLI::App& app, CsvFormat& format) {
  constexpr auto group = "CSV";
  app.add_option_function<std::string>(
         "--separator",
         [&format](const std::string& text) {
           check_usage(text == "tab" || (text.size() == 1 && text[0] != '"' && text[0] != '\n'),
                       "--separator must be one character or tab, not '{}'", text);
           format.separator = text == "tab" ? '\t' : text[0];
         },
         "Between fields: one character, or tab")
      ->type_name("C")
      ->default_str("found out: , ; | or tab")
      ->group(group);
  add_flag(app, "--decimal-comma", format.decimal_comma, "Numbers are written 2,5 for 2.5")
      ->group(group);
  CLI::Option* const without = app.add_flag_callback(
                                      "--no-header", [&format] { format.header = false; },
                                      "The first line is data; columns are named c1, c2 and so on")
                                   ->disable_flag_override()
                                   ->group(group);
  app.add_flag_callback(
         "--header", [&format] { format.header = true; }, "The first line names the columns")
      ->disable_flag_override()
      ->group(group)
      ->excludes(without);
}

void add_fit_options(CLI::App& app, FitOptions& options, std::vector<std::string>& categories) {
  constexpr auto group = "Columns";
  add_list(app, "--target", options.targets,
           "What to predict; several for a joint density of reals")
      ->required()
      ->default_str("")
      ->group(group);
  add_list(app, "--inputs", options.inputs,
           "What to predict from; in lists, a name that has a comma stands in double quotes")
      ->default_str("all other columns")
      ->group(group);
  add_list(app, "--categories", categories, "Columns that are categories, though they have numbers")
      ->default_str("")
      ->group(group);
  const auto add_column = [&](const std::string& option, std::string& target,
                              const std::string& help) {
    app.add_option(option, target, help)->type_name("NAME")->group(group);
  };
  add_column("--weights", options.weights, "Weights of the rows");
  add_column("--group", options.series.group,
             "Rows of the same value stay together: all for training or all for validation; of a "
             "series, windows do not reach from one into the next");
  add_column("--time", options.series.time, "Dates or numbers: the latest rows are for validation");
  add_number(app, "--most-levels", options.input_options.most_levels,
             "Levels of a category with an input of their own; the rarer ones share one")
      ->group(group);
  add_number(app, "--embed-categories", options.embed_from,
             "Learn an embedding for categories with at least so many levels; 0: for none")
      ->group(group);
  add_number(app, "--window", options.series.window,
             "Of a series: rows, in the order of the file, that a prediction sees")
      ->group(group);
  add_number(app, "--horizon", options.series.horizon,
             "Of a series: rows from the last of them to the one whose target is predicted")
      ->group(group);
  add_number(app, "--validation", options.validation,
             "Share of the rows that choose the best epoch; 0: none, the last is taken")
      ->group(group);
  add_number(app, "--seed", options.seed, "Determines validation, initial weights and draws");
  add_number(app, "--members", options.members,
             "Draws of a random embedding that make a prediction; 0: its mean alone");
  add_family_options(app, options.family, options.family_options);
  app.get_option("--family")->default_str("the one that fits the target");
  add_setting_options(app, options.mix);
  add_mix_options(app, options.mix);
  add_train_options(app, options.train);
  add_choice(app, "--arch", options.architecture.kind, architecture_names,
             "Network; those for sequences need --window")
      ->group("Networks");
  add_sequence_network_options(app, options.architecture);
  MlpOptions& mlp = options.architecture.mlp;
  app.get_option("--hidden")
      ->default_str(fmt::format("{} for mlp, else {}", fmt::join(mlp.hidden, ","),
                                fmt::join(options.architecture.head.hidden, ",")))
      ->each([&mlp](const std::string& text) {
        mlp.hidden.clear();
        for (const std::string& part : split(text, ',')) {
          if (text != "none") mlp.hidden.push_back(parse_number<Index>("--hidden", part));
        }
      });
  app.get_option("--activation")->each([&mlp](const std::string& text) {
    mlp.activation = static_cast<Activation>(check_choice("activation", text, activation_names));
  });
  add_number(app, "--embedding-layer", mlp.embedding_layer,
             "The hidden layer (1, 2, ...) of an MLP that is the embedding")
      ->group("Networks");
  app.get_option("--learning-rate")->default_str("0.005 for mlp, else 0.0005");
}

void complete_fit_options(const CLI::App& app, FitOptions& options) {
  if (options.architecture.kind != ArchitectureKind::mlp &&
      app.get_option("--learning-rate")->count() == 0) {
    options.train.optimiser.learning_rate = 0.0005;
  }
  // Without a best epoch there is nothing to wait for.
  const bool selects = options.train.select_best && options.validation > 0;
  if (!selects && app.get_option("--patience")->count() == 0) options.train.patience = 0;
}

void tell_unused(const CLI::App& app, const FitOptions& options,
                 const std::vector<const Method*>& methods) {
  Json used;
  for (const Method* const method : methods) {
    FitOptions with_method = options;
    with_method.method = *method;
    used.update(configuration_of(with_method));
  }
  const auto kind = static_cast<std::size_t>(options.architecture.kind);
  const std::string network = fmt::format("--arch {}", architecture_names[kind]);
  for (const std::string& line : unused_options(app, used, methods, network)) say(line);
}

Frame read_table(const std::string& path, const CsvFormat& format,
                 const std::vector<std::string>& categories) {
  CountLine progress("rows read");
  return read_frame(path, {.format = format, .categories = categories, .progress = [&](Index rows) {
                             progress.set(rows);
                           }});
}

CLI::Option* add_input_file(CLI::App& app, const std::string& name, std::string& target,
                            const std::string& help) {
  return app.add_option(name, target, help)->type_name("FILE")->required();
}

void tell_oddities(const InputOddities& oddities) {
  const auto tell = [](Index count, const std::string& noun, const std::string& what,
                       const std::string& first) {
    if (count > 0) say(fmt::format("{} {}; the first: {}", counted(count, noun), what, first));
  };
  tell(oddities.missing, "missing value",
       "where training had none: a number is taken as the mean, a category as none of the known",
       oddities.first_missing);
  tell(oddities.unseen, "value",
       "of categories that training had not seen: taken as none of the known",
       oddities.first_unseen);
  tell(oddities.extreme, "number", "a million deviations from the mean or more: cut there",
       oddities.first_extreme);
}

}  // namespace probmix::app
