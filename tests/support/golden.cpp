#include "support/golden.hpp"

#include <fstream>

namespace probmix::test {

nlohmann::json read_golden(const std::string& name) {
  std::ifstream file(std::string(PROBMIX_GOLDEN_DIR) + "/" + name);
  return nlohmann::json::parse(file);
}

}  // namespace probmix::test
