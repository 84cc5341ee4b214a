#include "probmix/base/printable.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace probmix {
namespace {

TEST(Printable, IsOneLineOfValidText) {
  EXPECT_EQ(printable("Höhe, 3 €"), "Höhe, 3 €");
  EXPECT_EQ(printable("a\nb\r\t"), "a\\nb\\r\\t");
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(printable("\x1b[31m\xff"), "\\x1b[31m\\xff");
  EXPECT_EQ(printable(""), "");
}

TEST(Printable, WhatReordersOrHidesTextIsShown) {
  // NOLINTBEGIN(misc-misleading-bidirectional)
  EXPECT_EQ(visible("a\u202Eb\u009B31m\u2066\uFEFF\u061C"),
            "a\\u{202e}b\\u{9b}31m\\u{2066}\\u{feff}\\u{61c}");
  EXPECT_EQ(visible("Höhe 3 € 日本 \xff\xe2\x80"), "Höhe 3 € 日本 \xff\xe2\x80");
  EXPECT_EQ(printable("a\u202Eb").find("\u202E"), std::string::npos);
  // NOLINTEND(misc-misleading-bidirectional)
}

TEST(Printable, QuotesAndCuts) {
  EXPECT_EQ(in_quotes("x"), "'x'");
  EXPECT_EQ(in_quotes(std::string(80, 'x')), "'" + std::string(80, 'x') + "'");
  EXPECT_EQ(in_quotes(std::string(81, 'x')), "'" + std::string(80, 'x') + "...'");
}

TEST(Printable, ListsTheFirstNames) {
  EXPECT_EQ(names_in_quotes(std::vector<std::string>{"a", "b\n"}), "'a', 'b\\n'");
  const std::string list = names_in_quotes(std::vector<std::string>(23, "c"));
  EXPECT_TRUE(list.ends_with("'c', 'c' and 3 more")) << list;
}

}  // namespace
}  // namespace probmix
