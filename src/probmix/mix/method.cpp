#include "probmix/mix/method.hpp"

#include <algorithm>

#include "probmix/base/error.hpp"

namespace probmix {

const Method& find_method(std::string_view name) {
  return methods[check_choice("method", name, method_names)];
}

const Method* twin_of(const Method& method) {
  if (!method.probabilistic || method.embedding == Embedding::gaussian_separate) return nullptr;
  const Site site = method.site == Site::response ? Site::input : method.site;
  return std::ranges::find_if(methods, [&](const Method& other) {
    return !other.probabilistic && other.site == site && other.local == method.local;
  });
}

}  // namespace probmix
