// Lets a map with string keys be searched by string_view.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

namespace probmix {

struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>()(text);
  }
};

}  // namespace probmix
