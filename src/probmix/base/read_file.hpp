// Reading a whole file that may be anything.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace probmix {

// Pipes and devices are read too, to their end. Throws an Error of one line if there is nothing to
// read at `path`, or more than `limit` bytes.
std::string read_file(const std::filesystem::path& path, std::size_t limit);

}  // namespace probmix
