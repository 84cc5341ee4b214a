#include "probmix/model/fit_model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "probmix/base/error.hpp"
#include "probmix/base/fingerprint.hpp"
#include "probmix/base/printable.hpp"
#include "probmix/model/configuration.hpp"
#include "probmix/model/describe.hpp"

namespace probmix {
namespace {

bool contains(std::span<const std::string> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

// Names, if any, with what is said of them.
void remark_names(std::vector<std::string>& remarks, std::span<const std::string> names,
                  std::string_view one, std::string_view several) {
  if (names.empty()) return;
  remarks.push_back(
      fmt::format("{} {}", names_in_quotes(names), names.size() == 1 ? one : several));
}

// The columns that a model sees, among which some may turn out not to vary.
std::vector<std::string> input_columns(const Frame& frame, const FitOptions& options,
                                       std::vector<std::string>& remarks) {
  if (!options.inputs.empty()) {
    for (const std::string& name : options.inputs) {
      frame.column(name);
      check_usage(options.series.is_series() || !contains(options.targets, name),
                  "column {} is a target, and cannot be an input as well", in_quotes(name));
    }
    return options.inputs;
  }
  std::vector<std::string> columns, names;
  for (const FrameColumn& column : frame.columns) {
    const bool is_target = contains(options.targets, column.name);
    if ((is_target && !options.series.is_series()) || column.name == options.weights ||
        column.name == options.series.group || column.name == options.series.time) {
      continue;
    }
    // A name or a number plate: it would tell the training rows apart and no others.
    const Index known = frame.rows() - column.missing;
    const bool is_name =
        column.kind == ColumnKind::category && known > 10 && std::ssize(column.levels) == known;
    (is_name ? names : columns).push_back(column.name);
  }
  remark_names(remarks, names, "has another value in every row and is left out",
               "have another value in every row and are left out");
  check(!columns.empty(), "{}: there are no columns to predict from", frame.file);
  return columns;
}

std::string family_of(const Frame& frame, const FitOptions& options,
                      std::vector<std::string>& remarks) {
  if (!options.family.empty()) return options.family;
  if (options.targets.size() > 1) {
    remarks.push_back("family: gaussian, as there are several targets");
    return "gaussian";
  }
  const FamilyProposal proposal = propose_family(frame, frame.column(options.targets.front()));
  remarks.push_back(
      fmt::format("family: {}, as {}; --family chooses another", proposal.family, proposal.reason));
  return proposal.family;
}

// Of the rows of some examples' targets; 1 on average.
std::vector<double> weights_of(const Frame& frame, const std::string& name,
                               std::span<const Index> rows) {
  if (name.empty()) return {};
  const FrameColumn& column = frame.column(name);
  check(column.kind == ColumnKind::number, "{}: column {} has no numbers, so no weights",
        frame.file, in_quotes(name));
  std::vector<double> weights;
  for (const Index row : rows) {
    const double weight = column.values[to_size(row)];
    check(weight >= 0 && std::isfinite(weight),
          "{}: the weight is {}; weights are numbers from 0 on, none missing",
          frame.where(row, column), std::isnan(weight) ? "missing" : fmt::format("{}", weight));
    weights.push_back(weight);
  }
  const double mean =
      std::accumulate(weights.begin(), weights.end(), 0.0) / static_cast<double>(weights.size());
  check(mean > 0 && std::isfinite(mean), "{}: the weights of column {} are all 0, or too large",
        frame.file, in_quotes(name));
  for (double& weight : weights) weight /= mean;
  return weights;
}

std::vector<Index> picked(const std::vector<Index>& from, std::span<const Index> chosen) {
  std::vector<Index> values;
  for (const Index k : chosen) values.push_back(from[to_size(k)]);
  return values;
}

void add(Fingerprint& print, const Dataset<float>& data) {
  print.add(static_cast<std::uint64_t>(data.rows()));
  for (Index r = 0; r < data.rows(); ++r) {
    for (Index c = 0; c < data.x.cols(); ++c) {
      print.add(static_cast<std::uint64_t>(std::bit_cast<std::uint32_t>(data.x(r, c))));
    }
  }
  print.add({data.y.data(), to_size(data.y.rows() * data.y.cols())});
  print.add(data.weight);
}

FitOptions checked(FitOptions options) {
  check_usage(!options.targets.empty(), "a model needs a target: name its column");
  for (std::size_t k = 0; k < options.targets.size(); ++k) {
    check_usage(!contains(std::span(options.targets).first(k), options.targets[k]),
                "the target {} is given twice", in_quotes(options.targets[k]));
  }
  check_options(options.mix);
  check_options(options.train);
  check_shape(options.series);
  check_range("members", options.members, 0, 10'000);
  check_usage(options.seed <= static_cast<std::uint64_t>(std::numeric_limits<long long>::max()),
              "the seed of a model must be below 2^63, not {}", options.seed);
  check_usage(options.architecture.kind == ArchitectureKind::mlp || options.series.is_series(),
              "the {} reads windows of a series; give a window and a horizon",
              architecture_names[static_cast<std::size_t>(options.architecture.kind)]);
  return options;
}

}  // namespace

Json configuration_of(const FitOptions& options) {
  Json json = {{"method", options.method.name}};
  json.update(configuration_of(options.mix, options.method));
  json.update(configuration_of(options.train));
  json.update(describe(options.architecture));
  if (options.method.embedding != Embedding::point) json["members"] = options.members;
  json.update(Json{{"validation", options.validation}, {"seed", options.seed}});
  return json;
}

Prepared prepare(const Frame& frame, const FitOptions& given, std::span<const Index> chosen) {
  const FitOptions options = checked(given);
  for (const std::string& name : options.targets) frame.column(name);
  const Examples examples = find_examples(frame, options.series, options.targets);
  std::vector<Index> all(chosen.begin(), chosen.end());
  if (all.empty()) {
    all.resize(to_size(examples.count()));
    std::iota(all.begin(), all.end(), Index{0});
  }
  std::vector<std::string> remarks;
  const Index complete = std::ssize(complete_rows(frame, options.targets));
  if (complete < frame.rows()) {
    remarks.push_back(fmt::format("{} of {} rows have no target and are left out",
                                  frame.rows() - complete, frame.rows()));
  }
  const Split split = split_examples(frame, options.series, examples, all, options.validation,
                                     derive_seed(options.seed, 0));
  const std::vector<Index> train_targets = picked(examples.target, split.train);
  const std::vector<std::string> columns = input_columns(frame, options, remarks);
  const std::string family = family_of(frame, options, remarks);
  Prepared data{.target = Target::learn(frame, options.targets, family, options.family_options,
                                        train_targets),
                .inputs = Inputs::learn(frame, columns,
                                        rows_seen(examples, split.train, options.series.window),
                                        options.input_options)};
  std::vector<std::string> constant;
  for (const std::string& name : columns) {
    if (std::ranges::find(data.inputs.columns(), name, &InputColumn::name) ==
        data.inputs.columns().end()) {
      constant.push_back(name);
    }
  }
  remark_names(remarks, constant, "does not vary and is left out", "do not vary and are left out");
  data.remarks = std::move(remarks);
  InputOddities ignored;  // of validation rows, by which nothing is said of rows to come
  const Matrix<float> x = data.inputs.encode(frame, ignored);
  const auto part = [&](const std::vector<Index>& of) -> Dataset<float> {
    const std::vector<Index> rows = picked(examples.target, of);
    if (rows.empty()) return {};
    return {gather_windows(x, examples, of, options.series.window), data.target.encode(frame, rows),
            weights_of(frame, options.weights, rows)};
  };
  data.train = part(split.train);
  data.validation = part(split.validation);
  return data;
}

ModelFit::ModelFit(const Frame& frame, const FitOptions& options, std::span<const Index> chosen)
    : options_(options),
      data_(prepare(frame, options, chosen)),
      graph_(make_graph(options.method, options.mix, data_.train.x, options.train.threads)),
      trainer_(
          make_network<float>(options.architecture, options.method.embedding, options.series.window,
                              data_.inputs.width(), data_.target.make()),
          data_.target.make(), options.method, options.mix, options.train, graph_, data_.train,
          data_.validation, derive_seed(options.seed, 1)) {}

Model ModelFit::model() const {
  const FitResult<float> result = trainer_.result();
  Json training = {{"rows", data_.train.rows()},
                   {"validation-rows", data_.validation.rows()},
                   {"epochs", result.history.size()},
                   {"best-epoch", result.best_epoch}};
  if (data_.validation.rows() > 0 && result.best_epoch > 0) {
    training["validation-nll"] =
        result.history[to_size(result.best_epoch - 1)].validation_nll + data_.target.log_scale();
  }
  training["options"] = without_infinities(configuration_of(options_));
  return {.inputs = data_.inputs,
          .target = data_.target,
          .series = options_.series,
          .architecture = options_.architecture,
          .method = options_.method,
          .members = options_.members,
          .seed = options_.seed,
          .parameters = result.parameters,
          .training = std::move(training)};
}

Json ModelFit::identity() const {
  Fingerprint print;
  add(print, data_.train);
  add(print, data_.validation);
  Json json = configuration_of(options_);
  json.erase("epochs");  // when to stop changes nothing before
  json.erase("patience");
  json.update(configuration_of(data_.target.family, data_.target.options));
  print.add(data_.target.shift);
  print.add(data_.target.scale);
  json["data"] = print.text();
  return without_infinities(std::move(json));
}

}  // namespace probmix
