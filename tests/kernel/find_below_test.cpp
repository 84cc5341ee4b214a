#include "probmix/kernel/find_below.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "kernel/kernel_support.hpp"
#include "probmix/kernel/naive.hpp"

namespace probmix::test {
namespace {

// Every hit from every start, for limits that all, some, few and none of the sums meet.
TEST(FindBelow, AgreesWithTheTwin) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  for (const Index n : sizes) {
    const Guarded<float> a(normals(n, 1)), b(normals(n, 2));
    for (const float limit : {infinity, 0.0F, -2.5F, -infinity}) {
      on_each_target([&] {
        for (Index first = 0; first <= n; ++first) {
          const Index found = kernel::find_below(a.data(), b.data(), limit, first, n);
          ASSERT_EQ(found, kernel::naive::find_below(a.data(), b.data(), limit, first, n))
              << "n = " << n << ", first = " << first << ", limit = " << limit;
        }
      });
    }
  }
}

TEST(FindBelow, TheLimitIsBelowAndNaNIsNot) {
  on_each_target([] {
    for (const Index at : {0, 5, 31, 32, 36}) {
      Guarded<float> a(37, std::numeric_limits<float>::quiet_NaN());
      const Guarded<float> b(37, 2.0F);
      EXPECT_EQ(kernel::find_below(a.data(), b.data(), 3.0F, 0, 37), 37);
      a[at] = 1;
      EXPECT_EQ(kernel::find_below(a.data(), b.data(), 3.0F, 0, 37), at);
    }
  });
}

}  // namespace
}  // namespace probmix::test
