#include "probmix/data/locate.hpp"

#include <cstdlib>

#include "probmix/base/error.hpp"
#include "probmix/base/printable.hpp"

namespace probmix {

namespace fs = std::filesystem;

fs::path data_directory(const std::string& option, std::string_view what_files) {
  const char* const variable = std::getenv("PROBMIX_DATA");
  const bool given = !option.empty();
  check(given || (variable != nullptr && *variable != '\0'),
        "where are the data? Give their directory by --data or the environment variable "
        "PROBMIX_DATA; wanted: {}",
        what_files);
  const fs::path directory = given ? fs::path(option) : fs::path(variable);
  std::error_code ignored;
  check(fs::is_directory(directory, ignored), "'{}' (from {}) is not a directory; wanted: {}",
        printable(directory.string()), given ? "--data" : "PROBMIX_DATA", what_files);
  return directory;
}

fs::path data_file(const fs::path& directory, const fs::path& file, std::string_view what_files) {
  std::error_code ignored;
  for (const fs::path& path : {directory / file, directory / file.filename()}) {
    if (fs::exists(path, ignored) && !fs::is_directory(path, ignored)) return path;
  }
  throw Error(fmt::format("there is no {} in '{}'; wanted: {}", printable(file.string()),
                          printable(directory.string()), what_files));
}

}  // namespace probmix
