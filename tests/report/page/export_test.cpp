#include "probmix/report/page/export.hpp"

#include <gtest/gtest.h>

namespace probmix::report {
namespace {

Table sample() {
  Table table;
  table.caption = "50 % of |all|";
  table.columns = {{"a_method", Align::left}, {"NLL", Align::right}};
  table.add({"m, \"x\"", "−1.5 ± 0.2"});
  table.add_rule();
  table.add({"a|b & c", "2"});
  table.mark_best(1, std::vector<double>{-1.5, 2});
  return table;
}

TEST(Export, Csv) {
  EXPECT_EQ(csv_table(sample()),
            "a_method,NLL\n"
            "\"m, \"\"x\"\"\",−1.5 ± 0.2\n"
            "a|b & c,2\n");
}

TEST(Export, Markdown) {
  EXPECT_EQ(markdown_table(sample()),
            "50 % of \\|all\\|\n\n"
            "| a\\_method | NLL |\n"
            "|---|---:|\n"
            "| m, \"x\" | **−1.5 ± 0.2** |\n"
            "| a\\|b & c | 2 |\n");
}

TEST(Export, Latex) {
  EXPECT_EQ(latex_table(sample()),
            "% \\usepackage{booktabs,amssymb}\n"
            "% 50 \\% of \\textbar{}all\\textbar{}\n"
            "\\begin{tabular}{lr}\n"
            "\\toprule\n"
            "a\\_method & NLL \\\\\n"
            "\\midrule\n"
            "m, \"x\" & \\textbf{$-$1.5 $\\pm$ 0.2} \\\\\n"
            "\\midrule\n"
            "a\\textbar{}b \\& c & 2 \\\\\n"
            "\\bottomrule\n"
            "\\end{tabular}\n");
}

TEST(Export, LatexHasNoSignsOfOtherFonts) {
  const auto cell = [](const char* text) {
    Table table;
    table.columns = {{"x"}};
    table.add({text});
    const std::string latex = latex_table(table);
    const std::size_t from = latex.find("\\midrule\n") + 9;
    return latex.substr(from, latex.find(" \\\\", from) - from);
  };
  EXPECT_EQ(cell("·"), "$\\cdot$");
  EXPECT_EQ(cell("−0.3 (p < 0.0001)"), "$-$0.3 (p $<$ 0.0001)");
  EXPECT_EQ(cell("+∞"), "+$\\infty$");
  EXPECT_EQ(cell("3.1e-05"), "3.1e$-$05");
  EXPECT_EQ(cell("wine-2 loc-mix"), "wine-2 loc-mix");
}

}  // namespace
}  // namespace probmix::report
