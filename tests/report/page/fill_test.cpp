#include "probmix/report/page/fill.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "probmix/base/read_file.hpp"
#include "support/message.hpp"

namespace probmix::report {
namespace {

using test::message_of;

std::vector<NamedTable> tables() {
  Table table;
  table.columns = {{"method"}, {"NLL", Align::right}};
  table.add({"erm", "2.5"});
  Table captioned = table;
  captioned.caption = "Ranks";
  return {{"uci-nll", table}, {"uci-ranks", captioned}};
}

constexpr const char* page =
    "# Results\n"
    "<!-- table uci-nll -->\n"
    "| old |\n"
    "<!-- end -->\n"
    "```\n"
    "<!-- table example -->\n"
    "```\n"
    "text | with | bars\n"
    "<!-- table lstm/uci-ranks -->\n"
    "| other part |\n"
    "<!-- end -->\n"
    "last line without a newline";

TEST(FillTables, ReplacesItsTablesAndNothingElse) {
  const FilledPage filled = fill_tables(page, "p.md", tables());
  EXPECT_EQ(filled.tables, 1U);
  EXPECT_EQ(filled.text,
            "# Results\n"
            "<!-- table uci-nll -->\n"
            "\n"
            "| method | NLL |\n"
            "|---|---:|\n"
            "| erm | 2.5 |\n"
            "\n"
            "<!-- end -->\n"
            "```\n"
            "<!-- table example -->\n"
            "```\n"
            "text | with | bars\n"
            "<!-- table lstm/uci-ranks -->\n"
            "| other part |\n"
            "<!-- end -->\n"
            "last line without a newline");
  // A second time nothing changes.
  EXPECT_EQ(fill_tables(filled.text, "p.md", tables()).text, filled.text);
}

TEST(FillTables, APartHasItsOwnTables) {
  const FilledPage filled = fill_tables(page, "p.md", tables(), "lstm");
  EXPECT_EQ(filled.tables, 1U);
  EXPECT_NE(filled.text.find("| old |"), std::string::npos);
  EXPECT_EQ(filled.text.find("| other part |"), std::string::npos);
  EXPECT_NE(filled.text.find("<!-- table lstm/uci-ranks -->\n\nRanks\n\n| method"),
            std::string::npos);
}

TEST(FillTables, SaysWhatIsWrongInOneLine) {
  const auto fault = [](const char* text, const char* part = "") {
    return message_of<Error>([&] { fill_tables(text, "p.md", tables(), part); });
  };
  EXPECT_EQ(fault("\n<!-- table uci-nil -->\n<!-- end -->\n"),
            "'p.md', line 2: there is no table 'uci-nil'; the report has uci-nll, uci-ranks");
  EXPECT_EQ(fault("<!-- table uci-nll -->\n"), "'p.md', line 1: the table has no <!-- end -->");
  EXPECT_EQ(fault("<!-- table uci-nll -->\n<!-- table uci-ranks -->\n<!-- end -->\n"),
            "'p.md', line 2: the table of line 1 has no <!-- end -->");
  EXPECT_EQ(fault("<!-- end -->\n"), "'p.md', line 1: <!-- end --> without a table");
  EXPECT_EQ(fault("no table\n"), "'p.md' has no line <!-- table NAME --> to fill");
  EXPECT_EQ(fault(page, "transformer"),
            "'p.md' has no line <!-- table transformer/NAME --> to fill");
  EXPECT_EQ(fault(""), "'p.md' has no line <!-- table NAME --> to fill");
}

// The documentation pages: every marker has its end, and every table starts with one.
TEST(FillTables, FindsThePagesOfTheDocumentationInOrder) {
  const std::filesystem::path docs = PROBMIX_DOCS_DIR;
  for (const char* const name :
       {"defaults.md", "results/stocks.md", "results/toy-classification.md",
        "results/toy-regression.md", "results/uci.md"}) {
    const std::string text = read_file(docs / name, std::size_t{1} << 24);
    EXPECT_EQ(message_of<Error>([&] { fill_tables(text, name, tables(), "nothing"); }),
              fmt::format("'{}' has no line <!-- table nothing/NAME --> to fill", name));
    EXPECT_NE(text.find("<!-- table "), std::string::npos) << name;
  }
}

}  // namespace
}  // namespace probmix::report
