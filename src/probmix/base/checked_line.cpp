#include "probmix/base/checked_line.hpp"

#include <fmt/format.h>

#include "probmix/base/fingerprint.hpp"

namespace probmix {
namespace {

constexpr std::string_view check_start = R"(,"check":")";
constexpr std::size_t check_length = check_start.size() + 16 + 2;

std::string checksum_of(std::string_view line) {
  Fingerprint print;
  print.add_words(line);
  return print.text();
}

}  // namespace

std::string with_checksum(std::string line) {
  line.pop_back();
  return fmt::format("{}{}{}\"}}", line, check_start, checksum_of(line));
}

bool has_right_checksum(std::string_view line) {
  if (line.size() < check_length) return false;
  const std::string_view before = line.substr(0, line.size() - check_length);
  return line.substr(before.size()) == fmt::format("{}{}\"}}", check_start, checksum_of(before));
}

}  // namespace probmix
