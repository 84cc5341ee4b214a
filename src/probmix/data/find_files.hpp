// Finds the data files of a study. None come with the project: the user provides them.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace probmix {

// The path of `file`, such as "stocks/GOOG.csv", in the directory, with or without its folder. If
// it is in neither place, throws an Error that names both and the files of that type found there.
std::filesystem::path data_file(const std::filesystem::path& directory,
                                const std::filesystem::path& file, std::string_view what_files);

}  // namespace probmix
