// Where the files of a study are. None come with the project: a user brings them.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace probmix {

// `file`, such as "stocks/GOOG.csv", in the directory with or without its own folders. The Error if
// it is in neither names both, and the files of that kind that are there.
std::filesystem::path data_file(const std::filesystem::path& directory,
                                const std::filesystem::path& file, std::string_view what_files);

}  // namespace probmix
