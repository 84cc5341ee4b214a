#include "probmix/base/json.hpp"

#include <array>

namespace probmix {

JsonFault nesting_fault(std::string_view text, std::size_t most_keys) {
  std::array<std::size_t, deepest_json + 1> keys{};  // seen so far, at each depth
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (in_string) {
      if (c == '\\') ++k;  // whatever it escapes
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      if (depth == deepest_json) return JsonFault::too_deep;
      keys[++depth] = 0;
    } else if ((c == '}' || c == ']') && depth > 0) {
      --depth;
    } else if (c == ':' && ++keys[depth] > most_keys) {
      return JsonFault::too_many_keys;
    }
  }
  return JsonFault::none;
}

}  // namespace probmix
