#include "support/golden_path.hpp"

namespace probmix::test {

std::string golden_path(const std::string& name) {
  return std::string(PROBMIX_GOLDEN_DIR) + "/" + name;
}

}  // namespace probmix::test
