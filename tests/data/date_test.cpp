#include "probmix/data/date.hpp"

#include <gtest/gtest.h>

namespace probmix {
namespace {

TEST(Date, ParsesKnownInstants) {
  EXPECT_EQ(parse_date("1970-01-01"), 0);
  EXPECT_EQ(parse_date("1969-12-31"), -86'400);
  EXPECT_EQ(parse_date("2001-09-09T01:46:40Z"), 1'000'000'000);
  EXPECT_EQ(parse_date("2001-09-09 01:46:40"), 1'000'000'000);
  EXPECT_EQ(parse_date("2001-09-09 01:46"), 1'000'000'000 - 40);
  EXPECT_EQ(parse_date("2001-09-09 01:46Z"), 1'000'000'000 - 40);
  EXPECT_EQ(parse_date("2038-01-19 03:14:08"), std::int64_t{1} << 31);
  EXPECT_EQ(parse_date("1900-01-01"), -2'208'988'800);
  EXPECT_EQ(parse_date("2000-02-29"), 951'782'400);
  EXPECT_EQ(parse_date("9999-12-31T23:59:59"), 253'402'300'799);
}

TEST(Date, RefusesEverythingElse) {
  for (const char* const text : {"",
                                 "2020",
                                 "2020-02",
                                 "2020-02-30",
                                 "2021-02-29",
                                 "1900-02-29",
                                 "2020-13-01",
                                 "2020-00-01",
                                 "2020-01-00",
                                 "2020-01-32",
                                 "2020-04-31",
                                 "2020-1-1",
                                 "20-01-01",
                                 "20200101",
                                 "2020/01/01",
                                 "01.02.2020",
                                 "+020-01-01",
                                 "-020-01-01",
                                 " 2020-01-01",
                                 "2020-01-01 ",
                                 "2020-01-01x",
                                 "2020-01-01Z",
                                 "2020-01-01T",
                                 "2020-01-01 24:00",
                                 "2020-01-01 12:60",
                                 "2020-01-01 12:00:60",
                                 "2020-01-01 12",
                                 "2020-01-01 12:0",
                                 "2020-01-01 1:00",
                                 "2020-01-01 12:00:",
                                 "12020-01-01",
                                 "2020-01-01  12:00",
                                 "2020-01-01 12:00ZZ",
                                 "2020-01-01 12:00+01:00",
                                 "2020-01-01 12:00:00.5",
                                 "2020-01-01t12:00",
                                 "2020-0x-01",
                                 "2020-01-01 -1:00",
                                 "2020-01-01 1200"}) {
    EXPECT_FALSE(parse_date(text).has_value()) << text;
  }
}

TEST(Date, OffsetsFromUtcAreTold) {
  for (const char* const text : {"2019-01-02 00:00:00-05:00", "2019-01-02T00:00+01:00",
                                 "2019-01-02 00:00:00+0100", "2019-01-02 00:00+01"}) {
    EXPECT_TRUE(has_utc_offset(text)) << text;
    EXPECT_FALSE(parse_date(text).has_value()) << text;
  }
  for (const char* const text : {"", "2019-01-02", "2019-01-02 00:00", "2019-01-02 00:00Z",
                                 "2019-01-02-05:00", "2019-01-02 00:00-", "2019-01-02 00:00-x",
                                 "2019-01-32 00:00:00-05:00", "2019-01-02 00:00:00-05:00:00"}) {
    EXPECT_FALSE(has_utc_offset(text)) << text;
  }
}

TEST(Date, InstantsMayHaveFractionsAndOffsets) {
  const double base = 1'000'000'000;  // 2001-09-09 01:46:40
  EXPECT_EQ(parse_instant("2001-09-09 01:46:40"), base);
  EXPECT_EQ(parse_instant("2001-09-09"), base - 6400);
  EXPECT_EQ(parse_instant("2001-09-09T01:46:40.5Z"), base + 0.5);
  EXPECT_EQ(parse_instant("2001-09-09 01:46:40.125"), base + 0.125);
  EXPECT_EQ(parse_instant("2001-09-09 01:46:40.000000000"), base);
  EXPECT_EQ(parse_instant("2001-09-09 03:46:40+02:00"), base);
  EXPECT_EQ(parse_instant("2001-09-09T03:46:40.25+0200"), base + 0.25);
  EXPECT_EQ(parse_instant("2001-09-08 20:46:40-05"), base);
  EXPECT_EQ(parse_instant("2001-09-09 07:16+05:30"), base - 40);
  for (const char* const text :
       {"", "2020-01-01Z", "2020-01-01+01:00", "2020-01-01 12:00.5", "2020-01-01 12:00:00.",
        "2020-01-01 12:00:00.x", "2020-01-01 12:00:00.1234567890", "2020-01-01 12:00ZZ",
        "2020-01-01 12:00Z+01:00", "2020-01-01 12:00+", "2020-01-01 12:00+1",
        "2020-01-01 12:00+01:", "2020-01-01 12:00+24:00", "2020-01-01 12:00+01:60",
        "2020-01-01 12:00+01:00Z", "2020-02-30 12:00:00.5", "2020-01-01 12:00:00.5.5",
        "2020-01-01 12:00:00 +01:00", "2020-01-01 12:00:00.+01:00"}) {
    EXPECT_FALSE(parse_instant(text).has_value()) << text;
  }
}

TEST(Date, FormatsBack) {
  for (const char* const text :
       {"1970-01-01", "1969-12-31", "2020-02-29", "0000-01-01", "9999-12-31", "2020-02-29 00:01",
        "1969-12-31 23:59:59", "1900-01-01 10:00:01", "2024-12-31 05:00"}) {
    EXPECT_EQ(format_date(parse_date(text).value()), text);
  }
}

// Every day of 800 years follows the one before.
TEST(Date, DaysFollowEachOther) {
  const std::int64_t last = parse_date("2400-12-31").value();
  for (std::int64_t t = parse_date("1600-01-01").value(); t <= last; t += day_seconds) {
    ASSERT_EQ(parse_date(format_date(t)), t);
  }
}

}  // namespace
}  // namespace probmix
