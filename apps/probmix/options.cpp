#include "options.hpp"

#include <algorithm>
#include <optional>

namespace probmix::app {

std::vector<std::string> split(std::string_view text, char delimiter) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t end = text.find(delimiter);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

namespace {

// As split, but a name that begins with a quote goes to the next one, commas included; a quote in
// it is written twice, as in a CSV file. Nothing if it does not end there.
std::optional<std::vector<std::string>> split_names(std::string_view text) {
  std::vector<std::string> names;
  for (;;) {
    const std::size_t first = std::min(text.find_first_not_of(' '), text.size());
    std::string name;
    if (first < text.size() && text[first] == '"') {
      text.remove_prefix(first + 1);
      for (;;) {
        const std::size_t quote = text.find('"');
        if (quote == text.npos) return {};
        name += text.substr(0, quote);
        text.remove_prefix(quote + 1);
        if (!text.starts_with('"')) break;
        name += '"';
        text.remove_prefix(1);
      }
      text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    } else {
      name = text.substr(0, text.find(','));
      text.remove_prefix(name.size());
    }
    names.push_back(std::move(name));
    if (text.empty()) return names;
    if (text.front() != ',') return {};
    text.remove_prefix(1);
  }
}

}  // namespace

CLI::Option* add_flag(CLI::App& app, const std::string& option, bool& target,
                      const std::string& help, bool value) {
  return app
      .add_flag_callback(
          option, [&target, value] { target = value; }, help)
      ->disable_flag_override();
}

CLI::Option* add_file(CLI::App& app, const std::string& option, std::filesystem::path& target,
                      const std::string& help) {
  return app
      .add_option_function<std::string>(
          option,
          [option, &target](const std::string& text) {
            // CLI11 takes the next argument, even if it is an option.
            check_usage(!text.empty() && text[0] != '-', "{} needs a file, not '{}'", option, text);
            target = text;
          },
          help)
      ->type_name("FILE")
      ->default_str(target.string());
}

CLI::Option* add_list(CLI::App& app, const std::string& option, std::vector<std::string>& target,
                      const std::string& help, std::string_view all) {
  return app
      .add_option_function<std::string>(
          option,
          [option, &target, all = std::string(all)](const std::string& text) {
            target.clear();
            if (!all.empty() && text == all) return;
            const auto names = split_names(text);
            const auto is_new = [&](const std::string& name) {
              return !name.empty() && std::ranges::count(*names, name) == 1;
            };
            check_usage(names && std::ranges::all_of(*names, is_new),
                        "{} needs names separated by commas, each once, not '{}'; put a name that "
                        "has a comma in double quotes",
                        option, text);
            target = *names;
          },
          help)
      ->type_name("NAME,...")
      ->default_str(fmt::format("{}", fmt::join(target, ",")));
}

namespace {

constexpr auto mixing = "Mixing";
constexpr auto alpha_help = "α > 0 of λ ~ Beta(α, α); 1e-32: λ is 0 or 1, inf: λ is ½";
constexpr auto beta_help = "β ≥ 0, the width of the response kernel";

}  // namespace

void add_setting_options(CLI::App& app, MixOptions& options) {
  add_number(app, "--alpha", options.alpha, alpha_help)->group(mixing);
  add_number(app, "--beta", options.beta, beta_help)->group(mixing);
  add_choice(app, "--pooling", options.pooling, pooling_names, "How densities are fused")
      ->group(mixing);
}

void add_grid_options(CLI::App& app, Grid& grid) {
  add_list(app, "--alpha", grid.alpha, alpha_help)->group(mixing);
  add_list(app, "--beta", grid.beta, beta_help)->group(mixing);
  const auto name = [](Pooling pooling) {
    return pooling_names[static_cast<std::size_t>(pooling)];
  };
  std::vector<std::string_view> names;
  for (const Pooling pooling : grid.pooling) names.push_back(name(pooling));
  app.add_option_function<std::string>(
         "--pooling",
         [&grid](const std::string& text) {
           grid.pooling.clear();
           for (const std::string& part : split(text, ',')) {
             const auto pooling =
                 static_cast<Pooling>(check_choice("pooling", part, pooling_names));
             check_usage(std::ranges::find(grid.pooling, pooling) == grid.pooling.end(),
                         "--pooling {} names one twice", text);
             grid.pooling.push_back(pooling);
           }
         },
         fmt::format("How densities are fused: {}", fmt::join(pooling_names, ", ")))
      ->type_name("NAME,...")
      ->default_str(fmt::format("{}", fmt::join(names, ",")))
      ->group(mixing);
}

void add_mix_options(CLI::App& app, MixOptions& options) {
  constexpr auto group = mixing;
  add_choice(app, "--target-pooling", options.target_pooling, pooling_names,
             "How targets are fused", "as --pooling, but soft labels for classes with β = 0")
      ->group(group);
  add_choice(app, "--expectation", options.expectation, expectation_names,
             "Expectation over the fused target", "exact for classes, else sampled")
      ->group(group);
  add_number(app, "--draws", options.draws, "K draws of (λ, target, embedding) for a pair")
      ->group(group);
  add_choice(app, "--criterion", options.criterion, criterion_names,
             "Over the K draws, the mean of log-likelihoods or the log of the mean likelihood")
      ->group(group);
  add_choice(app, "--lambda-per", options.lambda_per, lambda_per_names, "One λ for each")
      ->group(group);
  add_choice(app, "--pairing", options.pairing, pairing_names,
             "How the global methods draw partners")
      ->group(group);
  add_number(app, "--neighbours", options.neighbours,
             "Nearest neighbours among which the local methods draw partners")
      ->group(group);
  add_flag(app, "--propagate-mean", options.propagate_mean,
           "Train with the mean of a random embedding instead of a draw")
      ->group(group);
}

void add_train_options(CLI::App& app, TrainOptions& options) {
  constexpr auto group = "Training";
  add_number(app, "--epochs", options.epochs, "Passes over the training rows")->group(group);
  add_number(app, "--batch", options.batch, "Rows of a mini-batch; 0: all rows")->group(group);
  add_choice(app, "--optimiser", options.optimiser.kind, optimiser_names, "Update rule")
      ->group(group);
  add_number(app, "--learning-rate", options.optimiser.learning_rate, "Step size of the optimiser")
      ->group(group);
  add_number(app, "--clip", options.optimiser.clip, "Largest norm of a gradient; 0: any")
      ->group(group);
  add_number(app, "--patience", options.patience,
             "Stop after so many epochs without a better validation NLL; 0: never")
      ->group(group);
  add_flag(app, "--last", options.select_best,
           "Keep the last parameters, not those with the best validation NLL", false)
      ->group(group);
}

void add_network_options(CLI::App& app, MlpOptions& options) {
  constexpr auto group = "Network";
  add_list(app, "--hidden", options.hidden, "Widths of the hidden layers, separated by commas")
      ->group(group);
  add_number(app, "--embedding-layer", options.embedding_layer,
             "The hidden layer (1, 2, ...) that is the embedding")
      ->group(group);
  add_choice(app, "--activation", options.activation, activation_names,
             "Activation of the hidden layers")
      ->group(group);
}

void add_sequence_network_options(CLI::App& app, Architecture& options) {
  constexpr auto group = "Networks";
  const auto add_to_both = [&]<class Number>(const std::string& option, Number& lstm,
                                             Number& transformer, const std::string& help) {
    Number* const other = &transformer;
    add_number(app, option, lstm, help)
        ->group(group)
        ->each([option, other](const std::string& text) {
          *other = parse_number<Number>(option, text);
        });
  };
  add_to_both("--units", options.lstm.hidden, options.transformer.width,
              "Hidden units of the LSTM, width of the transformer");
  add_number(app, "--lstm-layers", options.lstm.layers, "Layers of the LSTM")->group(group);
  add_number(app, "--forget-bias", options.lstm.forget_bias,
             "Added to the initial bias of the LSTM's forget gates")
      ->group(group);
  TransformerOptions& transformer = options.transformer;
  add_number(app, "--heads", transformer.heads, "Attention heads of the transformer")->group(group);
  add_number(app, "--encoder-layers", transformer.encoder_layers, "Of the transformer")
      ->group(group);
  add_number(app, "--decoder-layers", transformer.decoder_layers,
             "Of the transformer; 0: an encoder alone")
      ->group(group);
  add_number(app, "--feedforward", transformer.feedforward,
             "Width of the transformer's feed-forward layers")
      ->group(group);
  add_to_both("--dropout", options.lstm.dropout, options.transformer.dropout,
              "In the transformer, and between the layers of an LSTM");
  add_number(app, "--embedding", options.head.embedding, "Width of the embedding")->group(group);
  add_list(app, "--hidden", options.head.hidden,
           "Widths of the layers between embedding and outputs, or none")
      ->group(group);
  add_choice(app, "--activation", options.head.activation, activation_names, "Of those layers")
      ->group(group);
}

void add_series_options(CLI::App& app, SeriesOptions& options) {
  constexpr auto group = "Series";
  app.add_option("--date-column", options.date_column, "Column of the dates")
      ->type_name("NAME")
      ->capture_default_str()
      ->group(group);
  add_flag(app, "--sort", options.sort, "Put rows in the order of their dates")->group(group);
  add_number(app, "--max-gap-days", options.max_gap_days,
             "Longest time between two rows; 0: a few times what is usual in the series")
      ->group(group);
  add_flag(app, "--allow-gaps", options.allow_gaps, "Take any time between two rows")->group(group);
}

void add_window_options(CLI::App& app, WindowOptions& windows, WindowSplitOptions& split) {
  constexpr auto group = "Windows";
  add_number(app, "--window", windows.window, "Rows that a forecast sees")->group(group);
  add_number(app, "--horizon", windows.horizon, "Rows from the last of them to the target")
      ->group(group);
  add_list(app, "--features", windows.features, "Columns that a forecast sees, or all", "all")
      ->group(group);
  app.add_option("--target", windows.target, "Column to forecast")
      ->type_name("NAME")
      ->capture_default_str()
      ->group(group);
  add_number(app, "--test", split.test, "Share of the rows, the last, that are the test period")
      ->group(group);
  add_number(app, "--validation", split.validation, "Share of the windows before the test period")
      ->group(group);
  add_choice(app, "--validation-windows", split.validation_rows, window_validation_names,
             "Which windows before the test period are for validation")
      ->group(group);
  add_choice(app, "--straddling", split.straddling, straddling_names,
             "Test windows that begin before the test period")
      ->group(group);
}

void add_family_options(CLI::App& app, std::string& name, FamilyOptions& options) {
  constexpr auto group = "Responses";
  app.add_option_function<std::string>(
         "--family",
         [&name](const std::string& text) {
           name = family_names()[check_choice("family", text, family_names())];
         },
         fmt::format("Family of their density: {}", fmt::join(family_names(), ", ")))
      ->type_name("NAME")
      ->default_str(name)
      ->group(group);
  add_variance_options(app, options);
}

void add_variance_options(CLI::App& app, FamilyOptions& options) {
  constexpr auto group = "Responses";
  add_flag(app, "--homoscedastic", options.homoscedastic, "One learned variance for all x")
      ->group(group);
  add_choice(
      app, "--variance-link", options.positive.kind, Positive::kind_names,
      "From an output of the network to what is positive: a variance; of gamma mean and shape, "
      "of beta the precision")
      ->group(group);
  add_number(app, "--variance-floor", options.positive.floor, "Smallest variance, at least 1e-12")
      ->group(group);
}

std::vector<std::string> unused_options(const CLI::App& app, const Json& used,
                                        const std::vector<const Method*>& methods,
                                        const std::string& networks) {
  std::vector<std::string> lines;
  std::vector<std::string_view> names;
  for (const Method* const method : methods) names.push_back(method->name);
  for (const CLI::Option* const option : app.get_options()) {
    if (option->count() == 0 || option->get_lnames().empty()) continue;
    const std::string& name = option->get_lnames().front();
    const bool is_of_network = option->get_group() == "Networks";
    const bool is_of_method = option->get_group() == mixing || name == "members";
    if (!(is_of_network || is_of_method) || used.contains(name)) continue;
    lines.push_back(fmt::format(
        "--{} has no effect with {}", name,
        is_of_method
            ? fmt::format("{} {}", names.size() == 1 ? "method" : "methods", fmt::join(names, ", "))
            : networks));
  }
  return lines;
}

std::vector<const Method*> parse_methods(const std::string& names) {
  std::vector<std::string_view> accepted{"all"};
  accepted.insert(accepted.end(), method_names.begin(), method_names.end());
  std::vector<const Method*> found;
  const auto add = [&](const Method& method) {
    check_usage(std::ranges::find(found, &method) == found.end(),
                "method '{}' is given twice in --methods {}", method.name, names);
    found.push_back(&method);
  };
  for (const std::string& name : split(names, ',')) {
    const std::size_t position = check_choice("method", name, accepted);
    if (position > 0) {
      add(methods[position - 1]);
    } else {
      for (const Method& method : methods) add(method);
    }
  }
  return found;
}

}  // namespace probmix::app
