// The tables of a Markdown page, kept up to date by a command. In the page, each on a line of its
// own:
//
//   <!-- table uci-test-nll-paper -->
//   ... anything here is replaced by the table of that name ...
//   <!-- end -->
//
// A page whose tables come from several reports names the report as well: `<!-- table lstm/NAME
// -->` belongs to the part "lstm". Markers in fenced code (```) are text.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "probmix/report/page/table.hpp"

namespace probmix::report {

struct FilledPage {
  std::string text;
  std::size_t tables = 0;  // how many were filled
};

// Replaces the tables of one part ("" for markers without a part); the rest of the page is
// unchanged. Throws a one-line Error with `file` and the line number for a table that is not among
// `tables` (listing them), for markers that do not pair up, and for a page without a marker of this
// part.
FilledPage fill_tables(std::string_view page, std::string_view file,
                       std::span<const NamedTable> tables, std::string_view part = "");

}  // namespace probmix::report
