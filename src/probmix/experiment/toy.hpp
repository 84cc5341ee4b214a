// What the paper's toy problems share: a hundred rows, a small MLP, and a study of all methods over
// a grid. The preset holds the choices that the paper leaves open and that docs/results explains.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "probmix/data/split.hpp"
#include "probmix/data/synthetic.hpp"
#include "probmix/experiment/study.hpp"
#include "probmix/experiment/trial.hpp"
#include "probmix/nn/architecture.hpp"

namespace probmix {

struct ToyOptions {
  Index rows = 100;
  Index test_rows = 1000;  // of each kind
  double validation = 0.2;
  bool new_data = false;  // a new data set for each run, instead of one for all
  std::uint64_t seed = 1;
  TrialOptions trial{.train = {.epochs = 500, .optimiser = {.learning_rate = 0.01}}};
  MlpOptions network{.hidden = {128, 64}};
};

Json configuration_of(const ToyOptions& toy, const Method& method, Index run);
void check_toy_options(const ToyOptions& toy, const Method& method);

inline std::uint64_t toy_data_seed(const ToyOptions& toy, Index run) {
  return derive_seed(toy.seed, toy.new_data ? 2 * static_cast<std::uint64_t>(run) : 0);
}
inline std::uint64_t toy_run_seed(const ToyOptions& toy, Index run) {
  return derive_seed(toy.seed, 2 * static_cast<std::uint64_t>(run) + 1);
}

// The chosen rows of a sample.
inline Sample take_rows(const Sample& sample, const std::vector<Index>& rows) {
  return {take_rows(View<const double>(sample.x.view()), rows),
          take_rows(View<const double>(sample.y.view()), rows)};
}

// The cells of a study, one for each method; the first runs have pictures. A problem brings
// check_toy(toy, method), which throws a UsageError for what can be told to be wrong before any
// training, configuration_of(toy, method, run) and run_toy(toy, method, run, pictures).
template <class Toy>
std::vector<StudyCell> toy_cells(const Toy& toy, const std::vector<const Method*>& chosen) {
  std::vector<StudyCell> cells;
  for (const Method* const method : chosen) {
    const auto with = [toy](const MixOptions& mix) {
      Toy at = toy;
      at.trial.mix = mix;
      return at;
    };
    cells.push_back(
        {.name = std::string(method->name),
         .check = [with, method](const MixOptions& mix) { check_toy(with(mix), *method); },
         .run =
             [with, method](const MixOptions& mix, Index run) {
               const Toy at = with(mix);
               return StudyRun{configuration_of(at, *method, run),
                               [at, method, run] { return run_toy(at, *method, run, run == 0); }};
             }});
  }
  return cells;
}

}  // namespace probmix
