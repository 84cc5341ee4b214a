#include "probmix/report/html.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "probmix/report/text.hpp"

namespace probmix {

namespace embedded {
std::string_view page_css();
}

HtmlReport::HtmlReport(std::string title, std::string_view summary) : title_(std::move(title)) {
  header_ = fmt::format("<header>\n<h1>{}</h1>\n<p class=\"summary\">{}</p>\n</header>\n",
                        escape_markup(title_), escape_markup(summary));
}

void HtmlReport::add_heading(int level, std::string_view text) {
  headings_.push_back({level, std::string(text)});
  body_ += fmt::format("<h{0} id=\"part-{1}\">{2}</h{0}>\n", level, headings_.size(),
                       escape_markup(text));
}

void HtmlReport::add_heading(std::string_view text) { add_heading(2, text); }

void HtmlReport::add_subheading(std::string_view text) { add_heading(3, text); }

// Each heading with its subheadings on a line.
std::string HtmlReport::contents() const {
  if (headings_.size() < 2) return "";
  std::string list;
  for (std::size_t k = 0; k < headings_.size(); ++k) {
    if (headings_[k].level == 2) list += list.empty() ? "<li>" : "</li>\n<li>";
    list += fmt::format("<a href=\"#part-{}\">{}</a>\n", k + 1, escape_markup(headings_[k].text));
  }
  return fmt::format("<nav aria-label=\"Contents\">\n<ul>\n{}</li>\n</ul>\n</nav>\n", list);
}

void HtmlReport::add_paragraph(std::string_view text) {
  body_ += fmt::format("<p>{}</p>\n", escape_markup(text));
}

void HtmlReport::add_table(const Table& table) {
  const auto css = [&](std::size_t column) {
    return table.columns[column].align == Align::right ? " class=\"right\"" : "";
  };
  // A wide table scrolls within its own box, which the keyboard must reach too.
  body_ += fmt::format("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\">\n",
                       escape_markup(table.caption.empty() ? "table" : table.caption));
  body_ += "<table>\n";
  if (!table.caption.empty()) {
    body_ += fmt::format("<caption>{}</caption>\n", escape_markup(table.caption));
  }
  body_ += "<thead><tr>";
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    body_ +=
        fmt::format("<th scope=\"col\"{}>{}</th>", css(c), escape_markup(table.columns[c].header));
  }
  body_ += "</tr></thead>\n<tbody>\n";
  for (const auto& row : table.rows) {
    body_ += row.rule_above ? "<tr class=\"rule\">" : "<tr>";
    for (std::size_t c = 0; c < row.cells.size(); ++c) {
      std::string text = escape_markup(row.cells[c].text);
      if (row.cells[c].best) text = "<strong>" + text + "</strong>";
      body_ += c == 0 ? fmt::format("<th scope=\"row\"{}>{}</th>", css(c), text)
                      : fmt::format("<td{}>{}</td>", css(c), text);
    }
    body_ += "</tr>\n";
  }
  body_ += "</tbody>\n</table>\n</div>\n";
}

void HtmlReport::add_figures(std::span<const Figure> figures, std::span<const LegendItem> legend,
                             FigureGrid grid) {
  if (!figures.empty() && !has_charts_) {
    has_charts_ = true;
    body_ +=
        "<noscript><p>The charts of this page are missing: a script in it draws them, and this "
        "browser runs none. The tables are complete.</p></noscript>\n";
  }
  body_ += legend_markup(legend);
  body_ += grid == FigureGrid::wide           ? "<div class=\"figures wide\">\n"
           : grid == FigureGrid::rows_of_four ? "<div class=\"figures four\">\n"
                                              : "<div class=\"figures\">\n";
  for (const auto& figure : figures) body_ += figure_markup(figure);
  body_ += "</div>\n";
}

void HtmlReport::add_details(std::string_view summary,
                             std::span<const std::pair<std::string, std::string>> entries) {
  body_ +=
      fmt::format("<details open=\"\">\n<summary>{}</summary>\n<dl>\n", escape_markup(summary));
  for (const auto& [name, value] : entries) {
    body_ += fmt::format("<dt>{}</dt><dd>{}</dd>\n", escape_markup(name), escape_markup(value));
  }
  body_ += "</dl>\n</details>\n";
}

std::string HtmlReport::html() const {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
      "<title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n<main>\n{}{}{}</main>\n"
      "{}</body>\n</html>\n",
      escape_markup(title_), embedded::page_css(), header_, contents(), body_,
      has_charts_ ? chart_scripts() : "");
}

}  // namespace probmix
