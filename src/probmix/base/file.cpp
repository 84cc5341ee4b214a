#include "probmix/base/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

#include "probmix/base/descriptor.hpp"
#include "probmix/base/error.hpp"

namespace probmix {
namespace {

namespace fs = std::filesystem;

// Removes the temporary file unless it became the result.
struct Temporary {
  fs::path path;
  bool keep = false;
  ~Temporary() {
    if (!keep) ::unlink(path.c_str());
  }
};

// The file a chain of symbolic links ends at, which need not exist.
fs::path resolve_links(fs::path path) {
  std::error_code ignored;
  for (int depth = 0; depth < 40 && fs::is_symlink(path, ignored); ++depth) {
    path = path.parent_path() / fs::read_symlink(path, ignored);  // an absolute target wins
  }
  return path;
}

int create_temporary(const fs::path& directory, fs::path& path) {
  static std::atomic<unsigned> counter{0};
  int fd = -1;
  do {  // a name may be taken by the remains of a killed process
    path = directory / fmt::format(".probmix-{}-{}.tmp", ::getpid(), counter++);
    fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (fd < 0 && (errno == EEXIST || errno == EINTR));
  return fd;
}

void write_directly(const fs::path& path, std::string_view content) {
  Descriptor out(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (out.get() < 0) fail_to_write(path, "opening", errno);
  write_all(out.get(), content, path);
  if (out.close() != 0) fail_to_write(path, "closing", errno);
}

}  // namespace

void write_file_atomically(const fs::path& path, std::string_view content) {
  struct stat old {};
  const bool exists = ::stat(path.c_str(), &old) == 0;
  if (exists && !S_ISREG(old.st_mode)) return write_directly(path, content);
  if (!exists && errno != ENOENT) fail_to_write(path, "opening", errno);

  const fs::path target = resolve_links(path);
  const fs::path directory = target.has_parent_path() ? target.parent_path() : ".";
  fs::path name;
  Descriptor out(create_temporary(directory, name));
  if (out.get() < 0) fail_to_write(path, "creating a file beside it", errno);
  Temporary temporary{name};

  if (exists && ::fchmod(out.get(), old.st_mode & 07777) != 0) {
    fail_to_write(path, "setting permissions", errno);
  }
  write_all(out.get(), content, path);
  if (!sync(out.get())) fail_to_write(path, "syncing", errno);
  if (out.close() != 0) fail_to_write(path, "closing", errno);
  if (::rename(name.c_str(), target.c_str()) != 0) fail_to_write(path, "renaming", errno);
  temporary.keep = true;

  Descriptor parent(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (parent.get() >= 0 && !sync(parent.get())) fail_to_write(path, "syncing its directory", errno);
}

}  // namespace probmix
