#include "probmix/report/page/text.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace probmix::report {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

TEST(FormatMeanSe, SensibleDigits) {
  EXPECT_EQ(format_mean_se(173.12, 27.31), "173 ± 27");
  EXPECT_EQ(format_mean_se(17.312, 2.731), "17.3 ± 2.7");
  EXPECT_EQ(format_mean_se(-0.661, 0.012), "−0.66 ± 0.01");
  EXPECT_EQ(format_mean_se(1234.4, 88.2), "1234 ± 88");
  EXPECT_EQ(format_mean_se(3.371, 0.21), "3.37 ± 0.21");
  EXPECT_EQ(format_mean_se(0.00123, 0.0001), "0.0012 ± 0.0001");
  EXPECT_EQ(format_mean_se(0, 0), "0.00 ± 0.00");
}

TEST(FormatMeanSe, LargeSpreadAndSmallSpread) {
  EXPECT_EQ(format_mean_se(5.2, 88), "5 ± 88");
  EXPECT_EQ(format_mean_se(0.66, 0.003), "0.660 ± 0.003");
  EXPECT_EQ(format_mean_se(100, 1e-9), "100.000 ± 0.000");
  EXPECT_EQ(format_mean_se(-0.001, 0.5), "0.00 ± 0.50");  // never "−0.00"
  EXPECT_EQ(format_mean_se(-3.1e8, 2e7), "−3.1e+08 ± 2.0e+07");
}

TEST(FormatMeanSe, NotFinite) {
  EXPECT_EQ(format_mean_se(kNan, 1), "diverged");
  EXPECT_EQ(format_mean_se(kInf, kNan), "diverged");
  EXPECT_EQ(format_mean_se(-kInf, 0), "diverged");
  EXPECT_EQ(format_mean_se(2.5, kNan), "2.50");
  EXPECT_EQ(format_mean_se(3e8, kNan), "3.0e+08");
  EXPECT_EQ(format_mean_se(2.5, kInf), "2.50 ± ∞");
}

TEST(FormatDifference, HasASign) {
  EXPECT_EQ(format_difference(0.3125), "+0.312");
  EXPECT_EQ(format_difference(-0.25), "−0.25");
  EXPECT_EQ(format_difference(0), "+0");
  constexpr double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(format_difference(inf), "+∞");
  EXPECT_EQ(format_difference(-inf), "−∞");
}

TEST(FormatMeanDifference, HasTheDigitsOfItsError) {
  EXPECT_EQ(format_mean_difference(0.2084, 0.0371), "+0.208 ± 0.037");
  EXPECT_EQ(format_mean_difference(-1.3613, 0.1471), "−1.36 ± 0.15");
  EXPECT_EQ(format_mean_difference(-259.8, 63.2), "−260 ± 63");
  EXPECT_EQ(format_mean_difference(0, 0), "0.000 ± 0.000");
  EXPECT_EQ(format_mean_difference(0.0014, 0.0002), "+0.001 ± 0.000");
  EXPECT_EQ(format_mean_difference(-0.00003, 0.012), "0.000 ± 0.012");  // never "−0.000"
  EXPECT_EQ(format_mean_difference(-0.5, kNan), "−0.500");
  EXPECT_EQ(format_mean_difference(12.5, kNan), "+12.5");
  EXPECT_EQ(format_mean_difference(3e8, 2e7), "+3e+08 ± 2e+07");
}

TEST(FormatMeanDifference, IsNoFinerThanTheScores) {
  EXPECT_EQ(format_mean_difference(1.29e-5, 1.3e-5, 1.27), "0.000 ± 0.000");
  EXPECT_EQ(format_mean_difference(-1.29e-5, 1.3e-5, 0.34), "0.000 ± 0.000");
  EXPECT_EQ(format_mean_difference(0.0004, 0.0002, 0.027), "+0.0004 ± 0.0002");
  EXPECT_EQ(format_mean_difference(-0.000062, 0.000011, 0.00031), "−0.000062 ± 0.000011");
  EXPECT_EQ(format_mean_difference(-0.000062, 0.000011, 0), "0.000 ± 0.000");
}

TEST(FormatP, HasNoExponent) {
  EXPECT_EQ(format_p(1), "p 1");
  EXPECT_EQ(format_p(0.00123), "p 0.0012");
  EXPECT_EQ(format_p(1e-4), "p 0.0001");
  EXPECT_EQ(format_p(1.9e-6), "p < 0.0001");
}

TEST(DisplayWidth, CountsCells) {
  EXPECT_EQ(display_width(""), 0);
  EXPECT_EQ(display_width("µ ± λ"), 5);
  EXPECT_EQ(display_width("e\u0301"), 1);  // a combining accent
  EXPECT_EQ(display_width("密度"), 4);
  EXPECT_EQ(display_width("a\xFF\xCE"), 3);  // malformed bytes show as one replacement each
}

TEST(EscapeMarkup, Text) {
  EXPECT_EQ(escape_markup("<script>alert(\"x\" & 'y')</script>"),
            "&lt;script&gt;alert(&quot;x&quot; &amp; &#39;y&#39;)&lt;/script&gt;");
  EXPECT_EQ(escape_markup("λ ± µ 密"), "λ ± µ 密");
  EXPECT_EQ(escape_markup(std::string("a\0b\x1b", 4)), "a\uFFFDb\uFFFD");
  EXPECT_EQ(escape_markup("\xC0\xBC"), "\uFFFD\uFFFD");            // overlong '<' in two
  EXPECT_EQ(escape_markup("\xE0\x80\xBC"), "\uFFFD\uFFFD\uFFFD");  // and three bytes
  EXPECT_EQ(escape_markup("\xE2\x82"), "\uFFFD\uFFFD");            // cut off
  EXPECT_EQ(escape_markup("\xED\xA0\x80"), "\uFFFD\uFFFD\uFFFD");  // a surrogate
}

TEST(DayText, IsAnIsoDate) {
  EXPECT_EQ(day_text(0), "1970-01-01");
  EXPECT_EQ(day_text(-0.5), "1969-12-31");  // during the day before
  EXPECT_EQ(day_text(18321), "2020-02-29");
  EXPECT_EQ(day_text(18321.99), "2020-02-29");
  EXPECT_EQ(day_text(2932896), "9999-12-31");
  EXPECT_EQ(day_text(-719162), "0001-01-01");
  EXPECT_EQ(day_text(2932897), "2.9329e+06");
}

}  // namespace
}  // namespace probmix::report
