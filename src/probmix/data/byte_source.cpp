#include "probmix/data/byte_source.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "probmix/base/descriptor.hpp"
#include "probmix/base/error.hpp"
#include "probmix/base/printable.hpp"

namespace probmix {
namespace {

constexpr std::size_t piece = std::size_t{1} << 16;

class FileSource final : public ByteSource {
 public:
  FileSource(int fd, std::string name) : ByteSource(std::move(name)), fd_(fd) {
    if (fstat(fd_.get(), &opened_) != 0) fail(errno);
    if (S_ISDIR(opened_.st_mode)) fail(EISDIR);
  }

  std::size_t read(std::span<char> out) override {
    for (;;) {
      const ssize_t got = ::read(fd_.get(), out.data(), out.size());
      if (got > 0) return static_cast<std::size_t>(got);
      if (got == 0) {
        check_unchanged();
        return 0;
      }
      if (errno != EINTR) fail(errno);
    }
  }

 private:
  [[noreturn]] void fail(int error) const {
    throw Error(fmt::format("cannot read '{}': {}; give the path of a readable file", name(),
                            std::strerror(error)));
  }

  void check_unchanged() const {
    struct stat now {};
    if (!S_ISREG(opened_.st_mode) || fstat(fd_.get(), &now) != 0) return;
    const bool same = now.st_size == opened_.st_size &&
                      now.st_mtim.tv_sec == opened_.st_mtim.tv_sec &&
                      now.st_mtim.tv_nsec == opened_.st_mtim.tv_nsec;
    check(same, "'{}' changed while it was being read; wait until it is complete, then try again",
          name());
  }

  Descriptor fd_;
  struct stat opened_ {};
};

class TextSource final : public ByteSource {
 public:
  TextSource(std::string_view text, std::string name) : ByteSource(std::move(name)), rest_(text) {}

  std::size_t read(std::span<char> out) override {
    const std::size_t count = std::min(out.size(), rest_.size());
    std::copy_n(rest_.data(), count, out.data());
    rest_.remove_prefix(count);
    return count;
  }

 private:
  std::string_view rest_;
};

// A source whose first bytes have been peeked at.
class PeekedSource final : public ByteSource {
 public:
  explicit PeekedSource(std::unique_ptr<ByteSource> source)
      : ByteSource(source->name()), source_(std::move(source)) {
    while (head_.size() < 4) {
      char byte = 0;
      if (source_->read({&byte, 1}) == 0) break;
      head_.push_back(byte);
    }
  }

  bool starts_with(std::string_view magic) const {
    return std::string_view(head_.data(), head_.size()).starts_with(magic);
  }

  std::size_t read(std::span<char> out) override {
    if (head_.empty()) return source_->read(out);
    const std::size_t count = std::min(out.size(), head_.size());
    std::copy_n(head_.begin(), count, out.data());
    head_.erase(head_.begin(), head_.begin() + static_cast<std::ptrdiff_t>(count));
    return count;
  }

 private:
  std::unique_ptr<ByteSource> source_;
  std::vector<char> head_;
};

// Common to gzip and zstd: reads packed bytes, which must end where a frame ends.
class PackedSource : public ByteSource {
 public:
  explicit PackedSource(std::unique_ptr<ByteSource> packed)
      : ByteSource(packed->name()), packed_(std::move(packed)), buffer_(piece) {}

 protected:
  // The packed bytes not yet used; empty at the end.
  std::span<char> waiting() {
    if (begin_ == end_) {
      begin_ = 0;
      end_ = packed_->read(buffer_);
    }
    return std::span(buffer_).subspan(begin_, end_ - begin_);
  }
  void use(std::size_t count) { begin_ += count; }

  [[noreturn]] void fail_damaged(const char* format, const char* how) const {
    throw Error(fmt::format(
        "cannot read '{}': its {} data are damaged ({}); fetch it again, or unpack it yourself",
        name(), format, how));
  }
  [[noreturn]] void fail_short(const char* format) const {
    throw Error(
        fmt::format("cannot read '{}': its {} data are cut short; fetch it again", name(), format));
  }

 private:
  std::unique_ptr<ByteSource> packed_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;
};

class GzipSource final : public PackedSource {
 public:
  explicit GzipSource(std::unique_ptr<ByteSource> packed) : PackedSource(std::move(packed)) {
    constexpr int gzip_only = 15 + 16;
    check(inflateInit2(&stream_, gzip_only) == Z_OK, "not enough memory to unpack '{}'", name());
  }
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;
  ~GzipSource() override { inflateEnd(&stream_); }

  std::size_t read(std::span<char> out) override {
    for (;;) {
      const std::span<char> in = waiting();
      if (in.empty()) {
        if (inside_) fail_short("gzip");
        return 0;
      }
      stream_.next_in = reinterpret_cast<Bytef*>(in.data());
      stream_.avail_in = static_cast<uInt>(in.size());
      stream_.next_out = reinterpret_cast<Bytef*>(out.data());
      const auto room = static_cast<uInt>(std::min<std::size_t>(out.size(), 1 << 30));
      stream_.avail_out = room;
      inside_ = true;
      const int state = inflate(&stream_, Z_NO_FLUSH);
      use(in.size() - stream_.avail_in);
      if (state == Z_STREAM_END) {  // another member may follow
        inside_ = false;
        inflateReset(&stream_);
      } else if (state != Z_OK && state != Z_BUF_ERROR) {
        fail_damaged("gzip", stream_.msg == nullptr ? "not gzip" : stream_.msg);
      }
      if (stream_.avail_out < room) return room - stream_.avail_out;
    }
  }

 private:
  z_stream stream_{};
  bool inside_ = false;  // a member
};

class ZstdSource final : public PackedSource {
 public:
  explicit ZstdSource(std::unique_ptr<ByteSource> packed)
      : PackedSource(std::move(packed)), stream_(ZSTD_createDStream(), ZSTD_freeDStream) {
    check(stream_ != nullptr, "not enough memory to unpack '{}'", name());
  }

  std::size_t read(std::span<char> out) override {
    for (;;) {
      const std::span<char> bytes = waiting();
      // The decoder may still hold the last output: empty input flushes it.
      ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
      ZSTD_outBuffer unpacked{out.data(), out.size(), 0};
      const bool at_end = bytes.empty();
      if (at_end && !inside_) return 0;
      const std::size_t state = ZSTD_decompressStream(stream_.get(), &unpacked, &in);
      if (ZSTD_isError(state) != 0) fail_damaged("zstd", ZSTD_getErrorName(state));
      use(in.pos);
      inside_ = state != 0;
      if (unpacked.pos > 0) return unpacked.pos;
      if (at_end && inside_) fail_short("zstd");
    }
  }

 private:
  std::unique_ptr<ZSTD_DStream, std::size_t (*)(ZSTD_DStream*)> stream_;
  bool inside_ = false;  // a frame
};

}  // namespace

std::unique_ptr<ByteSource> text_source(std::string_view text, std::string name) {
  return std::make_unique<TextSource>(text, std::move(name));
}

std::unique_ptr<ByteSource> open_source(const std::string& path) {
  const bool standard = path == "-";
  const std::string name = standard ? "standard input" : printable(path);
  const int fd =
      standard ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const int error = errno;
  check(fd >= 0, "cannot read '{}': {}; give the path of a readable file", name,
        std::strerror(error));
  auto source = std::make_unique<PeekedSource>(std::make_unique<FileSource>(fd, name));
  if (source->starts_with("\x1f\x8b")) return std::make_unique<GzipSource>(std::move(source));
  if (source->starts_with("\x28\xb5\x2f\xfd")) {
    return std::make_unique<ZstdSource>(std::move(source));
  }
  return source;
}

std::string read_all(ByteSource& source, std::size_t limit) {
  std::string content;
  for (std::size_t filled = 0;;) {
    const std::size_t most = limit + (limit < content.max_size() ? 1 : 0);
    content.resize(std::min(std::max(piece, 2 * filled), most));
    const std::size_t got = source.read({content.data() + filled, content.size() - filled});
    filled += got;
    check(filled <= limit, "'{}' exceeds the limit of {} bytes; use a smaller file", source.name(),
          limit);
    if (got == 0) {
      content.resize(filled);
      return content;
    }
  }
}

}  // namespace probmix
