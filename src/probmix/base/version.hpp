// The version of this library and of the program built from it.
#pragma once

#include <string_view>

namespace probmix {

// "0.1.0", as set in CMakeLists.txt.
std::string_view library_version();

}  // namespace probmix
