#include "probmix/base/atomic_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <utility>

#include "probmix/base/error.hpp"

namespace probmix {
namespace {

namespace fs = std::filesystem;

// The end of a chain of symbolic links; it need not exist.
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
  do {  // a killed process may have left a file of this name
    path = directory / fmt::format(".probmix-{}-{}.tmp", ::getpid(), counter++);
    fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (fd < 0 && (errno == EEXIST || errno == EINTR));
  return fd;
}

fs::path folder_of(const fs::path& file) {
  return file.has_parent_path() ? file.parent_path() : ".";
}

}  // namespace

AtomicFile::AtomicFile(fs::path path) : path_(std::move(path)) {
  struct stat old {};
  const bool exists = ::stat(path_.c_str(), &old) == 0;
  if (!exists && errno != ENOENT) fail_to_write(path_, "opening", errno);
  if (exists && !S_ISREG(old.st_mode)) {
    out_.reset(::open(path_.c_str(), O_WRONLY | O_CLOEXEC));
    if (out_.get() < 0) fail_to_write(path_, "opening", errno);
    return;
  }
  target_ = resolve_links(path_);
  fs::path name;
  out_.reset(create_temporary(folder_of(target_), name));
  if (out_.get() < 0) fail_to_write(path_, "creating a file beside it", errno);
  temporary_ = name;
  if (exists && ::fchmod(out_.get(), old.st_mode & 07777) != 0) {
    const int error = errno;
    ::unlink(temporary_.c_str());
    fail_to_write(path_, "setting permissions", error);
  }
}

AtomicFile::~AtomicFile() {
  if (replaces()) ::unlink(temporary_.c_str());
}

void AtomicFile::write(std::string_view content) { write_all(out_.get(), content, path_); }

void AtomicFile::commit() {
  if (replaces() && !sync(out_.get())) fail_to_write(path_, "syncing", errno);
  if (out_.close() != 0) fail_to_write(path_, "closing", errno);
  if (!replaces()) return;
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail_to_write(path_, "renaming", errno);
  temporary_.clear();
  Descriptor parent(::open(folder_of(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (parent.get() >= 0 && !sync(parent.get())) {
    fail_to_write(path_, "syncing its directory", errno);
  }
}

void write_file_atomically(const fs::path& path, std::string_view content) {
  AtomicFile file(path);
  file.write(content);
  file.commit();
}

}  // namespace probmix
