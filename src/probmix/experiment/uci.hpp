// The paper's UCI regressions: eight tables with 20 published splits each. NLL and RMSE are in the
// units of the data.
//
// The paper leaves α, β, the batch and the variance floor open; docs/results/uci.md has the
// experiments that this preset rests on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "probmix/data/uci.hpp"
#include "probmix/experiment/study.hpp"
#include "probmix/experiment/trial.hpp"
#include "probmix/nn/architecture.hpp"

namespace probmix {

struct UciStudy {
  double validation = 0.2;  // of the training rows of a split
  std::uint64_t seed = 1;
  TrialOptions trial{
      .train = {.epochs = 1000, .batch = 128, .optimiser = {.learning_rate = 0.005}}};
  MlpOptions network{.hidden = {128, 32}};
  FamilyOptions family{.positive = {Positive::Kind::exp, 1e-4}};
};

// What a run is known by: dataset (its name, and a fingerprint of its numbers and of the split),
// split, method and every option.
Json configuration_of(const UciStudy& study, const UciData& data, const Method& method,
                      Index split);

// {"train", "validation", "test"} with the scores of each, and what the training says of itself.
Json run_uci(const UciStudy& study, const UciData& data, const Method& method, Index split);

// One cell for each data set and method; its repeats are the splits. The data must outlive them.
std::vector<StudyCell> uci_cells(const UciStudy& study, const std::vector<UciData>& sets,
                                 const std::vector<const Method*>& chosen);

}  // namespace probmix
