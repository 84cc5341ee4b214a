// What a family may be asked for; every family's make() takes what it knows and refuses the rest.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "probmix/base/error.hpp"
#include "probmix/family/positive.hpp"

namespace probmix {

class AnyDensity;

struct FamilyOptions {
  static constexpr int most_components = 16;

  int responses = 1;   // columns of y (gaussian, gaussian-full, student-t)
  int classes = 2;     // number of classes (categorical)
  int components = 3;  // Gaussians of a mixture (gaussian-mixture)
  // One learned variance for all x and all responses (gaussian), or one covariance (gaussian-full).
  bool homoscedastic = false;
  Positive positive{};  // link of positive parameters (gaussian, gamma, beta)
  double unit = 1;      // of a response, in that of the table (zero_inflated.hpp says what for)
  // Targets at or beyond these bounds are only known to be there (model/censoring.hpp): a number,
  // or a column of bounds; empty: all targets were observed.
  std::string censored_below = {}, censored_above = {};
  std::shared_ptr<const AnyDensity> custom = nullptr;  // a density of one's own (custom.hpp)
};

// For the families of a single response without a variance of their own.
inline void check_plain(std::string_view family, const FamilyOptions& options) {
  check_usage(options.responses == 1, "the {} family models 1 response column, not {}", family,
              options.responses);
  check_usage(!options.homoscedastic, "`homoscedastic` applies to gaussian families, not to {}",
              family);
}

}  // namespace probmix
