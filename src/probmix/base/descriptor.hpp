// What the files of base/ share: a file descriptor that closes itself, and errors of one line with
// their remedy.
#pragma once

#include <filesystem>
#include <string_view>

namespace probmix {

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor();
  int get() const { return fd_; }
  void reset(int fd);  // closes what it had
  // Some file systems report a failed write only here.
  int close();

 private:
  int fd_;
};

// Throws "cannot write '{path}': {action} failed: {error}; {remedy}"; `error` is an errno.
[[noreturn]] void fail_to_write(const std::filesystem::path& path, std::string_view action,
                                int error);

void write_all(int fd, std::string_view content, const std::filesystem::path& path);

// Not every file system can sync a directory (or anything); that is no failure of ours.
bool sync(int fd);

}  // namespace probmix
