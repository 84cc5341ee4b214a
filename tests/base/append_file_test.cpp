#include "probmix/base/append_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/message.hpp"
#include "support/temporary.hpp"

namespace probmix::test {
namespace {

namespace fs = std::filesystem;

class AppendFileTest : public InTemporaryDirectory {
 protected:
  static std::string message(const fs::path& path) {
    return message_of<Error>([&] { AppendFile file(path); });
  }
};

TEST_F(AppendFileTest, CreatesReadsAndAppends) {
  const fs::path path = directory / "f";
  {
    AppendFile file(path);
    EXPECT_EQ(file.read(), "");
    file.append("one");
    EXPECT_EQ(read(path), "one\n");  // at once, not when the file is closed
    file.append("two");
    EXPECT_EQ(file.read(), "one\ntwo\n");
  }
  AppendFile file(path);
  file.append(std::string(200'000, 'x'));  // more than one block of reading
  EXPECT_EQ(file.read(), "one\ntwo\n" + std::string(200'000, 'x') + "\n");
  file.truncate(4);
  file.append("three");
  EXPECT_EQ(read(path), "one\nthree\n");
}

TEST_F(AppendFileTest, FollowsSymbolicLinks) {
  fs::create_directory(directory / "sub");
  fs::create_symlink("sub/target", directory / "link");
  {
    AppendFile file(directory / "link");  // the target does not exist yet
    file.append("one");
    expect_message(message(directory / "sub/target"), directory / "sub/target",
                   "another process is writing it");
  }
  EXPECT_EQ(read(directory / "sub/target"), "one\n");
  EXPECT_TRUE(fs::is_symlink(directory / "link"));
}

TEST_F(AppendFileTest, RefusesWhatIsNoFile) {
  expect_message(message(directory), directory, "Is a directory; choose another path");
  expect_message(message(directory / "a/f"), directory / "a/f", "create its directory first");
  write(directory / "f", "x");
  expect_message(message(directory / "f/g"), directory / "f/g", "Not a directory");
  fs::create_symlink("b", directory / "a");
  fs::create_symlink("a", directory / "b");
  expect_message(message(directory / "a"), directory / "a", "Too many levels");
  expect_message(message(""), "", "No such file");
  ASSERT_EQ(::mkfifo((directory / "pipe").c_str(), 0600), 0);
  expect_message(message(directory / "pipe"), directory / "pipe", "it is not a regular file");
  expect_message(message("/dev/null"), "/dev/null", "it is not a regular file");
}

TEST_F(AppendFileTest, RefusesReadOnlyFiles) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write anything";
  const fs::path path = directory / "f";
  write(path, "x\n");
  fs::permissions(path, fs::perms(0400));
  expect_message(message(path), path, "Permission denied; make it and its directory writable");
}

TEST_F(AppendFileTest, OneProcessAtATime) {
  const fs::path path = directory / "f";
  const std::string busy =
      "another process is writing it; wait until it has finished, or choose another";
  {
    AppendFile file(path);
    file.append("one");
    expect_message(message(path), path, busy);
    const pid_t child = ::fork();
    if (child == 0) ::_exit(message(path).find(busy) == std::string::npos ? 1 : 0);
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    file.append("two");
  }
  EXPECT_EQ(message(path), "no error");
  EXPECT_EQ(read(path), "one\ntwo\n");
}

TEST_F(AppendFileTest, FullDiskLeavesWholeLines) {
  const fs::path path = directory / "f";
  AppendFile file(path);
  file.append("one");
  const std::string result = message_of<Error>([&] {
    const FileSizeLimit limit(1000);
    file.append(std::string(5000, 'x'));
  });
  expect_message(result, path, "writing failed: File too large; free some space");
  EXPECT_EQ(read(path), "one\n");
  file.append("two");
  EXPECT_EQ(read(path), "one\ntwo\n");
}

}  // namespace
}  // namespace probmix::test
