// Predictive densities as rows of a CSV file.
#pragma once

#include <string>
#include <vector>

#include "probmix/model/model.hpp"
#include "probmix/model/predictive.hpp"

namespace probmix {

// What is told of a density. Of classes: the most probable one, all probabilities, and samples.
struct PredictionOptions {
  bool mean = true;
  bool deviation = true;
  std::vector<double> quantiles = {0.05, 0.5, 0.95};
  std::vector<double> intervals = {};  // probabilities of central intervals
  std::vector<double> grid = {};       // values at which the density is told
  Index samples = 0;
};

class PredictionTable {
 public:
  // Throws a UsageError for what cannot be told. The model must outlive it.
  PredictionTable(const Model& model, PredictionOptions options);

  // Names of the columns: "price_mean", "price_q0.05", "town_p_Gent".
  const std::vector<std::string>& columns() const { return columns_; }

  // Appends the fields of a row, with a comma before each but the first of an empty text. `number`
  // is that of the row, on which its samples depend.
  void add(const Predictive& density, Index number, std::string& text) const;

 private:
  void name_columns();
  void add_classes(const Predictive& density, Index number, std::string& text) const;
  void add_numbers(const Predictive& density, Index number, std::string& text) const;

  const Model& model_;
  PredictionOptions options_;
  std::vector<double> quantiles_;  // with the ends of intervals
  std::vector<std::string> columns_;
};

}  // namespace probmix
