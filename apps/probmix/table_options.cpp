#include "table_options.hpp"

#include <filesystem>
#include <fstream>
#include <optional>

#include "options.hpp"
#include "probmix/base/error.hpp"
#include "terminal.hpp"

namespace probmix::app {

namespace {

ReadOther& read_other() {
  static ReadOther read;
  return read;
}

// The table in a file of another format that can be read here.
std::optional<Frame> open_other(const std::string& path) {
  std::error_code ignored;
  if (!read_other() || !std::filesystem::is_regular_file(path, ignored)) return {};
  std::string first_bytes(64, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(first_bytes.data(), std::ssize(first_bytes));
  const FileFormat* const format =
      other_format(std::string_view(first_bytes).substr(0, to_size(Index{file.gcount()})));
  if (format == nullptr || !format->has_arrow) return {};
  return read_other()(path, *format);
}

}  // namespace

void set_read_other(ReadOther read) { read_other() = std::move(read); }

std::unique_ptr<TableRows> open_rows(const std::string& path, const CsvFormat& format) {
  if (auto frame = open_other(path)) return std::make_unique<FrameRows>(std::move(*frame));
  return std::make_unique<CsvRows>(open_source(path), format);
}

void add_format_options(CLI::App& app, CsvFormat& format) {
  constexpr auto group = "CSV";
  app.add_option_function<std::string>(
         "--separator",
         [&format](const std::string& text) {
           check_usage(text == "tab" || text == "space" ||
                           (text.size() == 1 && text[0] != '"' && text[0] != '\n'),
                       "--separator must be one character, tab or space, not '{}'", text);
           format.separator = text == "tab" ? '\t' : text == "space" ? ' ' : text[0];
         },
         "Field separator: one character, tab, or space for any run of blanks")
      ->type_name("C")
      ->default_str("auto-detected: , ; | or tab")
      ->group(group);
  add_flag(app, "--decimal-comma", format.decimal_comma, "Numbers are written 2,5 instead of 2.5")
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

void add_sort_option(CLI::App& app, bool& sort) {
  add_flag(app, "--sort", sort, "Sort the rows by --time")
      ->group(std::string(option_group::series));
}

void add_table_options(CLI::App& app, TableSource& source) {
  add_list(app, "--categories", source.categories,
           "Columns to read as categories even if they hold numbers")
      ->group(std::string(option_group::columns));
  add_sort_option(app, source.sort);
  add_format_options(app, source.format);
}

Frame read_table(const TableSource& source, const FitOptions& options) {
  check_usage(!source.sort || !options.series.time.empty(),
              "rows are sorted by time: --sort needs --time");
  CountLine progress("rows read");
  std::optional<Frame> frame = open_other(source.path);
  if (frame) {
    make_categories(*frame, source.categories);
  } else {
    frame = read_frame(source.path, {.format = source.format,
                                     .categories = source.categories,
                                     .progress = [&](Index rows) { progress.set(rows); }});
  }
  if (!source.sort) return std::move(*frame);
  return sorted_by(std::move(*frame), options.series.time, options.series.group);
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
       "where training had none: a number is taken as the mean, a category as no known level",
       oddities.first_missing);
  tell(oddities.unseen, "value", "of categories not seen in training: taken as no known level",
       oddities.first_unseen);
  tell(oddities.extreme, "number",
       "beyond the training range, by a standard deviation (a date: by the length of the training "
       "period) or more: such predictions are guesses",
       oddities.first_extreme);
}

}  // namespace probmix::app
