#include "probmix/mix/method.hpp"

#include "probmix/base/error.hpp"

namespace probmix {

const Method& find_method(std::string_view name) {
  return methods[check_choice("method", name, method_names)];
}

}  // namespace probmix
