// The version of this library and of the program that is made from it.
#pragma once

#include <string_view>

namespace probmix {

// Such as "0.1.0", from CMakeLists.txt.
std::string_view library_version();

}  // namespace probmix
