// fill_words and BlockStream: the words of a Stream.
#include <gtest/gtest.h>

#include <numeric>

#include "kernel/kernel_support.hpp"
#include "probmix/kernel/block_stream.hpp"

namespace probmix::test {
namespace {

constexpr std::uint64_t seed = 0x123456789abcdef0ULL;
constexpr std::uint64_t major = 0xabcdef12345678ULL;  // 56 bits

TEST(FillWords, AreThoseOfTheStream) {
  for (const std::uint32_t first : {0U, 5U}) {
    for (const Index n : sizes) {
      Stream stream(seed, Purpose::test, major, 7);
      for (std::uint32_t k = 0; k < 4 * first; ++k) stream();
      std::vector<std::uint32_t> expected(to_size(n));
      for (std::uint32_t& word : expected) word = stream();
      on_each_target([&] {
        std::vector<std::uint32_t> words(to_size(n) + 1, 99);
        kernel::fill_words(seed, static_cast<std::uint32_t>(Purpose::test), major, 7, first,
                           words.data(), n);
        EXPECT_EQ(words.back(), 99U);
        words.pop_back();
        EXPECT_EQ(words, expected);
      });
    }
  }
}

TEST(BlockStream, IsTheStream) {
  on_each_target([] {
    Stream stream(seed, Purpose::test, major, 3);
    kernel::BlockStream blocks(seed, Purpose::test, major, 3);
    for (std::uint32_t k = 1; k < 1000; ++k) {
      ASSERT_EQ(blocks.below(k), stream.below(k));
      ASSERT_EQ(blocks.uniform(), stream.uniform());
    }
    std::vector<int> a(1000);
    std::iota(a.begin(), a.end(), 0);
    std::vector<int> b = a;
    shuffle(a.begin(), 1000, stream);
    shuffle(b.begin(), 1000, blocks);
    EXPECT_EQ(a, b);
  });
}

}  // namespace
}  // namespace probmix::test
