// Predictive densities as rows of a CSV file.
#pragma once

#include <string>
#include <vector>

#include "probmix/model/model.hpp"
#include "probmix/model/predictive.hpp"

namespace probmix {

// What to report of a density. For classes: the most probable one, all probabilities, samples.
struct PredictionOptions {
  bool mean = true;
  bool deviation = true;
  bool split_deviation = false;  // also its parts, of the data and of the model
  std::vector<double> quantiles = {0.05, 0.5, 0.95};
  std::vector<double> intervals = {};  // probabilities of central intervals
  std::vector<double> grid = {};       // values at which to report the density
  Index samples = 0;
  bool safe_csv = false;  // class names that a spreadsheet would run as formulas become text
};

class PredictionTable {
 public:
  // Throws a UsageError for what cannot be reported. The model must outlive this.
  PredictionTable(const Model& model, PredictionOptions options);

  // Names of the columns: "price_mean", "price_sd_data", "price_q0.05",
  // "town_p_Gent".
  const std::vector<std::string>& columns() const { return columns_; }

  // Appends the fields of a row, separated by commas, to `text`. The samples depend on `number`,
  // the row's number. Returns false, with empty fields, if the density is not finite.
  bool add(const Predictive& density, Index number, std::string& text) const;

 private:
  void name_columns();
  void add_classes(const Predictive& density, Index number, std::string& text) const;
  void add_numbers(const Predictive& density, Index number, std::string& text) const;

  const Model& model_;
  PredictionOptions options_;
  std::vector<double> quantiles_;  // including the ends of intervals
  std::vector<std::string> columns_;
};

}  // namespace probmix
