// Every choice of a training on a table. The defaults are those that did best on average over eight
// tables (docs/defaults.md).
//
// option_list.cpp declares each choice once: its name, range and help, and who makes use of it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "probmix/data/series.hpp"
#include "probmix/family/options.hpp"
#include "probmix/mix/method.hpp"
#include "probmix/mix/options.hpp"
#include "probmix/nn/architecture.hpp"
#include "probmix/train/fit.hpp"

namespace probmix {

// Which rows are held out to choose the epoch.
enum class ValidationRows { random, last };
inline constexpr std::array<std::string_view, 2> validation_rows_names = {"random", "last"};

// The validation NLL that chooses the epoch: with the mean of a random embedding, or of the
// mixture over its draws, which is what predictions are.
enum class SelectBy { mean, mixture };
inline constexpr std::array<std::string_view, 2> select_by_names = {"mean", "mixture"};

struct FitOptions {
  std::vector<std::string> targets = {};
  std::vector<std::string> inputs = {};  // empty: all columns without another use
  std::string weights = {};              // a column; empty: all rows weigh 1
  Index most_levels = 50;  // of a category, the most frequent ones, that have an input of their own
  Index embed_from = 0;    // levels from which on a category has a learned embedding; 0: none
  SeriesShape series = {};
  SeriesRules rules = {};
  double validation = 0.2;                             // share of the rows
  std::optional<ValidationRows> validation_rows = {};  // none: last in time, if there is a time
  std::string family = {};                             // empty: the one that suits the target
  FamilyOptions family_options = FamilyOptions();      // as in Target::options
  Method method = find_method("probmix");
  MixOptions mix{.alpha = 0.1};
  TrainOptions train{
      .epochs = 1000, .batch = 128, .optimiser = {.learning_rate = {}}, .patience = {}};
  SelectBy select_by = SelectBy::mean;
  Architecture architecture{.mlp = {.hidden = {128, 32}}};
  Index members = 100;  // draws of a random embedding that make a prediction
  std::uint64_t seed = 1;
};

// With what depends on other options filled in: learning rate, patience, which embedding is
// activated, which rows are held out, the draws that choose the epoch. The same again for its own
// result.
FitOptions resolved(FitOptions options);

// Throws a UsageError that names the first option outside of what is accepted, or that contradicts
// another.
void check_options(const FitOptions& options);

}  // namespace probmix
