#include "probmix/model/prediction_table.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <set>

#include "probmix/base/error.hpp"
#include "probmix/base/printable.hpp"
#include "probmix/data/csv_write.hpp"

namespace probmix {
namespace {

constexpr int usual_digits = 8;  // more than the network's precision

// Enough digits to show usual_digits of what the network models, which is shifted: in 1.7e9 ± 10
// the first eight digits carry no information.
int digits_of(const Target& target, Index k) {
  constexpr int most = std::numeric_limits<double>::max_digits10;
  const double ratio = std::abs(target.shift[to_size(k)]) / target.scale[to_size(k)];
  const double more = std::floor(std::log10(std::max(ratio, 1.0)));
  return usual_digits + static_cast<int>(std::min<double>(more, most - usual_digits));
}

void add_number(double value, std::string& text, int digits = usual_digits) {
  if (!text.empty()) text += ',';
  fmt::format_to(std::back_inserter(text), "{:.{}g}", value, digits);
}

void add_text(std::string_view value, bool safe, std::string& text) {
  if (!text.empty()) text += ',';
  text += csv_field(value, safe);
}

void check_open(std::string_view what, const std::vector<double>& probabilities) {
  for (const double p : probabilities) {
    check_usage(p > 0 && p < 1, "{} need probabilities between 0 and 1, not {}", what, p);
  }
}

}  // namespace

PredictionTable::PredictionTable(const Model& model, PredictionOptions options)
    : model_(model), options_(std::move(options)), quantiles_(options_.quantiles) {
  check_open("quantiles", options_.quantiles);
  check_open("intervals", options_.intervals);
  check_range("samples", options_.samples, 0, 100'000);
  for (const double y : options_.grid) {
    check_usage(std::isfinite(y), "a density can be given only at finite values, not at {}", y);
  }
  check_usage(!model.target.has_classes() || options_.grid.empty(),
              "classes have no density on a grid; their probabilities are always given");
  for (const double p : options_.intervals) {
    quantiles_.push_back((1 - p) / 2);
    quantiles_.push_back((1 + p) / 2);
  }
  name_columns();
}

void PredictionTable::name_columns() {
  for (const std::string& name : model_.target.names) {
    const auto add = [&]<class... Args>(fmt::format_string<Args...> what, Args&&... args) {
      columns_.push_back(name + "_" + fmt::format(what, std::forward<Args>(args)...));
    };
    if (model_.target.has_classes()) {
      add("class");
      for (const std::string& label : model_.target.classes) add("p_{}", label);
    } else {
      if (options_.mean) add("mean");
      if (options_.deviation) add("sd");
      if (options_.split_deviation) {
        add("sd_data");
        add("sd_model");
      }
      for (const double u : options_.quantiles) add("q{}", u);
      for (const double p : options_.intervals) {
        add("low{:g}", 100 * p);
        add("high{:g}", 100 * p);
      }
      for (const double y : options_.grid) add("density_at_{}", y);
    }
    for (Index s = 1; s <= options_.samples; ++s) add("sample{}", s);
  }
  std::set<std::string_view> seen;
  for (const std::string& name : columns_) {
    check_usage(seen.insert(name).second, "the column {} would appear twice", in_quotes(name));
  }
}

bool PredictionTable::add(const Predictive& density, Index number, std::string& text) const {
  if (!density.is_finite()) {
    text.append(columns_.size() - 1, ',');
    return false;
  }
  if (model_.target.has_classes()) {
    add_classes(density, number, text);
  } else {
    add_numbers(density, number, text);
  }
  return true;
}

void PredictionTable::add_classes(const Predictive& density, Index number,
                                  std::string& text) const {
  const std::vector<std::string>& names = model_.target.classes;
  const std::vector<double> p = density.probabilities();
  add_text(names[static_cast<std::size_t>(std::ranges::max_element(p) - p.begin())],
           options_.safe_csv, text);
  for (const double probability : p) add_number(probability, text);
  Stream stream(model_.seed, Purpose::sample, static_cast<std::uint64_t>(number));
  for (Index s = 0; s < options_.samples; ++s) {
    double drawn = 0;
    density.sample(stream, &drawn);
    add_text(names.at(static_cast<std::size_t>(drawn)), options_.safe_csv, text);
  }
}

void PredictionTable::add_numbers(const Predictive& density, Index number,
                                  std::string& text) const {
  const Index targets = std::ssize(model_.target.names);
  Matrix<double> samples(options_.samples, targets);  // drawn jointly
  Stream stream(model_.seed, Purpose::sample, static_cast<std::uint64_t>(number));
  for (Index s = 0; s < options_.samples; ++s) density.sample(stream, samples.row(s));
  for (Index k = 0; k < targets; ++k) {
    const int digits = digits_of(model_.target, k);
    if (options_.mean) add_number(density.mean(k), text, digits);
    if (options_.deviation) add_number(density.deviation(k), text);
    if (options_.split_deviation) {
      add_number(density.data_deviation(k), text);
      add_number(density.model_deviation(k), text);
    }
    for (const double u : quantiles_) add_number(density.quantile(k, u), text, digits);
    for (const double y : options_.grid) add_number(std::exp(density.log_density(k, y)), text);
    for (Index s = 0; s < options_.samples; ++s) add_number(samples(s, k), text, digits);
  }
}

}  // namespace probmix
