#include "probmix/paper/toys.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "probmix/base/error.hpp"
#include "probmix/data/synthetic.hpp"
#include "probmix/model/model_predictor.hpp"

namespace probmix {
namespace {

FitOptions toy_options() {
  return {.preset = Preset::fast,
          .limit_inputs = LimitInputs::wide,
          .mix = {},
          .train = {.epochs = 500, .optimiser = {.learning_rate = 0.01}},
          .architecture = {.mlp = {.hidden = {128, 64}}}};
}

// The rows of one sample after another, as columns of a table.
class TableOfSamples {
 public:
  explicit TableOfSamples(std::vector<std::string> names) : names_(std::move(names)) {
    columns_.resize(names_.size());
  }

  // Returns the examples that the rows become.
  std::vector<Index> add(const Sample& sample) {
    std::vector<Index> rows(to_size(sample.x.rows()));
    std::iota(rows.begin(), rows.end(), std::ssize(columns_.front()));
    for (Index r = 0; r < sample.x.rows(); ++r) {
      for (Index c = 0; c < sample.x.cols(); ++c) {
        columns_[to_size(c)].push_back(sample.x(r, c));
      }
      columns_.back().push_back(sample.y(r, 0));
    }
    return rows;
  }

  std::shared_ptr<const Frame> table() && {
    std::vector<std::pair<std::string, std::vector<double>>> named;
    for (std::size_t c = 0; c < names_.size(); ++c) {
      named.emplace_back(names_[c], std::move(columns_[c]));
    }
    return std::make_shared<const Frame>(make_frame(std::move(named)));
  }

 private:
  std::vector<std::string> names_;
  std::vector<std::vector<double>> columns_;
};

// Draws a sample: part 0 is for training, later parts are fresh rows to judge on.
using Draw = std::function<Sample(Index rows, std::uint64_t seed, std::uint64_t part)>;

std::shared_ptr<const StudyData> toy_data(StudyData data, const ToyData& toy,
                                          const std::vector<std::string>& columns, const Draw& draw,
                                          const std::vector<std::string>& judged) {
  check_range("rows", toy.rows, 2, 1'000'000);
  check_range("test rows", toy.test_rows, 1, 1'000'000);
  data.identity = {{"new-data", toy.new_data}, {"rows", toy.rows}, {"test-rows", toy.test_rows}};
  data.repeat = "run";
  data.has_crps = false;  // computing it would take longer than training
  data.options.inputs.assign(columns.begin(), columns.end() - 1);
  data.options.targets = {columns.back()};
  data.at = [toy, columns, draw, judged, seed = data.options.seed,
             validation = data.options.validation](Index run) -> StudyData::Case {
    const auto number = static_cast<std::uint64_t>(run);
    const std::uint64_t data_seed = derive_seed(seed, toy.new_data ? 2 * number : 0);
    TableOfSamples table(columns);
    table.add(draw(toy.rows, data_seed, 0));
    Split split = random_split(toy.rows, validation, data_seed);
    Fold fold{.train = std::move(split.train),
              .validation = std::move(split.validation),
              .number = number};
    for (const std::string& part : judged) {
      const std::uint64_t place = fold.judged.size() + 1;
      fold.judged.push_back({part, table.add(draw(toy.test_rows, data_seed, place))});
    }
    return {std::move(table).table(), std::move(fold)};
  };
  return std::make_shared<const StudyData>(std::move(data));
}

// Point p of an evenly spaced grid that includes both ends.
double grid_point(double low, double high, Index p, Index points) {
  return low + (high - low) * static_cast<double>(p) / static_cast<double>(points - 1);
}

Json bands_of(const StudyData::Case& at, const ModelFit& fit, const Model& model) {
  constexpr Index points = 241;
  std::vector<double> x;
  for (Index p = 0; p < points; ++p) x.push_back(grid_point(-toy_ood_to, toy_ood_to, p, points));
  const Frame grid = make_frame({{"x", x}});
  Json bands;
  const auto put = [&](const char* name, double value) { bands[name].push_back(rounded(value)); };
  const std::vector<Predictive> densities = predict(model, grid);
  for (std::size_t p = 0; p < x.size(); ++p) {
    put("x", x[p]);
    put("mean", densities[p].mean(0));
    put("lower", densities[p].quantile(0, 0.025));
    put("upper", densities[p].quantile(0, 0.975));
  }
  for (const Index row : fit.data().splits.front().train) {
    put("train_x", at.table->column("x").values[to_size(row)]);
    put("train_y", at.table->column("y").values[to_size(row)]);
  }
  return {{"bands", bands}};
}

// The most probable class and its probability on a square that contains all rings.
Json regions_of(const StudyData::Case& at, const ModelFit& fit, const Model& model) {
  constexpr Index points = 61;
  constexpr double limit = 3.6;
  std::vector<double> x1, x2;
  for (Index r = 0; r < points * points; ++r) {
    x1.push_back(grid_point(-limit, limit, r % points, points));
    x2.push_back(grid_point(-limit, limit, r / points, points));
  }
  Json regions = {{"from", -limit}, {"to", limit}, {"points", points}};
  const Frame grid = make_frame({{"x1", x1}, {"x2", x2}});
  for (const Predictive& density : predict(model, grid)) {
    const std::vector<double> p = density.probabilities();
    const auto best = std::ranges::max_element(p);
    regions["class"].push_back(best - p.begin());
    regions["probability"].push_back(std::round(*best * 1000) / 1000);
  }
  for (const Index row : fit.data().splits.front().train) {
    regions["train_x1"].push_back(rounded(at.table->column("x1").values[to_size(row)]));
    regions["train_x2"].push_back(rounded(at.table->column("x2").values[to_size(row)]));
    regions["train_class"].push_back(
        static_cast<int>(at.table->column("class").values[to_size(row)]));
  }
  return {{"regions", regions}};
}

}  // namespace

FitOptions toy_regression_options() {
  FitOptions options = toy_options();
  options.family = "gaussian";
  options.family_options.positive.floor = 3e-3;
  return options;
}

std::shared_ptr<const StudyData> toy_regression_data(const ToyData& toy, FitOptions options) {
  const auto draw = [](Index rows, std::uint64_t seed, std::uint64_t part) {
    Stream stream(seed, Purpose::data, part);
    const bool is_ood = part == 2;
    return toy_regression(rows, is_ood ? toy_to : toy_from, is_ood ? toy_ood_to : toy_to, stream);
  };
  return toy_data({.name = "toy-regression",
                   .options = std::move(options),
                   .standardised = true,
                   .pictures = bands_of},
                  toy, {"x", "y"}, draw, {"id", "ood"});
}

FitOptions toy_classification_options() {
  FitOptions options = toy_options();
  options.family = "categorical";
  return options;
}

std::shared_ptr<const StudyData> toy_classification_data(const ToyData& toy, FitOptions options) {
  const auto draw = [](Index rows, std::uint64_t seed, std::uint64_t part) {
    Stream stream(seed, Purpose::data, part);
    return three_rings(rows, stream);
  };
  return toy_data(
      {.name = "toy-classification", .options = std::move(options), .pictures = regions_of}, toy,
      {"x1", "x2", "class"}, draw, {"test"});
}

}  // namespace probmix
