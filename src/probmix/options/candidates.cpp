#include "probmix/options/candidates.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "probmix/options/option.hpp"

namespace probmix {

std::vector<FitOptions> candidates(const FitOptions& options) {
  std::vector<FitOptions> all = {resolved(options)};
  const FitOptions first = all.front();
  if (options.preset == Preset::fast || first.validation == 0 || !first.train.select_best) {
    return all;
  }
  const auto add = [&](auto change) {
    FitOptions variant = options;
    change(variant);
    all.push_back(resolved(std::move(variant)));
  };
  const bool is_mlp = first.architecture.kind == ArchitectureKind::mlp;
  const bool tries_encodings = is_mlp && !options.encode;
  const bool tries_methods = options.preset == Preset::best && !options.method;
  if (tries_encodings) add([](FitOptions& o) { o.encode = Encode::none; });
  if (!tries_methods) return all;
  for (const char* const name : {"erm", "m-mix", "m-probmix"}) {
    add([&](FitOptions& o) { o.method = find_method(name); });
    if (!tries_encodings) continue;
    add([&](FitOptions& o) {
      o.method = find_method(name);
      o.encode = Encode::none;
    });
  }
  return all;
}

std::vector<std::string> candidate_names(const std::vector<FitOptions>& candidates) {
  std::vector<Json> values;
  for (const FitOptions& options : candidates) {
    values.push_back(configuration_of(options, option_group::columns));
    values.back().update(configuration_of(options));
  }
  std::vector<std::string> names;
  for (const Json& of_one : values) {
    std::vector<std::string> parts;
    for (const auto& [name, text] : as_text(of_one)) {
      const Json& value = of_one.at(name);
      const bool differs = std::ranges::any_of(values, [&](const Json& other) {
        return other.contains(name) && other.at(name) != value;
      });
      if (differs) parts.push_back(fmt::format("{} {}", name, text));
    }
    names.push_back(fmt::format("{}", fmt::join(parts, ", ")));
  }
  return names;
}

}  // namespace probmix
