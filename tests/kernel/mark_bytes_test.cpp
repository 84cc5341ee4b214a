#include "probmix/kernel/mark_bytes.hpp"

#include <gtest/gtest.h>

#include <array>

#include "kernel/kernel_support.hpp"
#include "probmix/base/random.hpp"

namespace probmix::test {
namespace {

TEST(MarkBytes, AgreesWithTheTwin) {
  on_each_target([] {
    Stream stream(1, Purpose::test);
    std::array<char, kernel::marked_bytes> text{};
    for (int k = 0; k < 2000; ++k) {
      for (char& c : text) c = static_cast<char>(stream.below(256));
      for (const char separator : {',', ';', '\t', '\xfe'}) {
        ASSERT_EQ(kernel::mark_bytes(text.data(), separator),
                  kernel::naive::mark_bytes(text.data(), separator));
      }
    }
  });
}

TEST(MarkBytes, BitsAreInTheOrderOfTheBytes) {
  on_each_target([] {
    for (std::size_t at = 0; at < kernel::marked_bytes; ++at) {
      std::array<char, kernel::marked_bytes> text{};
      text.fill('7');
      text[at] = at % 2 == 0 ? ',' : '\n';
      EXPECT_EQ(kernel::mark_bytes(text.data(), ','), std::uint64_t{1} << at);
    }
  });
}

}  // namespace
}  // namespace probmix::test
