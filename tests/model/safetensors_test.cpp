#include "probmix/model/safetensors.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "probmix/base/error.hpp"
#include "support/message.hpp"

namespace probmix::test {
namespace {

TensorFile example() {
  return {.metadata = {{"probmix", "{\"a\": 1}"}},
          .tensors = {{"w", {2, 3}, std::vector<float>{1, 2, 3, 4, 5, -0.0F}},
                      {"b", {2}, std::vector<double>{0.1, std::numeric_limits<double>::infinity()}},
                      {"n", {}, std::vector<std::int64_t>{-7}},
                      {"none", {0, 5}, std::vector<float>{}}}};
}

std::string with_header(const std::string& header, const std::string& data = "") {
  const std::uint64_t length = header.size();
  std::string bytes(8, '\0');
  std::memcpy(bytes.data(), &length, 8);
  return bytes + header + data;
}

TEST(Safetensors, WhatIsWrittenIsReadBack) {
  const TensorFile written = example();
  const TensorFile read = parse_safetensors(to_safetensors(written), "m.safetensors");
  EXPECT_EQ(read.metadata, written.metadata);
  EXPECT_EQ(read.tensors.size(), 4U);
  EXPECT_EQ(read.values<float>("w", {2, 3}), std::get<0>(written.tensors[0].values));
  EXPECT_TRUE(std::signbit(read.values<float>("w", {2, 3})[5]));
  EXPECT_EQ(read.values<double>("b", {2}), std::get<1>(written.tensors[1].values));
  EXPECT_EQ(read.values<std::int64_t>("n", {}), std::vector<std::int64_t>{-7});
  EXPECT_TRUE(read.values<float>("none", {0, 5}).empty());
}

// As in the specification of the format.
TEST(Safetensors, TheBytesAreThoseOfTheFormat) {
  const std::string bytes = to_safetensors({.tensors = {{"x", {1}, std::vector<float>{1}}}});
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), 8);
  EXPECT_EQ(length % 8, 0U);
  EXPECT_EQ(bytes.size(), 8 + length + 4);
  EXPECT_TRUE(bytes.substr(8, length).starts_with(
      "{\"__metadata__\":{\"digest\":\"464bb4a90d6a0935\"},\"x\":{\"dtype\":\"F32\",\"shape\":[1],"
      "\"data_offsets\":[0,4]}}"));
  EXPECT_EQ(bytes.substr(8 + length), std::string("\0\0\x80\x3f", 4));
}

TEST(Safetensors, HostileFilesAreAnErrorOfOneLine) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "it is shorter than 8 bytes"},
      {"1234567", "it is shorter than 8 bytes"},
      {std::string(8, '\xff'), "it does not begin with the size of its header"},
      {with_header("{}").substr(0, 9), "it does not begin with the size of its header"},
      {with_header("x"), "its header is not a JSON object"},
      {with_header("[]"), "its header is not a JSON object"},
      {with_header(std::string(1000, '[')), "nested too deeply"},
      {with_header("{\"__metadata__\":3}"), "its metadata are not an object"},
      {with_header("{\"__metadata__\":{\"a\":3}}"), "its metadata entry 'a' is not a string"},
      {with_header("{\"x\":3}"), "tensor 'x' lacks dtype, shape or data_offsets"},
      {with_header("{\"x\":{\"dtype\":\"F32\",\"shape\":[1]}}"), "tensor 'x' lacks"},
      {with_header("{\"x\":{\"dtype\":\"F32\",\"shape\":1,\"data_offsets\":[0,4]}}", "1234"),
       "the shape or offsets of tensor 'x' are not a list of up to 8 numbers"},
      {with_header("{\"x\":{\"dtype\":\"F32\",\"shape\":[-1],\"data_offsets\":[0,4]}}", "1234"),
       "a size or offset that the file cannot hold"},
      {with_header("{\"x\":{\"dtype\":\"F32\",\"shape\":[1.5],\"data_offsets\":[0,4]}}", "1234"),
       "a size or offset that the file cannot hold"},
      {with_header("{\"x\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,8]}}", "1234"),
       "the offsets of tensor 'x' lie outside the file"},
      {with_header("{\"x\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[4,0]}}", "1234"),
       "the offsets of tensor 'x' lie outside the file"},
      {with_header("{\"x\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,4]}}", "1234"),
       "tensor 'x' has 4 bytes, but its shape needs 8"},
      {with_header("{\"x\":{\"dtype\":\"F32\",\"shape\":[50,50,50,50],\"data_offsets\":[0,4]}}",
                   "1234"),
       "tensor 'x' is larger than the file"},
      {with_header("{\"x\":{\"dtype\":\"F16\",\"shape\":[2],\"data_offsets\":[0,4]}}", "1234"),
       "tensor 'x' has the type '\\\"F16\\\"'"},
      {with_header("{\"x\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}", "12345678"),
       "bytes follow the last tensor"},
      {with_header("{\"x\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[4,8]}}", "12345678"),
       "its tensors overlap or leave gaps"},
      {with_header("{\"x\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]},"
                   "\"y\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}",
                   "1234"),
       "its tensors overlap or leave gaps"},
  };
  for (const auto& [bytes, words] : cases) {
    const std::string message =
        message_of<Error>([&, &file = bytes] { parse_safetensors(file, "m.safetensors"); });
    EXPECT_TRUE(message.starts_with("'m.safetensors' is not a readable model: ")) << message;
    EXPECT_NE(message.find(words), std::string::npos) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  }
}

// Each byte of a small file changed in turn, and each shorter file: an Error or other tensors.
TEST(Safetensors, NoChangedByteIsACrash) {
  const std::string good = to_safetensors(example());
  for (std::size_t k = 0; k < good.size(); ++k) {
    for (const char c : {'\0', '9', '"', '}', '\xff'}) {
      std::string bad = good;
      bad[k] = c;
      try {
        parse_safetensors(bad, "m");
      } catch (const Error&) {
      }
    }
    EXPECT_THROW(parse_safetensors(good.substr(0, k), "m"), Error) << k;
  }
}

TEST(Safetensors, WhatCouldNotBeReadIsNotWritten) {
  const Tensor x{"x", {1}, std::vector<float>{1}};
  EXPECT_THROW(to_safetensors({.tensors = {x, x}}), Error);
  EXPECT_THROW(to_safetensors({.tensors = {{"__metadata__", {1}, std::vector<float>{1}}}}), Error);
  EXPECT_THROW(to_safetensors({.tensors = {{"x", {2}, std::vector<float>{1}}}}), Error);
  EXPECT_THROW(to_safetensors({.metadata = {{"a", "\xff"}}}), Error);
}

TEST(Safetensors, ValuesAreAskedForByShapeAndType) {
  TensorFile file = example();
  file.file = "m";
  EXPECT_EQ(message_of<Error>([&] { file.values<float>("v", {1}); }), "'m' lacks the tensor 'v'");
  for (const auto& wrong : {std::vector<Index>{3, 2}, std::vector<Index>{6}}) {
    EXPECT_NE(message_of<Error>([&] { file.values<float>("w", wrong); }).find("shape or type"),
              std::string::npos);
  }
  EXPECT_THROW(file.values<double>("w", {2, 3}), Error);
}

}  // namespace
}  // namespace probmix::test
