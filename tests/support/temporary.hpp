// A directory with the lifetime of a test, and reading and writing whole files in it.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

namespace probmix::test {

class InTemporaryDirectory : public ::testing::Test {
 protected:
  InTemporaryDirectory() {
    std::string pattern = (std::filesystem::temp_directory_path() / "probmix-XXXXXX").string();
    directory = ::mkdtemp(pattern.data());
  }
  ~InTemporaryDirectory() override { std::filesystem::remove_all(directory); }

  static std::string read(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  // Returns the path: `name` within the directory, unless it is absolute.
  std::filesystem::path write(const std::filesystem::path& name, std::string_view content) const {
    std::filesystem::path path = directory / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << content;
    return path;
  }

  std::filesystem::path directory;
};

// Simulates a full disk by a limit on file sizes: the first part is written, then no more.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit small{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &small);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int) = std::signal(SIGXFSZ, SIG_IGN);
};

// A message is one line that names the file and holds these words.
inline void expect_message(const std::string& message, const std::filesystem::path& path,
                           const std::string& words) {
  EXPECT_NE(message.find("'" + path.string() + "'"), std::string::npos) << message;
  EXPECT_NE(message.find(words), std::string::npos) << message;
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
}

}  // namespace probmix::test
