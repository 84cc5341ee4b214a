// Fuzzes one target with libFuzzer: probmix_fuzz --target=model CORPUS ... ('make fuzz' runs them
// all).
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "target.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

const probmix::fuzz::Target* chosen = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  constexpr std::string_view flag = "--target=";
  std::string_view name;
  for (int k = 1; k < *argc; ++k) {
    const std::string_view argument = (*argv)[k];
    if (argument.starts_with(flag)) name = argument.substr(flag.size());
  }
  chosen = &probmix::fuzz::target(name);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  chosen->run({reinterpret_cast<const char*>(data), size});
  return 0;
}

// Mostly changes that keep the structure, and sometimes changes of bytes.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  probmix::fuzz::Chance chance(seed);
  if (chance() % 5 != 0) {
    const std::string mutant = chosen->mutate({reinterpret_cast<const char*>(data), size}, chance);
    if (!mutant.empty() && mutant.size() <= most) {
      std::ranges::copy(mutant, data);
      return mutant.size();
    }
  }
  return LLVMFuzzerMutate(data, size, most);
}
