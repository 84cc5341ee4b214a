#include "probmix/base/even_sample.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace probmix::test {
namespace {

std::vector<int> thinned(int count, std::size_t wanted) {
  EvenSample<int> some(wanted);
  for (int k = 0; k < count; ++k) some.add(k);
  return some.values();
}

TEST(EvenSample, KeepsAllOfFew) {
  EXPECT_EQ(thinned(0, 2), std::vector<int>{});
  EXPECT_EQ(thinned(4, 2), (std::vector<int>{0, 1, 2, 3}));
}

TEST(EvenSample, KeepsThoseAtEqualDistances) {
  EXPECT_EQ(thinned(5, 2), (std::vector<int>{0, 2, 4}));
  EXPECT_EQ(thinned(8, 2), (std::vector<int>{0, 2, 4, 6}));
  EXPECT_EQ(thinned(9, 2), (std::vector<int>{0, 4, 8}));
  for (const int count : {1, 100, 1000, 1023, 1024, 1025, 54321}) {
    const std::vector<int> values = thinned(count, 100);
    EXPECT_LE(values.size(), 200U);
    EXPECT_GE(values.size(), static_cast<std::size_t>(std::min(count, 100)));
    for (std::size_t k = 0; k < values.size(); ++k) {
      EXPECT_EQ(values[k], static_cast<int>(k) * (values.size() > 1 ? values[1] : 0));
    }
  }
}

}  // namespace
}  // namespace probmix::test
