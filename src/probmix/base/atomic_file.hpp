// Writing a file so that a reader sees either the old content or the new, never part of it.
#pragma once

#include <filesystem>
#include <string_view>

#include "probmix/base/descriptor.hpp"

namespace probmix {

// Replaces the file at `path` by syncing and renaming a temporary file in the same directory.
// Follows symbolic links: the target is replaced, the link stays. A new file gets the usual
// permissions (umask), an existing one keeps its own. A device or pipe must not be replaced and is
// written to directly.
//
// All functions throw a one-line Error; the previous file is then untouched, and no temporary file
// is left.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path path);
  ~AtomicFile();  // without commit(), discards what was written
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  // Appends; few large pieces are faster than many small ones.
  void write(std::string_view content);
  // Replaces the file with what was written; call it last.
  void commit();

 private:
  bool replaces() const { return !temporary_.empty(); }

  std::filesystem::path path_;
  std::filesystem::path target_;     // with links resolved
  std::filesystem::path temporary_;  // empty: written to directly, or done
  Descriptor out_{-1};
};

void write_file_atomically(const std::filesystem::path& path, std::string_view content);

}  // namespace probmix
