#include "probmix/base/json.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace probmix {
namespace {

TEST(ParseJson, RefusesWhatIsTooDeepOrTooWide) {
  Json value;
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_EQ(parse_json(nested(deepest_json), value), JsonFault::none);
  EXPECT_EQ(parse_json(nested(deepest_json + 1), value), JsonFault::too_deep);
  std::string wide = "{";
  for (std::size_t k = 0; k <= most_json_keys; ++k) wide += fmt::format("\"{}\":1,", k);
  wide.back() = '}';
  EXPECT_EQ(parse_json(wide, value), JsonFault::too_many_keys);
}

TEST(ParseJson, BracketsAndColonsInTextDoNotCount) {
  Json value;
  EXPECT_EQ(parse_json(R"({"a": "[[[\"[:{\\", "b": [1, {"c": ":"}]})", value), JsonFault::none);
  EXPECT_EQ(value["a"], "[[[\"[:{\\");
  for (const char* const text : {"", "{", "]", "}}", "{\"a\"", "[1,]", "\"\\"}) {
    EXPECT_EQ(parse_json(text, value), JsonFault::no_json) << text;
  }
}

// The keys of one object after another are counted anew.
TEST(ParseJson, ManySmallObjectsAreNotWide) {
  std::string text = "[";
  for (std::size_t k = 0; k <= most_json_keys; ++k) text += "{\"a\":1},";
  text.back() = ']';
  Json value;
  EXPECT_EQ(parse_json(text, value), JsonFault::none);
}

}  // namespace
}  // namespace probmix
