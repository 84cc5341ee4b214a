#include "probmix/base/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <utility>

#include "probmix/base/error.hpp"

namespace probmix {
namespace {

namespace fs = std::filesystem;

std::string_view remedy(int error) {
  switch (error) {
    case ENOENT:
    case ENOTDIR:
      return "create its directory first, or choose another path";
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return "free some space, raise the limit, or choose another path";
    case EACCES:
    case EPERM:
    case EROFS:
      return "make its directory writable, or choose another path";
    default:
      return "choose another path";
  }
}

[[noreturn]] void fail(const fs::path& path, std::string_view action, int error) {
  throw Error(fmt::format("cannot write '{}': {} failed: {}; {}", path.string(), action,
                          std::strerror(error), remedy(error)));
}

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }
  // Some file systems report a failed write only here.
  int close() { return ::close(std::exchange(fd_, -1)); }

 private:
  int fd_;
};

// Removes the temporary file unless it became the result.
struct Temporary {
  fs::path path;
  bool keep = false;
  ~Temporary() {
    if (!keep) ::unlink(path.c_str());
  }
};

void write_all(int fd, std::string_view content, const fs::path& path) {
  while (!content.empty()) {
    const ssize_t written = ::write(fd, content.data(), content.size());
    if (written >= 0) {
      content.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      fail(path, "writing", errno);
    }
  }
}

// Not every file system can sync a directory (or anything); that is no failure of ours.
bool sync(int fd) { return ::fsync(fd) == 0 || errno == EINVAL || errno == ENOTSUP; }

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
  if (out.get() < 0) fail(path, "opening", errno);
  write_all(out.get(), content, path);
  if (out.close() != 0) fail(path, "closing", errno);
}

}  // namespace

void write_file_atomically(const fs::path& path, std::string_view content) {
  struct stat old {};
  const bool exists = ::stat(path.c_str(), &old) == 0;
  if (exists && !S_ISREG(old.st_mode)) return write_directly(path, content);
  if (!exists && errno != ENOENT) fail(path, "opening", errno);

  const fs::path target = resolve_links(path);
  const fs::path directory = target.has_parent_path() ? target.parent_path() : ".";
  fs::path name;
  Descriptor out(create_temporary(directory, name));
  if (out.get() < 0) fail(path, "creating a file beside it", errno);
  Temporary temporary{name};

  if (exists && ::fchmod(out.get(), old.st_mode & 07777) != 0) {
    fail(path, "setting permissions", errno);
  }
  write_all(out.get(), content, path);
  if (!sync(out.get())) fail(path, "syncing", errno);
  if (out.close() != 0) fail(path, "closing", errno);
  if (::rename(name.c_str(), target.c_str()) != 0) fail(path, "renaming", errno);
  temporary.keep = true;

  Descriptor parent(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (parent.get() >= 0 && !sync(parent.get())) fail(path, "syncing its directory", errno);
}

}  // namespace probmix
