#include "probmix/options/candidates.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "probmix/options/option.hpp"

namespace probmix {

namespace {

// A large table takes long, and its networks differ less: the default preset then has the first
// method only.
constexpr Index many_rows = 5000;

}  // namespace

std::vector<FitOptions> candidates(const FitOptions& options, Index rows) {
  const FitOptions first = resolved(options, rows);
  const bool chooses = options.preset != Preset::fast && first.validation > 0 &&
                       first.train.select_best;
  std::vector<std::optional<Method>> methods = {options.method};
  const auto add_method = [&](const char* name) { methods.emplace_back(find_method(name)); };
  if (chooses && !options.method) {
    if (options.preset == Preset::best || rows < many_rows) add_method("m-probmix");
    if (options.preset == Preset::best) add_method("erm"), add_method("m-mix");
  }
  std::vector<std::optional<Encode>> encodings = {options.encode};
  const bool is_mlp = first.architecture.kind == ArchitectureKind::mlp;
  if (chooses && is_mlp && !options.encode) encodings.emplace_back(Encode::none);

  std::vector<FitOptions> all;
  for (const auto& method : methods) {
    for (const auto& encoding : encodings) {
      FitOptions variant = options;
      variant.method = method;
      variant.encode = encoding;
      all.push_back(resolved(std::move(variant), rows));
    }
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
