#include "probmix/family/families.hpp"

#include <array>
#include <cstddef>

namespace probmix {
namespace {

template <class List>
struct Registry;

template <ExponentialFamily... F>
struct Registry<std::variant<F...>> {
  using Make = Family (*)(const FamilyOptions&);
  static constexpr std::array<std::string_view, sizeof...(F)> names{F::name...};
  static constexpr std::array<Make, sizeof...(F)> makers{
      [](const FamilyOptions& options) { return Family(F::make(options)); }...};
};

}  // namespace

std::span<const std::string_view> family_names() { return Registry<Family>::names; }

bool has_classes(const Family& family) {
  return std::visit([](const auto& f) { return f.classes() > 0; }, family);
}

std::string_view family_name(const Family& family) { return family_names()[family.index()]; }

Family make_family(std::string_view name, const FamilyOptions& options) {
  return Registry<Family>::makers[check_choice("family", name, family_names())](options);
}

}  // namespace probmix
