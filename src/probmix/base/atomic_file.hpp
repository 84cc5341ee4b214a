// Writing a result file so that a reader sees the old content or the new one, never a part of it.
#pragma once

#include <filesystem>
#include <string_view>

#include "probmix/base/descriptor.hpp"

namespace probmix {

// Replaces the file at `path`, through a temporary file in the same directory that is synced and
// renamed. A symbolic link is followed: its target is replaced, the link stays. A new file gets the
// usual permissions (umask), an existing one keeps its own. A device or pipe, which must not be
// replaced, is written to directly.
//
// All throw an Error of one line; the previous file is then untouched, and no temporary is left.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path path);
  ~AtomicFile();  // without commit(), nothing has happened
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  // Appends; large pieces are faster.
  void write(std::string_view content);
  // The end: what was written becomes the file.
  void commit();

 private:
  bool replaces() const { return !temporary_.empty(); }

  std::filesystem::path path_;
  std::filesystem::path target_;     // behind links
  std::filesystem::path temporary_;  // empty: written to directly, or done
  Descriptor out_{-1};
};

void write_file_atomically(const std::filesystem::path& path, std::string_view content);

}  // namespace probmix
