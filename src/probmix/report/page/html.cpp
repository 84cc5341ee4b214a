#include "probmix/report/page/html.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "probmix/report/page/text.hpp"

namespace probmix::embedded {
std::string_view page_css();
}

namespace probmix::report {

namespace {

// Characters across a printed page, at the size that page.css gives to tables.
constexpr int sheet_width = 120;

std::string cell_markup(const Cell& cell) {
  const std::size_t remark = remark_in(cell.text);
  std::string text = escape_markup(std::string_view(cell.text).substr(0, remark));
  if (remark != std::string::npos) {
    text +=
        fmt::format("<span>{}</span>", escape_markup(std::string_view(cell.text).substr(remark)));
  }
  return cell.best ? fmt::format("<strong>{}</strong>", text) : text;
}

std::string table_markup(const Table& table, std::span<const std::size_t> columns,
                         std::string_view caption) {
  const auto css = [&](std::size_t column) {
    return table.columns[column].align == Align::right ? " class=\"right\"" : "";
  };
  constexpr std::size_t most_together = 30;  // rows that fit on a printed page
  std::string out = table.rows.size() > most_together ? "<table class=\"long\">\n" : "<table>\n";
  if (!caption.empty()) out += fmt::format("<caption>{}</caption>\n", escape_markup(caption));
  out += "<thead><tr>";
  for (const std::size_t c : columns) {
    out +=
        fmt::format("<th scope=\"col\"{}>{}</th>", css(c), escape_markup(table.columns[c].header));
  }
  out += "</tr></thead>\n<tbody>\n";
  for (const auto& row : table.rows) {
    out += row.rule_above ? "<tr class=\"rule\">" : "<tr>";
    for (const std::size_t c : columns) {
      const std::string text = cell_markup(row.cells[c]);
      out += c == 0 ? fmt::format("<th scope=\"row\"{}>{}</th>", css(c), text)
                    : fmt::format("<td{}>{}</td>", css(c), text);
    }
    out += "</tr>\n";
  }
  return out + "</tbody>\n</table>\n";
}

// The legend that covers those of all figures; empty if none does or a figure has no legend.
std::span<const LegendItem> shared_legend(std::span<const Figure> figures) {
  if (figures.size() < 2) return {};
  const auto length = [](const Figure& figure) { return figure.legend.size(); };
  const std::span<const LegendItem> longest = std::ranges::max_element(figures, {}, length)->legend;
  const bool shared = std::ranges::all_of(figures, [&](const Figure& figure) {
    return !figure.legend.empty() &&
           std::ranges::all_of(figure.legend, [&](const LegendItem& item) {
             return std::ranges::find(longest, item) != longest.end();
           });
  });
  return shared ? longest : std::span<const LegendItem>();
}

}  // namespace

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

// One line per heading, with its subheadings.
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
  const auto parts = columns_in_parts(table, sheet_width);
  const bool split = parts.size() > 1;
  std::vector<std::size_t> all_columns(table.columns.size());
  std::iota(all_columns.begin(), all_columns.end(), std::size_t{0});
  // A wide table scrolls within its own box, which the keyboard must reach too.
  body_ += fmt::format(
      "<div class=\"scroll{}\" tabindex=\"0\" role=\"region\" aria-label=\"{}\">\n",
      split ? " screen" : "", escape_markup(table.caption.empty() ? "table" : table.caption));
  body_ += table_markup(table, all_columns, table.caption) + "</div>\n";
  if (!split) return;
  for (const auto& part : parts) {
    const bool first = &part == &parts.front();
    body_ += "<div class=\"paper\">\n" +
             table_markup(table, part, first ? table.caption : "(continued)") + "</div>\n";
  }
}

void HtmlReport::add_figures(std::span<const Figure> figures, std::span<const LegendItem> legend,
                             FigureGrid grid) {
  if (!figures.empty() && !has_charts_) {
    has_charts_ = true;
    body_ +=
        "<noscript><p>The charts on this page are drawn by a script, which this browser does not "
        "run. The tables are complete.</p></noscript>\n";
  }
  body_ += legend_markup(legend);
  const std::span<const LegendItem> shared = shared_legend(figures);
  body_ += legend_markup(shared);
  body_ += grid == FigureGrid::wide           ? "<div class=\"figures wide\">\n"
           : grid == FigureGrid::rows_of_four ? "<div class=\"figures four\">\n"
                                              : "<div class=\"figures\">\n";
  for (const Figure& figure : figures) {
    body_ += figure_markup(figure, shared.empty());
  }
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

// Nothing is fetched and nothing leaves the page. Vega compiles its expressions (unsafe-eval).
constexpr std::string_view content_security_policy =
    "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; "
    "img-src data: blob:; base-uri 'none'; form-action 'none'";

std::string HtmlReport::html() const {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\"/>\n"
      "<title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n<main>\n{}{}{}</main>\n"
      "{}</body>\n</html>\n",
      content_security_policy, escape_markup(title_), embedded::page_css(), header_, contents(),
      body_, has_charts_ ? chart_scripts() : "");
}

}  // namespace probmix::report
