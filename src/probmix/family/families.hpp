// The one list of families. A new one is a header, its include and its entry in `Family`: names,
// make_family, proposals and the shared test suite follow.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "probmix/family/bernoulli.hpp"
#include "probmix/family/beta.hpp"
#include "probmix/family/categorical.hpp"
#include "probmix/family/custom.hpp"
#include "probmix/family/density.hpp"
#include "probmix/family/exponential.hpp"
#include "probmix/family/gamma.hpp"
#include "probmix/family/gaussian.hpp"
#include "probmix/family/gaussian_full.hpp"
#include "probmix/family/gaussian_mixture.hpp"
#include "probmix/family/lognormal.hpp"
#include "probmix/family/negative_binomial.hpp"
#include "probmix/family/options.hpp"
#include "probmix/family/poisson.hpp"
#include "probmix/family/student_t.hpp"
#include "probmix/family/zero_inflated.hpp"

namespace probmix {

// Code for all families is a template that std::visit instantiates: one branch per call, and the
// family's functions inlined into the loop over rows. The last is whatever density a program
// brings.
using Family = std::variant<Gaussian, Categorical, Bernoulli, Poisson, Gamma, Beta, StudentT,
                            Lognormal, NegativeBinomial, ZeroInflatedPoisson,
                            ZeroInflatedNegativeBinomial, ZeroInflatedGamma, ZeroInflatedLognormal,
                            GaussianMixture, GaussianFull, CustomDensity>;

// The library's own, in the order of the list.
std::span<const std::string_view> family_names();

std::string_view family_name(const Family& family);

// The number of classes of the responses (bernoulli, categorical); 0: they are not classes.
int class_count(const Family& family);
bool has_classes(const Family& family);

// Two densities can be pooled log-linearly.
bool is_exponential(const Family& family);

// The statistics of an exponential family are of one response each.
bool has_separate_responses(const Family& family);

// The same density for a response that may be known by an interval alone (censored.hpp): twice as
// many response columns. Throws a UsageError if it has several responses or no log_tail.
Family with_censoring(const Family& family);
bool has_intervals(const Family& family);

// Throws a UsageError that lists the accepted names, or says which option the family refuses. With
// options.custom that density, whose name must be the one given and not one of the library's own.
Family make_family(std::string_view name, const FamilyOptions& options = {});

// The family that fits the values of a column (if needs_exponential, one that can be pooled
// log-linearly), and the reason in words for the user: "has real
// numbers". The hint, if there is one, says what else the values may be. Both follow the name of
// the column.
struct FamilyProposal {
  std::string family = {};
  std::string reason = {};
  std::string hint = {};
  std::vector<std::string> rivals = {};  // other families that may suit them better
};
FamilyProposal propose_family(const ColumnFacts& facts, bool needs_exponential = false);

}  // namespace probmix
