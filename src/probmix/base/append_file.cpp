#include "probmix/base/append_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "probmix/base/error.hpp"

namespace probmix {
namespace {

namespace fs = std::filesystem;

int open_or_create(const fs::path& path) {
  int fd = -1;
  do {
    // Never block on a pipe or acquire a terminal: fstat checks below what was opened.
    fd =
        ::open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0666);
  } while (fd < 0 && errno == EINTR);
  return fd;
}

// Makes the directory entry of a new file survive a crash, as its lines do.
void sync_directory(const fs::path& path) {
  std::error_code ignored;
  const fs::path directory = fs::canonical(path, ignored).parent_path();
  const Descriptor parent(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (parent.get() >= 0 && !sync(parent.get())) {
    fail_to_write(path, "syncing its directory", errno);
  }
}

}  // namespace

AppendFile::AppendFile(fs::path path) : path_(std::move(path)), file_(open_or_create(path_)) {
  if (file_.get() < 0) fail_to_write(path_, "opening", errno);
  struct stat found {};
  if (::fstat(file_.get(), &found) != 0) fail_to_write(path_, "opening", errno);
  check(S_ISREG(found.st_mode), "cannot write '{}': it is not a regular file; choose another path",
        path_.string());
  if (::flock(file_.get(), LOCK_EX | LOCK_NB) != 0) {
    check(errno != EWOULDBLOCK,
          "cannot write '{}': another process is writing it; wait until it has finished, or "
          "choose another path",
          path_.string());
    fail_to_write(path_, "locking", errno);
  }
  if (found.st_size == 0) sync_directory(path_);
}

std::string AppendFile::read() const {
  std::string content;
  std::string block(std::size_t{1} << 16, '\0');
  for (;;) {
    const ssize_t got =
        ::pread(file_.get(), block.data(), block.size(), static_cast<off_t>(content.size()));
    if (got == 0) return content;
    if (got > 0) {
      content.append(block, 0, static_cast<std::size_t>(got));
    } else if (errno != EINTR) {
      fail_to_write(path_, "reading", errno);
    }
  }
}

void AppendFile::truncate(std::size_t size) {
  if (::ftruncate(file_.get(), static_cast<off_t>(size)) != 0) {
    fail_to_write(path_, "truncating", errno);
  }
}

void AppendFile::append(std::string_view line) {
  check(!broken_, "cannot write '{}': an earlier line could not be written", path_.string());
  const off_t before = ::lseek(file_.get(), 0, SEEK_END);
  if (before < 0) fail_to_write(path_, "seeking", errno);
  try {
    write_all(file_.get(), std::string(line) + '\n', path_);
    if (!sync(file_.get())) fail_to_write(path_, "syncing", errno);
  } catch (...) {
    broken_ = ::ftruncate(file_.get(), before) != 0;
    throw;
  }
}

}  // namespace probmix
