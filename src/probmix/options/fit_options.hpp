// All options of a training on a table. docs/defaults.md has the evidence for the defaults.
//
// data_options.cpp, training_options.cpp and model_options.cpp declare each option once: its name,
// range and help, and when it is used.
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

// The validation NLL that chooses the epoch: with the mean of a random embedding, or of the mixture
// over its draws, as in predictions.
enum class SelectBy { mean, mixture };
inline constexpr std::array<std::string_view, 2> select_by_names = {"mean", "mixture"};

// How an MLP sees numbers: as they are, or also by a learned piecewise-linear function of each,
// with knots at its quantiles (nn/encoded_linear.hpp).
enum class Encode { none, ple };
inline constexpr std::array<std::string_view, 2> encode_names = {"none", "ple"};

// What the options that are not given become: fast trains one network, standard and best ensembles
// of a few or of many variants (candidates.hpp), weighted by how well they predict held-out rows.
enum class Preset { fast, standard, best };
inline constexpr std::array<std::string_view, 3> preset_names = {"fast", "default", "best"};

// Where numbers and dates are clipped: at the 0.1 % and 99.9 % quantiles of the training rows, or
// three times their range beyond it.
enum class LimitInputs { quantiles, wide };
inline constexpr std::array<std::string_view, 2> limit_inputs_names = {"quantiles", "wide"};

struct FitOptions {
  Preset preset = Preset::standard;
  std::vector<std::string> targets = {};
  std::vector<std::string> inputs = {};  // empty: all columns not used otherwise
  std::string weights = {};              // a column; empty: all rows weigh 1
  Index most_levels = 50;  // per category; these get an input of their own, rarer ones share one
  Index embed_from = 0;    // categories with this many inputs or more get an embedding; 0: none
  LimitInputs limit_inputs = LimitInputs::quantiles;
  std::optional<Encode> encode = {};  // empty: by preset and network
  std::optional<Index> bins = {};     // of an encoded number; empty: by the number of rows
  SeriesShape series = {};
  SeriesRules rules = {};
  double validation = 0.2;  // share of the rows
  std::optional<ValidationRows> validation_rows =
      {};                                          // empty: the last in time, if there is a time
  std::string family = {};                         // empty: chosen by the held-out rows
  FamilyOptions family_options = FamilyOptions();  // as in Target::options
  std::optional<Method> method = {};               // empty: probmix, and others by preset
  MixOptions mix{.alpha = 0.1, .pooling = Pooling::linear};
  TrainOptions train{.epochs = {}, .batch = {}, .optimiser = {.learning_rate = {}}, .patience = {}};
  SelectBy select_by = SelectBy::mean;
  Architecture architecture{.mlp = {.hidden = {128, 32}}};
  std::optional<Index> ensemble = {};  // networks of each variant; empty: by preset
  std::optional<Index> members = {};   // draws per prediction and network; empty: by ensemble
  // Random settings that are tried besides the variants of the preset (trial.hpp).
  static constexpr Index most_trials = 10'000;
  Index trials = 0;
  std::vector<std::string> fixed = {};  // options that trials keep even at their default value
  // Seconds in which to train; trials go on while there is time. With a budget the result depends
  // on the speed of the machine. 0: no limit, and no trials but those asked for.
  double budget = 0;
  std::uint64_t seed = 1;
};

// Fills in the defaults that depend on other options: method, ensemble, encoding, learning rate,
// epochs, warm-up, dropout, embedding mean, validation rows, the draws that choose the epoch.
// Idempotent.
FitOptions resolved(FitOptions options);
// Also those that depend on the number of training rows: bins, batch, epochs and patience.
FitOptions resolved(FitOptions options, Index rows);

const Method& method_of(const FitOptions& options);  // probmix if none is given

// Throws a UsageError that names the first option that is not accepted or contradicts another.
void check_options(const FitOptions& options);

}  // namespace probmix
