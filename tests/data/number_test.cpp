#include "probmix/data/number.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <cstdint>
#include <string>

#include "probmix/base/random.hpp"

namespace probmix::test {
namespace {

std::uint64_t bits(double value) { return std::bit_cast<std::uint64_t>(value); }

// The fast path for plain numbers gives the same bits as the general one, for numbers of up to 18
// digits with the point anywhere; those above 15 digits take the general path.
TEST(ReadNumber, AgreesWithFromCharsToTheLastBit) {
  Stream stream(1, Purpose::test);
  for (int k = 0; k < 200'000; ++k) {
    std::string text(stream.below(2), '-');
    const std::uint32_t digits = 1 + stream.below(18);
    const std::uint32_t point = stream.below(digits + 2);  // digits + 1: none
    for (std::uint32_t d = 0; d < digits; ++d) {
      if (d == point) text += '.';
      text += static_cast<char>('0' + stream.below(10));
    }
    if (point == digits) text += '.';
    double value = 0, expected = 0;
    ASSERT_EQ(read_number(text, value), "") << text;
    ASSERT_EQ(std::from_chars(text.data(), text.data() + text.size(), expected).ec, std::errc{});
    ASSERT_EQ(bits(value), bits(expected)) << text;
  }
}

TEST(ReadNumber, OfSpecialForms) {
  const auto number = [](std::string_view text) {
    double value = 77;
    return read_number(text, value).empty() ? value : 77;
  };
  EXPECT_EQ(bits(number("-0")), bits(-0.0));
  EXPECT_EQ(bits(number("0.000")), bits(0.0));
  EXPECT_EQ(number(" \t 5. "), 5);
  EXPECT_EQ(number(".5"), 0.5);
  EXPECT_EQ(number("-.5"), -0.5);
  EXPECT_EQ(number("+3"), 3);
  EXPECT_EQ(number("1e3"), 1000);
  EXPECT_EQ(number("123456789012345"), 123456789012345.0);
  EXPECT_EQ(number("0.1"), 0.1);
  EXPECT_EQ(number("000000000000000000000000000007"), 7);
  for (const char* const text : {"", " ", ".", "-", "-.", "--1", "1.2.3", "1,5", "1 2", "0x10",
                                 "inf", "nan", "1e999", "+-1", "1e", "é"}) {
    EXPECT_EQ(number(text), 77) << text;
  }
}

TEST(FindDecimalComma, OfNumbersOnly) {
  EXPECT_EQ(find_decimal_comma("2,5"), 1U);
  EXPECT_EQ(find_decimal_comma(" -12,5e3 "), 4U);
  EXPECT_EQ(find_decimal_comma(",5"), 0U);
  for (const char* const text :
       {"", ",", "25", "2.5", "1.234,5", "1,234,567", "1,234.5", "a,5", "5,a", "2, 5"}) {
    EXPECT_EQ(find_decimal_comma(text), std::string_view::npos) << text;
  }
}

TEST(Number, IsFiniteOrWhatItIsInsteadIsSaid) {
  const std::vector<std::pair<std::string, double>> good{
      {"1", 1},   {"-2.5", -2.5}, {"+3", 3},      {" 4\t", 4},        {".5", 0.5},
      {"5.", 5},  {"1e3", 1000},  {"1E-2", 0.01}, {"1e308", 1e308},   {"-0", 0},
      {"007", 7}, {"+.5e1", 5},   {"0.1", 0.1},   {"4e-320", 4e-320}, {"52.292500", 52.2925},
  };
  for (const auto& [text, value] : good) {
    double read = 0;
    EXPECT_EQ(read_number(text, read), "") << text;
    EXPECT_EQ(read, value) << text;
  }
  constexpr std::string_view no_number = "is not a number; write numbers as 1234.5";
  constexpr std::string_view size = "is too large or too small";
  constexpr std::string_view finite = "is not a finite number";
  constexpr std::string_view missing = "is not a number: the value is missing";
  const std::vector<std::pair<std::string, std::string_view>> bad{
      {"", missing},         {"  ", missing},   {"abc", no_number},  {"1,5", no_number},
      {"1 2", no_number},    {"1e", no_number}, {"--1", no_number},  {"+-1", no_number},
      {"++1", no_number},    {"+", no_number},  {"0x10", no_number}, {"1.2.3", no_number},
      {"$5", no_number},     {"5%", no_number}, {"\n1", no_number},  {"1e999x", no_number},
      {"1e999", size},       {"-1e999", size},  {"1e-999", size},    {std::string(500, '9'), size},
      {"nan", finite},       {"NaN", finite},   {"+nan", finite},    {"inf", finite},
      {"-Infinity", finite}, {"NA", no_number}, {"null", no_number}, {"١", no_number},
  };
  for (const auto& [text, reason] : bad) {
    double ignored = 0;
    EXPECT_TRUE(read_number(text, ignored).starts_with(reason)) << text;
  }
}

}  // namespace
}  // namespace probmix::test
