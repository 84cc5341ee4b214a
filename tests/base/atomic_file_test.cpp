#include "probmix/base/atomic_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <iterator>

#include "probmix/base/error.hpp"
#include "support/temporary.hpp"

namespace probmix {
namespace {

namespace fs = std::filesystem;

class WriteFile : public test::InTemporaryDirectory {
 protected:
  std::size_t entries() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(directory), fs::directory_iterator()));
  }
  static std::string message(const fs::path& path, std::string_view content) {
    try {
      write_file_atomically(path, content);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }
};

using test::expect_message;

TEST_F(WriteFile, CreatesWithUsualPermissions) {
  const fs::path path = directory / "report.html";
  const std::string content("a\0b\n", 4);
  const mode_t old = ::umask(027);
  write_file_atomically(path, content);
  ::umask(old);
  EXPECT_EQ(read(path), content);
  EXPECT_EQ(fs::status(path).permissions(), fs::perms(0640));
  EXPECT_EQ(entries(), 1U);
}

TEST_F(WriteFile, ReplacesAndKeepsPermissions) {
  const fs::path path = directory / "r";
  write_file_atomically(path, "a longer first content");
  fs::permissions(path, fs::perms(0600));
  write_file_atomically(path, "second");
  EXPECT_EQ(read(path), "second");
  EXPECT_EQ(fs::status(path).permissions(), fs::perms(0600));
  EXPECT_EQ(entries(), 1U);
}

TEST_F(WriteFile, RelativeNameWithoutDirectory) {
  const fs::path before = fs::current_path();
  fs::current_path(directory);
  write_file_atomically("plain", "x");
  fs::current_path(before);
  EXPECT_EQ(read(directory / "plain"), "x");
}

TEST_F(WriteFile, FollowsSymbolicLinks) {
  fs::create_directory(directory / "sub");
  const fs::path target = directory / "sub" / "target";
  fs::create_symlink("sub/target", directory / "relative");
  fs::create_symlink(directory / "relative", directory / "chain");
  write_file_atomically(directory / "chain", "first");  // the target does not exist yet
  EXPECT_EQ(read(target), "first");
  write_file_atomically(directory / "chain", "second");
  EXPECT_EQ(read(target), "second");
  EXPECT_TRUE(fs::is_symlink(directory / "chain"));
  EXPECT_TRUE(fs::is_symlink(directory / "relative"));
  EXPECT_FALSE(fs::is_symlink(target));
  EXPECT_EQ(entries(), 3U);
}

TEST_F(WriteFile, SymbolicLinkCycle) {
  fs::create_symlink("b", directory / "a");
  fs::create_symlink("a", directory / "b");
  expect_message(message(directory / "a", "x"), directory / "a", "Too many levels");
  EXPECT_EQ(entries(), 2U);
}

TEST_F(WriteFile, MissingDirectory) {
  const fs::path path = directory / "missing" / "r";
  expect_message(message(path, "x"), path, "No such file or directory; create its directory");
  EXPECT_EQ(entries(), 0U);
}

TEST_F(WriteFile, FileAsDirectory) {
  write_file_atomically(directory / "file", "x");
  const fs::path path = directory / "file" / "r";
  expect_message(message(path, "x"), path, "Not a directory");
  EXPECT_EQ(read(directory / "file"), "x");
}

TEST_F(WriteFile, PathIsDirectoryOrEmpty) {
  expect_message(message(directory, "x"), directory, "Is a directory");
  EXPECT_EQ(entries(), 0U);
  expect_message(message("", "x"), "", "No such file");
}

TEST_F(WriteFile, FullDiskKeepsOldContent) {
  const fs::path path = directory / "r";
  write_file_atomically(path, "old");
  std::string result;
  {
    const test::FileSizeLimit limit(1000);
    result = message(path, std::string(5000, 'x'));
  }
  expect_message(result, path, "writing failed: File too large; free some space");
  EXPECT_EQ(read(path), "old");
  EXPECT_EQ(entries(), 1U);
}

// Our own pipe: with a device such as /dev/full, a broken writer would replace the device.
TEST_F(WriteFile, PipeIsWrittenToNotReplaced) {
  const fs::path pipe = directory / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  write_file_atomically(pipe, "through");
  std::array<char, 20> buffer{};
  EXPECT_EQ(::read(reader, buffer.data(), buffer.size()), 7);
  ::close(reader);
  EXPECT_STREQ(buffer.data(), "through");
  EXPECT_TRUE(fs::is_fifo(pipe));
  EXPECT_EQ(entries(), 1U);
}

TEST_F(WriteFile, WithoutACommitNothingHappens) {
  const std::filesystem::path path = write("kept.txt", "before");
  {
    AtomicFile file(path);
    file.write("half of ");
    EXPECT_EQ(read(path), "before");
  }
  EXPECT_EQ(read(path), "before");
  AtomicFile file(path);
  file.write("in ");
  file.write("pieces");
  file.commit();
  EXPECT_EQ(read(path), "in pieces");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(directory), {}), 1);
}

}  // namespace
}  // namespace probmix
