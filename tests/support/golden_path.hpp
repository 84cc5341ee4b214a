// Where the golden values lie that the scripts of tests/golden write.
#pragma once

#include <string>

namespace probmix::test {

std::string golden_path(const std::string& name);

}  // namespace probmix::test
