#include "probmix/data/find_files.hpp"

#include <algorithm>
#include <cctype>
#include <span>
#include <vector>

#include "probmix/base/error.hpp"
#include "probmix/base/printable.hpp"

namespace probmix {

namespace fs = std::filesystem;
namespace {

std::string lower_case(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

// The files in these folders with the extension of `file`: the first ten by name.
std::string list_files(const std::vector<fs::path>& folders, const fs::path& file) {
  const std::string extension = lower_case(file.extension().string());
  std::vector<std::string> names;
  std::error_code error;
  for (const fs::path& folder : folders) {
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
      const fs::path& path = entry->path();
      std::error_code ignored;
      if (lower_case(path.extension().string()) != extension || fs::is_directory(path, ignored)) {
        continue;
      }
      names.push_back(path.lexically_relative(folders.back()).string());
    }
  }
  if (names.empty()) return fmt::format("found no *{} at all", extension);
  std::ranges::sort(names);
  const std::size_t shown = std::min<std::size_t>(10, names.size());
  std::string list = "found: " + names_in_quotes(std::span(names).first(shown));
  if (shown < names.size()) list += fmt::format(" and {} more", names.size() - shown);
  return list;
}

}  // namespace

fs::path data_file(const fs::path& directory, const fs::path& file, std::string_view what_files) {
  std::vector<fs::path> folders = {(directory / file).parent_path()};
  if (file.has_parent_path()) folders.push_back(directory);
  std::string searched;
  for (const fs::path& folder : folders) {
    fs::path path = folder / file.filename();
    std::error_code ignored;
    if (fs::exists(path, ignored) && !fs::is_directory(path, ignored)) return path;
    searched += fmt::format("{}'{}'", searched.empty() ? "" : " or ", printable(path.string()));
  }
  throw Error(fmt::format("there is no file {}; {}; wanted: {}", searched,
                          list_files(folders, file), what_files));
}

}  // namespace probmix
