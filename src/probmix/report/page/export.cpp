#include "probmix/report/page/export.hpp"

#include <fmt/format.h>

#include <regex>
#include <span>
#include <string_view>
#include <utility>

#include "probmix/data/csv_write.hpp"

namespace probmix::report {

namespace {

using Replacement = std::pair<std::string_view, std::string_view>;

std::string replaced(std::string_view text, std::span<const Replacement> replacements) {
  std::string out;
  for (std::size_t k = 0; k < text.size();) {
    std::size_t used = 0;
    for (const auto& [from, to] : replacements) {
      if (text.substr(k).starts_with(from)) {
        out += to;
        used = from.size();
        break;
      }
    }
    if (used == 0) out += text[k];
    k += used == 0 ? 1 : used;
  }
  return out;
}

std::string markdown_text(const std::string& text) {
  constexpr Replacement special[] = {{"\\", "\\\\"}, {"|", "\\|"},  {"*", "\\*"}, {"_", "\\_"},
                                     {"`", "\\`"},   {"<", "&lt;"}, {"\n", " "}};
  return replaced(text, special);
}

// "1e-32" as "1e−32"; the hyphen in "wine-2" stays.
std::string with_minus_in_exponents(const std::string& text) {
  static const std::regex exponent("([0-9]e)-(?=[0-9])");
  return std::regex_replace(text, exponent, "$1−");
}

std::string latex_text(const std::string& text) {
  constexpr Replacement special[] = {{"\\", "\\textbackslash{}"},
                                     {"&", "\\&"},
                                     {"%", "\\%"},
                                     {"$", "\\$"},
                                     {"#", "\\#"},
                                     {"_", "\\_"},
                                     {"{", "\\{"},
                                     {"}", "\\}"},
                                     {"~", "\\textasciitilde{}"},
                                     {"±", "$\\pm$"},
                                     {"−", "$-$"},
                                     {"–", "--"},
                                     {"α", "$\\alpha$"},
                                     {"β", "$\\beta$"},
                                     {"^", "\\textasciicircum{}"},
                                     {"·", "$\\cdot$"},
                                     {"∞", "$\\infty$"},
                                     {"<", "$<$"},
                                     {">", "$>$"},
                                     {"|", "\\textbar{}"},
                                     {"▴", "$\\blacktriangle$"},
                                     {"▾", "$\\blacktriangledown$"},
                                     {"\n", " "}};
  return replaced(with_minus_in_exponents(text), special);
}

// One line of fields, with the text before, between and after them.
template <class Text>
std::string joined(std::size_t count, std::string_view before, std::string_view between,
                   std::string_view after, const Text& text) {
  std::string line(before);
  for (std::size_t c = 0; c < count; ++c) {
    if (c > 0) line += between;
    line += text(c);
  }
  return line.append(after);
}

}  // namespace

std::string csv_table(const Table& table) {
  const std::size_t count = table.columns.size();
  std::string text = joined(count, "", ",", "\n",
                            [&](std::size_t c) { return csv_field(table.columns[c].header); });
  for (const Table::Row& row : table.rows) {
    text +=
        joined(count, "", ",", "\n", [&](std::size_t c) { return csv_field(row.cells[c].text); });
  }
  return text;
}

std::string markdown_table(const Table& table) {
  const std::size_t count = table.columns.size();
  std::string text =
      table.caption.empty() ? "" : fmt::format("{}\n\n", markdown_text(table.caption));
  text += joined(count, "| ", " | ", " |\n",
                 [&](std::size_t c) { return markdown_text(table.columns[c].header); });
  text += joined(count, "|", "|", "|\n", [&](std::size_t c) {
    return std::string(table.columns[c].align == Align::right ? "---:" : "---");
  });
  for (const Table::Row& row : table.rows) {
    text += joined(count, "| ", " | ", " |\n", [&](std::size_t c) {
      const std::string cell = markdown_text(row.cells[c].text);
      return row.cells[c].best ? fmt::format("**{}**", cell) : cell;
    });
  }
  return text;
}

std::string latex_table(const Table& table) {
  const std::size_t count = table.columns.size();
  std::string text = "% \\usepackage{booktabs,amssymb}\n";
  if (!table.caption.empty()) text += fmt::format("% {}\n", latex_text(table.caption));
  text += joined(count, "\\begin{tabular}{", "", "}\n\\toprule\n", [&](std::size_t c) {
    return std::string(table.columns[c].align == Align::right ? "r" : "l");
  });
  text += joined(count, "", " & ", " \\\\\n\\midrule\n",
                 [&](std::size_t c) { return latex_text(table.columns[c].header); });
  for (const Table::Row& row : table.rows) {
    if (row.rule_above) text += "\\midrule\n";
    text += joined(count, "", " & ", " \\\\\n", [&](std::size_t c) {
      const std::string cell = latex_text(row.cells[c].text);
      return row.cells[c].best ? fmt::format("\\textbf{{{}}}", cell) : cell;
    });
  }
  return text + "\\bottomrule\n\\end{tabular}\n";
}

}  // namespace probmix::report
