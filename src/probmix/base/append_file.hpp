// A file of lines that only grows, written by one process at a time.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "probmix/base/descriptor.hpp"

namespace probmix {

class AppendFile {
 public:
  // Opens the file, or creates an empty one, and locks it until the object dies or the process
  // does. A symbolic link is followed. Throws an Error of one line if that cannot be, or if another
  // process (or another object of this one) has the lock.
  explicit AppendFile(std::filesystem::path path);

  const std::filesystem::path& path() const { return path_; }

  // All of it. A process that was killed while it appended may have left a part of a last line,
  // without its newline.
  std::string read() const;

  // Cuts the file to its first `size` bytes.
  void truncate(std::size_t size);

  // Adds one line (without its newline) with a single write and syncs it: once this returns, the
  // line survives a crash. After an Error nothing of the line is in the file, or, if the file
  // cannot even be cut again, no further line is accepted. One caller at a time.
  void append(std::string_view line);

 private:
  std::filesystem::path path_;
  Descriptor file_;
  bool broken_ = false;
};

}  // namespace probmix
