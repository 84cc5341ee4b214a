// One self-contained HTML page: no external resource, readable on a phone, on paper and in the
// dark. Sections appear in the order of the calls, and with several headings below a table of
// contents. All text is escaped.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "probmix/report/page/table.hpp"
#include "probmix/report/page/vega.hpp"

namespace probmix::report {

// How many figures stand side by side: on a wide screen usually three or four, two, always four.
// On a phone one, one, two.
enum class FigureGrid { small_multiples, wide, rows_of_four };

class HtmlReport {
 public:
  HtmlReport(std::string title, std::string_view summary);

  void add_heading(std::string_view text);
  void add_subheading(std::string_view text);
  void add_paragraph(std::string_view text);
  void add_table(const Table& table);
  // A grid of charts below an optional shared legend. The legend of one that has all that the
  // others have stands once, above them.
  void add_figures(std::span<const Figure> figures, std::span<const LegendItem> legend = {},
                   FigureGrid grid = FigureGrid::small_multiples);
  // Names and values (configuration, versions); foldable, but open, so that paper shows them.
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
