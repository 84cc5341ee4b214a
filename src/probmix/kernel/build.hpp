// Which build of the program made a result: the arithmetic may depend on it.
#pragma once

#include <string>

namespace probmix {

// Such as "0.1.0, GCC 12.2.0, AVX2": version, compiler, and the instruction set of this machine.
const std::string& build_version();

}  // namespace probmix
