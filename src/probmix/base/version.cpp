#include "probmix/base/version.hpp"

namespace probmix {

std::string_view library_version() { return PROBMIX_VERSION; }

}  // namespace probmix
