#include "probmix/report/export.hpp"

#include <gtest/gtest.h>

namespace probmix::test {
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
            "% 50 \\% of |all|\n"
            "\\begin{tabular}{lr}\n"
            "\\toprule\n"
            "a\\_method & NLL \\\\\n"
            "\\midrule\n"
            "m, \"x\" & \\textbf{$-$1.5 $\\pm$ 0.2} \\\\\n"
            "\\midrule\n"
            "a|b \\& c & 2 \\\\\n"
            "\\bottomrule\n"
            "\\end{tabular}\n");
}

}  // namespace
}  // namespace probmix::test
