// Where the golden values are that the scripts of tests/golden write.
#pragma once

#include <string>

namespace probmix::test {

std::string golden_path(const std::string& name);

}  // namespace probmix::test
