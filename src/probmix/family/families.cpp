#include "probmix/family/families.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "probmix/family/censored.hpp"

namespace probmix {
namespace {

// For each family of the list except the last, which is a program's own.
template <class Numbers>
struct Registry;

template <std::size_t... K>
struct Registry<std::index_sequence<K...>> {
  template <std::size_t N>
  using At = std::variant_alternative_t<N, Family>;
  static_assert((Density<At<K>> && ...));
  using Make = Family (*)(const FamilyOptions&);

  static constexpr std::array<std::string_view, sizeof...(K)> names{At<K>::name...};
  static constexpr std::array<Make, sizeof...(K)> makers{
      [](const FamilyOptions& options) { return Family(At<K>::make(options)); }...};

  // use.operator()<F>() for each.
  template <class Use>
  static void for_each(const Use& use) {
    (use.template operator()<At<K>>(), ...);
  }
};

constexpr std::size_t own = std::variant_size_v<Family> - 1;
static_assert(std::is_same_v<std::variant_alternative_t<own, Family>, CustomDensity>);
static_assert(Density<CustomDensity>);
using Own = Registry<std::make_index_sequence<own>>;

}  // namespace

std::span<const std::string_view> family_names() { return Own::names; }

std::string_view family_name(const Family& family) {
  return std::visit([](const auto& f) -> std::string_view { return f.name; }, family);
}

int class_count(const Family& family) {
  return std::visit([](const auto& f) { return f.classes(); }, family);
}

bool has_classes(const Family& family) { return class_count(family) > 0; }

bool is_exponential(const Family& family) {
  return std::visit([]<class F>(const F&) { return ExponentialFamily<F>; }, family);
}

bool has_separate_responses(const Family& family) {
  return std::visit(
      []<class F>(const F& f) {
        return f.responses() == 1 || !requires { F::responses_depend; };
      },
      family);
}

Family with_censoring(const Family& family) {
  return std::visit(
      [&]<class F>(const F& f) -> Family {
        check_usage(f.responses() == 1, "only a single target can be censored, not {}",
                    f.responses());
        if constexpr (HasTails<F>) return CustomDensity(custom_density(Censored<F>{f}));
        std::string able;
        Own::for_each([&]<class G>() {
          if constexpr (HasTails<G>) able += (able.empty() ? "" : ", ") + std::string(G::name);
        });
        throw UsageError(
            fmt::format("the {} family does not take censored targets; choose one that does: {}",
                        f.name, able));
      },
      family);
}

bool has_intervals(const Family& family) {
  const auto* const custom = std::get_if<CustomDensity>(&family);
  return custom != nullptr && custom->has_intervals();
}

Family make_family(std::string_view name, const FamilyOptions& options) {
  if (options.custom == nullptr) {
    return Own::makers[check_choice("family", name, family_names())](options);
  }
  const std::string_view given = options.custom->name();
  check_usage(std::ranges::find(family_names(), given) == family_names().end(),
              "a custom density needs its own name: {} is one of the library's", given);
  check_usage(name == given,
              "the {} density was handed in, but the family asked for is {}; name the family {}",
              given, name.empty() ? "none" : name, given);
  return CustomDensity::make(options);
}

FamilyProposal propose_family(const ColumnFacts& facts, bool needs_exponential) {
  FamilyProposal best;
  int rank = -1;
  bool is_class = false;
  bool is_count = false;
  Own::for_each([&]<class F>() {
    if constexpr (requires { F::proposal(facts); }) {
      if (needs_exponential && !ExponentialFamily<F>) return;
      std::optional<Proposal> proposal = F::proposal(facts);
      if (proposal && proposal->rank > rank) {
        rank = proposal->rank;
        best.family = F::name;
        best.reason = std::move(proposal->reason);
        is_class = F().classes() > 0;
        is_count = F::discrete && !is_class;
      }
    }
  });
  Own::for_each([&]<class F>() {
    if constexpr (requires { F::is_rival(facts); }) {
      if (!is_class && F::name != best.family && F::is_rival(facts)) {
        best.rivals.emplace_back(F::name);
      }
    }
    if constexpr (requires { F::hint(facts); }) {
      const bool is_of_counts = F::discrete && F().classes() == 0;
      if (best.hint.empty() && !is_class && !(is_of_counts && is_count)) best.hint = F::hint(facts);
    }
  });
  return best;
}

}  // namespace probmix
