// Shared by the file classes of base/: a file descriptor that closes itself, and one-line errors
// with a remedy.
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
  void reset(int fd);  // closes the old one
  // Some file systems report a failed write only when closing.
  int close();

 private:
  int fd_;
};

// Throws "cannot write '{path}': {action} failed: {error}; {remedy}"; `error` is an errno.
[[noreturn]] void fail_to_write(const std::filesystem::path& path, std::string_view action,
                                int error);

void write_all(int fd, std::string_view content, const std::filesystem::path& path);

// True on success, and on file systems that cannot sync a directory (or anything at all).
bool sync(int fd);

}  // namespace probmix
