#include "probmix/base/descriptor.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "probmix/base/error.hpp"

namespace probmix {
namespace {

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
      return "make it and its directory writable, or choose another path";
    default:
      return "choose another path";
  }
}

}  // namespace

Descriptor::~Descriptor() {
  if (fd_ >= 0) ::close(fd_);
}

void Descriptor::reset(int fd) {
  if (fd_ >= 0) ::close(fd_);
  fd_ = fd;
}

int Descriptor::close() { return ::close(std::exchange(fd_, -1)); }

void fail_to_write(const std::filesystem::path& path, std::string_view action, int error) {
  throw Error(fmt::format("cannot write '{}': {} failed: {}; {}", path.string(), action,
                          std::strerror(error), remedy(error)));
}

void write_all(int fd, std::string_view content, const std::filesystem::path& path) {
  while (!content.empty()) {
    const ssize_t written = ::write(fd, content.data(), content.size());
    if (written >= 0) {
      content.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      fail_to_write(path, "writing", errno);
    }
  }
}

bool sync(int fd) { return ::fsync(fd) == 0 || errno == EINVAL || errno == ENOTSUP; }

}  // namespace probmix
