#include "probmix/base/read_file.hpp"

#include <sys/stat.h>

#include <thread>

#include "support/message.hpp"
#include "support/temporary.hpp"

namespace probmix::test {
namespace {

using ReadFile = InTemporaryDirectory;

// Around the sizes at which the buffer grows.
TEST_F(ReadFile, ReadsEveryByte) {
  for (const std::size_t size : {0U, 1U, 65535U, 65536U, 65537U, 131072U, 300000U}) {
    std::string content(size, 'x');
    for (std::size_t i = 0; i < size; ++i) content[i] = static_cast<char>(i * 7 % 256);
    EXPECT_EQ(read_file(write("f", content), 1 << 20), content) << size;
  }
}

TEST_F(ReadFile, LimitIsTheLargestSizeRead) {
  for (const std::size_t limit : {0U, 10U, 65535U, 65536U, 100000U}) {
    EXPECT_EQ(read_file(write("f", std::string(limit, 'x')), limit).size(), limit);
    const auto path = write("f", std::string(limit + 1, 'x'));
    const std::string message = message_of<Error>([&] { read_file(path, limit); });
    EXPECT_NE(message.find("f' exceeds the limit of " + std::to_string(limit)), message.npos)
        << message;
  }
  EXPECT_THROW(read_file("/dev/zero", 100'000), Error);  // endless
}

TEST_F(ReadFile, ReadsAPipe) {
  const auto pipe = directory / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(pipe) << "through"; });
  EXPECT_EQ(read_file(pipe, 100), "through");
  writer.join();
}

TEST_F(ReadFile, NamesTheCause) {
  const auto message = [](const std::filesystem::path& path) {
    return message_of<Error>([&] { read_file(path, 100); });
  };
  EXPECT_EQ(message(directory / "a\nb"),
            "cannot read '" + directory.string() +
                "/a\\nb': No such file or directory; give the path of a readable file");
  EXPECT_NE(message(directory).find("Is a directory"), std::string::npos);
  EXPECT_NE(message(write("f", "") / "g").find("Not a directory"), std::string::npos);
  EXPECT_NE(message("").find("No such file"), std::string::npos);
}

}  // namespace
}  // namespace probmix::test
