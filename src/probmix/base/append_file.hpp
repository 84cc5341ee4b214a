// An append-only file of lines, written by one process at a time.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "probmix/base/descriptor.hpp"

namespace probmix {

class AppendFile {
 public:
  // Opens the file, or creates an empty one, and locks it until the object is destroyed or the
  // process ends. Follows symbolic links. Throws a one-line Error if that fails, or if another
  // process (or another object in this one) holds the lock.
  explicit AppendFile(std::filesystem::path path);

  const std::filesystem::path& path() const { return path_; }

  // The whole content. A process killed while appending may have left part of a last line, without
  // its newline.
  std::string read() const;

  // Truncates the file to its first `size` bytes.
  void truncate(std::size_t size);

  // Adds one line (without its newline) with a single write and syncs it: once this returns, the
  // line survives a crash. After an Error no part of the line is in the file; if the file could not
  // be truncated back, no further line is accepted. One caller at a time.
  void append(std::string_view line);

 private:
  std::filesystem::path path_;
  Descriptor file_;
  bool broken_ = false;
};

}  // namespace probmix
