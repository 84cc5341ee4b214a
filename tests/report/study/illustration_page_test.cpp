#include "probmix/report/study/illustration_page.hpp"

#include <gtest/gtest.h>

#include "report/page/markup_check.hpp"

namespace probmix::report {
namespace {

TEST(IllustrationPage, ShowsTheDensitiesAndTheirNlls) {
  const Illustration example = illustrate();
  const std::string page = illustration_page(example);
  EXPECT_EQ(markup_error(page), "");
  // The paper's figures: N(27, 30.25) with an NLL of 49.05, N(75, 182.25) with 3.59.
  const Table table = illustration_table(example);
  ASSERT_EQ(table.rows.size(), 5U);
  EXPECT_EQ(table.rows[2].cells[0].text, "mix");
  EXPECT_EQ(table.rows[2].cells[4].text, "49.05");
  EXPECT_EQ(table.rows[3].cells[0].text, "probmix");
  EXPECT_EQ(table.rows[3].cells[4].text, "3.59");
  for (const char* const text : {"mix, NLL 49.1", "probmix, NLL 3.6", "target 80",
                                 "Mix asks the model for y = 80 at x = 3"}) {
    EXPECT_TRUE(contains(page, text)) << text;
  }
}

TEST(IllustrationPage, AtTheEndsTheDensitiesAreThoseObserved) {
  for (const double lambda : {0.0, 1.0}) {
    EXPECT_EQ(markup_error(illustration_page(illustrate(lambda))), "") << lambda;
  }
}

}  // namespace
}  // namespace probmix::report
