#include "probmix/options/candidates.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "probmix/options/option.hpp"

namespace probmix {
namespace {

// A large table takes long, and its networks differ less: the default preset then has the first
// method only.
constexpr Index many_rows = 5000;

bool varies_encoding(const FitOptions& options) {
  return held_out_rows_choose(options) && !options.encode &&
         options.architecture.kind == ArchitectureKind::mlp;
}

bool varies_method(const FitOptions& options) {
  return held_out_rows_choose(options) && !options.method;
}

}  // namespace

bool held_out_rows_choose(const FitOptions& options) {
  return options.preset != Preset::fast && options.validation > 0 && options.train.select_best;
}

std::vector<FitOptions> candidates(const FitOptions& options, Index rows) {
  std::vector<std::optional<Method>> methods = {options.method};
  const auto add_method = [&](const char* name) { methods.emplace_back(find_method(name)); };
  if (varies_method(options)) {
    if (options.preset == Preset::best || rows < many_rows) add_method("m-probmix");
    if (options.preset == Preset::best) add_method("erm"), add_method("m-mix");
  }
  std::vector<std::optional<Encode>> encodings = {options.encode};
  if (varies_encoding(options)) encodings.emplace_back(Encode::none);

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

std::vector<std::string> varied_options(const FitOptions& options) {
  std::vector<std::string> names;
  if (varies_encoding(options)) names.emplace_back("encode");
  if (varies_method(options)) names.emplace_back("method");
  if (held_out_rows_choose(options) && options.family.empty()) names.emplace_back("family");
  return names;
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
    for (const auto& entry : as_text(of_one)) {
      const std::string& name = entry.first;
      const bool differs = std::ranges::any_of(values, [&](const Json& other) {
        return other.contains(name) && other.at(name) != of_one.at(name);
      });
      if (differs) parts.push_back(fmt::format("{} {}", name, entry.second));
    }
    names.push_back(fmt::format("{}", fmt::join(parts, ", ")));
  }
  return names;
}

}  // namespace probmix
