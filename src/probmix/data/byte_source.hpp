// Bytes from a file, a pipe or standard input, read in pieces. Gzip and zstd are recognised by
// their first bytes and unpacked.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace probmix {

class ByteSource {
 public:
  explicit ByteSource(std::string name) : name_(std::move(name)) {}
  virtual ~ByteSource() = default;

  // For messages.
  const std::string& name() const { return name_; }
  // Reads up to out.size() > 0 bytes and returns how many; 0 at the end and only there.
  // Throws a one-line Error if reading fails, packed data are damaged, or a file has changed since
  // it was opened.
  virtual std::size_t read(std::span<char> out) = 0;

 private:
  std::string name_;
};

// "-" means standard input.
std::unique_ptr<ByteSource> open_source(const std::string& path);

// The text must outlive the source.
std::unique_ptr<ByteSource> text_source(std::string_view text, std::string name);

// Reads a source to its end. Throws an Error if that is more than `limit` bytes.
std::string read_all(ByteSource& source, std::size_t limit);

}  // namespace probmix
