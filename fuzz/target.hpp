// What is fuzzed: each target feeds arbitrary bytes to commands of the program, as files or
// options. A crash, a sanitizer's finding, a time-out or a failed check of its own (std::abort) is
// a finding.
#pragma once

#include <random>
#include <string>
#include <string_view>

namespace probmix::fuzz {

using Chance = std::minstd_rand;

struct Target {
  std::string_view name;
  bool (*run)(std::string_view bytes);  // whether all of its commands succeeded
  // Changes a well-formed input so that it stays nearly well-formed, checksums included; empty if
  // the input is not well-formed.
  std::string (*mutate)(std::string_view bytes, Chance& chance);
};

// The target of this name. Ends the program with a message if there is none.
const Target& target(std::string_view name);

}  // namespace probmix::fuzz
