#include "probmix/data/byte_source.hpp"

#include <zlib.h>
#include <zstd.h>

#include <array>

#include "support/message.hpp"
#include "support/temporary.hpp"

namespace probmix::test {
namespace {

// Long enough for several pieces, and not uniform.
std::string sample_text() {
  std::string text;
  for (int k = 0; k < 60'000; ++k) text += std::to_string(k * 7919 % 100'003) + ",";
  return text;
}

std::string gzip(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string packed(text.size() + 1000, '\0');  // room for data that does not shrink
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

std::string zstd(const std::string& text) {
  ZSTD_CCtx* const context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  std::string packed(text.size() + 1000, '\0');
  const std::size_t size =
      ZSTD_compress2(context, packed.data(), packed.size(), text.data(), text.size());
  packed.resize(std::min(size, packed.size()));  // an error would be a very large size
  ZSTD_freeCCtx(context);
  return packed;
}

class ByteSourceFile : public InTemporaryDirectory {
 protected:
  std::string unpacked(const std::string& content) const {
    return read_all(*open_source(write("data", content)), std::size_t{1} << 30);
  }
  void expect_fails(const std::string& content, const std::string& words) const {
    const auto path = write("bad", content);
    const std::string message =
        message_of<Error>([&] { read_all(*open_source(path), std::size_t{1} << 30); });
    expect_message(message, path, words);
  }
};

TEST_F(ByteSourceFile, UnpacksWhatIsPacked) {
  for (const std::string& text : {std::string(), std::string("a"), sample_text()}) {
    EXPECT_TRUE(unpacked(text) == text);
    EXPECT_TRUE(unpacked(gzip(text)) == text);
    EXPECT_TRUE(unpacked(zstd(text)) == text);
    // Consecutive members or frames are one text.
    EXPECT_TRUE(unpacked(gzip(text) + gzip("more")) == text + "more");
    EXPECT_TRUE(unpacked(zstd(text) + zstd("more")) == text + "more");
  }
}

TEST_F(ByteSourceFile, NoPieceIsTooSmall) {
  const std::string text = sample_text();
  for (const std::string& content : {text, gzip(text), zstd(text)}) {
    const auto source = open_source(write("data", content));
    std::string read;
    std::array<char, 7> piece{};
    while (const std::size_t got = source->read(piece)) read.append(piece.data(), got);
    EXPECT_TRUE(read == text);
    EXPECT_EQ(source->read(piece), 0U);
  }
}

TEST_F(ByteSourceFile, DamagedOrCutDataAreAnError) {
  for (const std::string& packed : {gzip(sample_text()), zstd(sample_text())}) {
    for (const std::size_t size : {std::size_t{5}, packed.size() / 2, packed.size() - 1}) {
      expect_fails(packed.substr(0, size), "are cut short");
    }
    std::string damaged = packed;
    for (std::size_t k = 0; k < 40; ++k) damaged[packed.size() / 2 + k] = 'x';
    expect_fails(damaged, "fetch it again");  // it may look truncated
  }
  expect_fails(gzip("text") + "behind", "damaged");
  expect_fails(zstd("text") + "behind", "damaged");
}

TEST_F(ByteSourceFile, AFileThatChangesWhileItIsReadIsAnError) {
  const auto path = write("growing", std::string(100'000, 'a'));
  const auto source = open_source(path);
  std::array<char, 100> piece{};
  source->read(piece);
  std::ofstream(path, std::ios::app) << "more";
  const std::string message = message_of<Error>([&] { read_all(*source, std::size_t{1} << 30); });
  expect_message(message, path, "changed while it was being read");
}

TEST_F(ByteSourceFile, WhatIsNoFileIsNamed) {
  const std::string message =
      message_of<Error>([&] { open_source((directory / "none").string()); });
  expect_message(message, directory / "none", "No such file");
  EXPECT_NE(message_of<Error>([&] { open_source(directory.string()); }).find("Is a directory"),
            std::string::npos);
}

TEST(ByteSource, ReadAllHasALimit) {
  const auto text = [](std::size_t limit) { return read_all(*text_source("12345", "t"), limit); };
  EXPECT_EQ(text(5), "12345");
  EXPECT_EQ(message_of<Error>([&] { text(4); }),
            "'t' exceeds the limit of 4 bytes; use a smaller file");
}

}  // namespace
}  // namespace probmix::test
