// The one list of families. A new one is a header, its include and its entry in `Family`: names,
// make_family and the shared test suite follow.
#pragma once

#include <span>
#include <string_view>
#include <variant>

#include "probmix/family/bernoulli.hpp"
#include "probmix/family/beta.hpp"
#include "probmix/family/categorical.hpp"
#include "probmix/family/exponential.hpp"
#include "probmix/family/gamma.hpp"
#include "probmix/family/gaussian.hpp"
#include "probmix/family/options.hpp"
#include "probmix/family/poisson.hpp"

namespace probmix {

// Code for all families is a template that std::visit instantiates: one branch per call, and the
// family's functions inlined into the loop over rows.
using Family = std::variant<Gaussian, Categorical, Bernoulli, Poisson, Gamma, Beta>;

// In the order of the list.
std::span<const std::string_view> family_names();

std::string_view family_name(const Family& family);

// The responses are numbers of classes (bernoulli, categorical).
bool has_classes(const Family& family);

// Throws a UsageError that lists the accepted names, or says which option the family refuses.
Family make_family(std::string_view name, const FamilyOptions& options = {});

}  // namespace probmix
