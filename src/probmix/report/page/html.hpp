// One self-contained HTML page without external resources, readable on a phone, on paper and in
// dark mode. Content appears in the order of the calls, below a table of contents if there are
// several headings. All text is escaped.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "probmix/report/page/table.hpp"
#include "probmix/report/page/vega.hpp"

namespace probmix::report {

// Figures side by side: three or four, two, or always four on a wide screen; one, one, or two on a
// phone.
enum class FigureGrid { small_multiples, wide, rows_of_four };

class HtmlReport {
 public:
  HtmlReport(std::string title, std::string_view summary);

  void add_heading(std::string_view text);
  void add_subheading(std::string_view text);
  void add_paragraph(std::string_view text);
  void add_table(const Table& table);
  // A grid of charts below an optional legend. If one figure's own legend covers those of all
  // others, it is shown once, above them.
  void add_figures(std::span<const Figure> figures, std::span<const LegendItem> legend = {},
                   FigureGrid grid = FigureGrid::small_multiples);
  // Names and values (configuration, versions). Foldable, but open, so that they are printed.
  void add_details(std::string_view summary,
                   std::span<const std::pair<std::string, std::string>> entries);

  std::string html() const;

 private:
  struct Heading {
    int level;
    std::string text;
  };
  void add_heading(int level, std::string_view text);
  std::string contents() const;

  std::string title_;
  std::string header_;
  std::vector<Heading> headings_;
  std::string body_;
  bool has_charts_ = false;
};

}  // namespace probmix::report
