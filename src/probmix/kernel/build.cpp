#include "probmix/kernel/build.hpp"

#include <fmt/format.h>
#include <hwy/highway.h>

#include "probmix/base/version.hpp"

namespace probmix {

const std::string& build_version() {
  static const std::string text = [] {
#ifdef __clang__
    const std::string compiler =
        fmt::format("Clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
    const std::string compiler = fmt::format("GCC {}", __VERSION__);
#endif
    const auto targets = hwy::SupportedTargets() & HWY_TARGETS;  // the best has the lowest bit
    return fmt::format("{}, {}, {}", library_version(), compiler,
                       hwy::TargetName(targets & -targets));
  }();
  return text;
}

}  // namespace probmix
