// Writing a result file so that a reader sees the old content or the new one, never a part of it.
#pragma once

#include <filesystem>
#include <string_view>

namespace probmix {

// Replaces the file at `path` by `content`, through a temporary file in the same directory that is
// synced and renamed. A symbolic link is followed: its target is replaced, the link stays. A new
// file gets the usual permissions (umask), an existing one keeps its own. A device or pipe, which
// must not be replaced, is written to directly.
// Throws an Error of one line; the previous file is then untouched and no temporary is left.
void write_file_atomically(const std::filesystem::path& path, std::string_view content);

}  // namespace probmix
