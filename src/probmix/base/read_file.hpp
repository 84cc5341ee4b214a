// Reading a whole file of any kind.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace probmix {

// Also reads pipes and devices to their end. Throws a one-line Error if `path` cannot be read or
// has more than `limit` bytes.
std::string read_file(const std::filesystem::path& path, std::size_t limit);

}  // namespace probmix
