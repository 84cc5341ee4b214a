#include "probmix/base/read_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "probmix/base/error.hpp"
#include "probmix/base/printable.hpp"

namespace probmix {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, int error) {
  throw Error(fmt::format("cannot read '{}': {}; give the path of a readable file",
                          printable(path.string()), std::strerror(error)));
}

}  // namespace

std::string read_file(const std::filesystem::path& path, std::size_t limit) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> in(std::fopen(path.c_str(), "rbe"),
                                                           std::fclose);
  if (!in) fail(path, errno);
  std::string content;
  constexpr std::size_t kFirst = 1 << 16;
  for (std::size_t read = 0;;) {
    // One extra byte tells a file of exactly `limit` bytes from a longer one.
    content.resize(std::min(std::max(kFirst, 2 * read), limit + 1));
    read += std::fread(content.data() + read, 1, content.size() - read, in.get());
    if (std::ferror(in.get()) != 0) fail(path, errno);  // a directory, for example
    check(read <= limit, "'{}' exceeds the limit of {} bytes; use a smaller file",
          printable(path.string()), limit);
    if (read < content.size()) {
      content.resize(read);
      return content;
    }
  }
}

}  // namespace probmix
