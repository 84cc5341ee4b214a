#include "probmix/options/trial.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "probmix/base/error.hpp"
#include "probmix/base/random.hpp"
#include "probmix/options/option.hpp"

namespace probmix {
namespace {

struct Searched {
  std::string_view name;
  std::vector<Json> values;  // equally likely; one that stands twice is twice as likely
};

std::vector<Searched> search_space(const FitOptions& given, Index rows, bool pools_log_linearly) {
  const bool is_mlp = given.architecture.kind == ArchitectureKind::mlp;
  std::vector<Searched> space = {
      {"method", {"probmix", "m-probmix", "loc-probmix", "loc-m-probmix", "m-mix", "erm"}},
      {"learning-rate", is_mlp ? std::vector<Json>{0.0005, 0.001, 0.002, 0.005, 0.01}
                               : std::vector<Json>{0.0001, 0.0002, 0.0005, 0.001, 0.002}},
      {"weight-decay", {0.0, 0.0, 0.1, 1.0}},
      {"schedule", {"plateau", "plateau", "cosine", "one-cycle"}},
      {"average", {0.0, 0.0, 0.99}},
      {"alpha", {0.03, 0.1, 0.3, 1.0}},
      {"beta", {0.0, 0.0, 0.001, 0.01}},
      {"neighbours", {3, 5, 10}},
      {"dropout", {0.0, 0.0, 0.1, 0.2}}};
  if (pools_log_linearly) space.push_back({"pooling", {"linear", "log-linear"}});
  if (is_mlp) {
    space.push_back({"encode", {"ple", "ple", "none"}});
    space.push_back({"hidden", {{64, 64}, {128, 32}, {256, 64}, {128, 128, 64}}});
  }
  Searched batch{"batch", {32}};
  for (const Index size : {64, 128, 256, 512}) {
    if (4 * size <= rows) batch.values.emplace_back(size);
  }
  space.push_back(std::move(batch));
  return space;
}

bool is_searched(const FitOptions& given, const Option& option) {
  // Dropout is what mc-dropout is about.
  if (option.name == "dropout" && method_of(given).drops) return false;
  return option.get(given) == option.get(FitOptions()) &&
         std::ranges::count(given.fixed, option.name) == 0;
}

}  // namespace

FitOptions trial(const FitOptions& given, Index rows, Index number, bool pools_log_linearly) {
  FitOptions options = given;
  Stream random(derive_seed(given.seed, static_cast<std::uint64_t>(number)), Purpose::trials);
  for (const Searched& searched : search_space(given, rows, pools_log_linearly)) {
    const Option& option = *find_option(searched.name);
    // Drawn whether or not it was given, so that giving one option does not change the others.
    const Json& value =
        searched.values[random.below(static_cast<std::uint32_t>(searched.values.size()))];
    if (is_searched(given, option)) option.set(options, value);
  }
  return resolved(std::move(options), rows);
}

std::string trial_name(const FitOptions& first, const FitOptions& trial) {
  Json differences = Json::object();
  for (const Searched& searched : search_space(first, 0, true)) {
    const Option& option = *find_option(searched.name);
    if (!option.is_used(trial)) continue;
    if (option.is_used(first) && option.get(first) == option.get(trial)) continue;
    differences[std::string(searched.name)] = option.get(trial);
  }
  std::vector<std::string> parts;
  for (const auto& [name, text] : as_text(differences)) {
    parts.push_back(fmt::format("{} {}", name, text));
  }
  return parts.empty() ? "the options of the first variant"
                       : fmt::format("{}", fmt::join(parts, ", "));
}

std::vector<std::string> searched_options(const FitOptions& given) {
  std::vector<std::string> names;
  for (const Searched& searched : search_space(given, 0, true)) {
    if (is_searched(given, *find_option(searched.name))) names.emplace_back(searched.name);
  }
  return names;
}

}  // namespace probmix
