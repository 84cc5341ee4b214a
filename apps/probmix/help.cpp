#include "help.hpp"

#include <fmt/format.h>

#include "options.hpp"
#include "probmix/report/page/text.hpp"

namespace probmix::app {

using report::display_width;

namespace {

constexpr int text_column = 28;
constexpr int last_column = 96;

// "  --runs N                  Runs of each method", wrapped at words.
std::string entry(const std::string& left, const std::string& text,
                  const std::string& default_text = "") {
  std::string out = "  " + left;
  int column = display_width(out);
  const auto move_to_text = [&] {
    if (column >= text_column) {
      out += '\n';
      column = 0;
    }
    out.append(static_cast<std::size_t>(text_column - column), ' ');
    column = text_column;
  };
  move_to_text();
  std::vector<std::string> words = split(text, ' ');
  if (!default_text.empty()) words.push_back(fmt::format("[default: {}]", default_text));
  for (const std::string& word : words) {
    const int width = display_width(word);
    if (column > text_column && column + 1 + width > last_column) move_to_text();
    if (column > text_column) {
      out += ' ';
      ++column;
    }
    out += word;
    column += width;
  }
  return out + '\n';
}

std::string entry(const CLI::Option& option) {
  std::vector<std::string> spellings;
  for (const std::string& s : option.get_snames()) spellings.push_back("-" + s);
  for (const std::string& l : option.get_lnames()) spellings.push_back("--" + l);
  std::string names = fmt::format("{}", fmt::join(spellings, ", "));
  const bool flag = option.get_items_expected_max() == 0;
  if (option.get_positional()) {
    names = option.get_name();
  } else if (!flag) {
    names += " " + option.get_type_name();
  }
  return entry(names, option.get_description(), option.get_default_str());
}

}  // namespace

std::string help(const CLI::App* app, std::string name, CLI::AppFormatMode) {
  if (name.empty()) name = app->get_name();
  const auto commands = app->get_subcommands({});
  std::string usage = name + (commands.empty() ? "" : " COMMAND");
  for (const CLI::Option* option :
       app->get_options([](const CLI::Option* o) { return o->get_positional(); })) {
    usage += " " + option->get_name() + (option->get_items_expected_max() > 1 ? "..." : "");
  }
  std::string out = fmt::format("{}\n\nUsage: {} [OPTIONS]\n", app->get_description(), usage);
  if (!commands.empty()) out += "\nCommands:\n";
  for (const CLI::App* command : commands) {
    out += entry(command->get_name(), command->get_description());
  }
  for (const std::string& group : app->get_groups()) {
    if (group.empty()) continue;  // hidden
    out += fmt::format("\n{}:\n", group);
    for (const CLI::Option* option :
         app->get_options([&](const CLI::Option* o) { return o->get_group() == group; })) {
      out += entry(*option);
    }
  }
  return out + "\n" + app->get_footer() + "\n";
}

}  // namespace probmix::app
