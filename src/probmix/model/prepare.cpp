#include "probmix/model/prepare.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "probmix/base/error.hpp"
#include "probmix/base/printable.hpp"
#include "probmix/data/plausible.hpp"
#include "probmix/model/describe.hpp"
#include "probmix/model/model.hpp"
#include "probmix/options/candidates.hpp"
#include "probmix/options/option.hpp"

namespace probmix {
namespace {

bool contains(std::span<const std::string> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

// Adds a remark about these names, unless there are none.
void remark_names(std::vector<std::string>& remarks, std::span<const std::string> names,
                  std::string_view one, std::string_view several) {
  if (names.empty()) return;
  remarks.push_back(
      fmt::format("{} {}", names_in_quotes(names), names.size() == 1 ? one : several));
}

bool varies(const FrameColumn& column) {
  if (column.kind == ColumnKind::category) {
    return std::ssize(column.levels) + (column.missing > 0 ? 1 : 0) > 1;
  }
  const auto rows = std::ssize(column.values);
  if (column.missing > 0) return column.missing < rows;
  bool varies = false;
  column.values.for_each([&](double value) { varies = varies || value != column.values[0]; });
  return varies;
}

// The columns that a model sees; some may turn out not to vary.
std::vector<std::string> input_columns(const Frame& frame, const FitOptions& options,
                                       std::vector<std::string>& remarks) {
  const std::vector<std::string> bounds = Censoring(options.family_options).columns();
  if (!options.inputs.empty()) {
    for (const std::string& name : options.inputs) {
      frame.column(name);
      check_usage(!contains(bounds, name),
                  "column {} is a bound of the target and cannot also be an input",
                  in_quotes(name));
      check_usage(options.series.horizon > 0 || !contains(options.targets, name),
                  "column {} is a target and cannot also be an input", in_quotes(name));
    }
    return options.inputs;
  }
  std::vector<std::string> columns, names;
  for (const FrameColumn& column : frame.columns) {
    const bool is_target = contains(options.targets, column.name);
    // In a forecast, earlier values of the target may be inputs.
    if ((is_target && options.series.horizon == 0) || column.name == options.weights ||
        column.name == options.series.group || column.name == options.series.time ||
        contains(bounds, column.name)) {
      continue;
    }
    // A name or an id: it identifies training rows and says nothing about others.
    const Index known = frame.rows() - column.missing;
    const bool is_name =
        column.kind == ColumnKind::category && known > 10 && std::ssize(column.levels) == known;
    (is_name ? names : columns).push_back(column.name);
  }
  remark_names(remarks, names, "has a different value in every row and is left out",
               "have a different value in every row and are left out");
  check(!columns.empty(), "{}: there are no columns to predict from", frame.file);
  return columns;
}

// Whether a density without natural parameters can be trained.
bool needs_no_natural_parameters(const FitOptions& options) {
  const Method& method = method_of(options);
  const bool pools_responses = method.probabilistic && method.site == Site::response;
  return !pools_responses || options.mix.pooling == Pooling::linear;
}

// The family that was given or is proposed, and others that may suit the target better.
std::vector<std::string> families_of(const Frame& frame, const FitOptions& options,
                                     std::span<const Index> rows,
                                     std::vector<std::string>& remarks) {
  if (!options.family.empty()) return {options.family};
  if (options.targets.size() > 1) {
    remarks.push_back("family: gaussian, because there are several targets");
    return {std::string(Gaussian::name)};
  }
  const bool needs_exponential = !needs_no_natural_parameters(options);
  FamilyProposal proposal =
      propose_family(frame, frame.column(options.targets.front()), rows, needs_exponential);
  std::vector<std::string> families = {proposal.family};
  const bool has_rivals =
      held_out_rows_choose(options) && !options.family_options.homoscedastic && !needs_exponential;
  if (has_rivals) {
    if (proposal.family == Gaussian::name) families = {std::string(StudentT::name)};
    if (Censoring(options.family_options).is_any()) proposal.rivals.clear();
    for (const std::string& rival : proposal.rivals) {
      if (!contains(families, rival)) families.push_back(rival);
    }
  }
  const std::string names = fmt::format("{}", fmt::join(families, " or "));
  remarks.push_back(fmt::format(
      "family: {}, as {}{}", names, proposal.reason,
      families.size() > 1 ? "; the held-out rows choose" : "; choose another with `family`"));
  if (!proposal.hint.empty()) remarks.push_back(std::move(proposal.hint));
  return families;
}

// Checks the weights of the chosen examples. Returns those of all examples; empty without weights.
std::vector<double> weights_of(const Frame& frame, const std::string& name,
                               const Examples& examples, std::span<const Index> chosen) {
  if (name.empty()) return {};
  const FrameColumn& column = frame.column(name);
  double sum = 0;
  for (const Index row : take(examples.target, chosen)) {
    const double weight = column.values[to_size(row)];
    check(weight >= 0 && std::isfinite(weight),
          "{}: the weight is {}; every row needs a weight of at least 0", frame.where(row, column),
          std::isnan(weight) ? std::string("missing") : fmt::format("{}", weight));
    sum += weight;
  }
  check(std::isfinite(sum), "{}: the weights in column {} are too large; rescale them", frame.file,
        in_quotes(name));
  std::vector<double> weights;
  for (const Index row : examples.target) weights.push_back(column.values[to_size(row)]);
  return weights;
}

// The chosen examples (empty: all) without those of weight 0.
std::vector<Index> examples_to_use(const Frame& frame, const FitOptions& options,
                                   const Examples& examples, std::span<const Index> chosen,
                                   std::vector<std::string>& remarks) {
  std::vector<Index> used(chosen.begin(), chosen.end());
  if (used.empty()) used = first_numbers(examples.count());
  if (options.weights.empty()) return used;
  const FrameColumn& column = frame.column(options.weights);
  check_usage(column.kind == ColumnKind::number,
              "{}: column {} cannot hold weights: it has no numbers", frame.file,
              in_quotes(options.weights));
  const auto dropped = std::erase_if(
      used, [&](Index k) { return column.values[to_size(examples.target[to_size(k)])] == 0; });
  if (dropped > 0) {
    remarks.push_back(fmt::format("rows with weight 0, left out: {}", dropped));
  }
  check(!used.empty(), "{}: all weights in column {} are 0", frame.file,
        in_quotes(options.weights));
  return used;
}

bool is_utf8(const std::string& text) {
  try {
    exact_json_text(Json(text));
    return true;
  } catch (const Json::exception&) {
    return false;
  }
}

// Checks before training that the model can be written afterwards.
void check_names(const Frame& frame, const Prepared& data) {
  const Target& target = data.responses.front().target;
  std::vector<std::string> used = target.names;
  for (const InputColumn& column : data.inputs.columns()) used.push_back(column.name);
  for (std::string& name : Censoring(target.options).columns()) used.push_back(name);
  for (const std::string& name : used) {
    check(is_utf8(name), "{}: the name of column {} is not UTF-8; save the table in UTF-8",
          frame.file, in_quotes(name));
    const FrameColumn& column = frame.column(name);
    const auto bad = std::ranges::find_if_not(column.levels, is_utf8);
    if (bad == column.levels.end()) continue;
    const auto row =
        std::ranges::find(column.codes, static_cast<std::int32_t>(bad - column.levels.begin()));
    throw Error(fmt::format("{}: {} is not UTF-8; save the table in UTF-8",
                            frame.where(row - column.codes.begin(), column), in_quotes(*bad)));
  }
  Model model;
  model.inputs = data.inputs;
  model.target = target;
  description_text(model);  // throws if too long
}

// Reports the columns that are left out because they do not vary.
void remark_constant(const Frame& frame, std::span<const std::string> columns, const Inputs& inputs,
                     std::vector<std::string>& remarks) {
  std::vector<std::string> constant, in_training;
  for (const std::string& name : columns) {
    if (std::ranges::find(inputs.columns(), name, &InputColumn::name) != inputs.columns().end()) {
      continue;
    }
    (varies(frame.column(name)) ? in_training : constant).push_back(name);
  }
  remark_names(remarks, constant, "does not vary and is left out", "do not vary and are left out");
  remark_names(remarks, in_training, "does not vary over the training rows and is left out",
               "do not vary over the training rows and are left out");
}

// Reports a validation share far from the requested one, as happens where rows must stay
// together.
void remark_share(const FitOptions& options, Index held, Index all,
                  std::vector<std::string>& remarks) {
  const double wanted = options.validation * static_cast<double>(all);
  const double off = std::abs(static_cast<double>(held) - wanted);
  const std::string& column =
      options.series.group.empty() ? options.series.time : options.series.group;
  if (column.empty() || off <= std::max(1.0, wanted / 2)) return;
  remarks.push_back(fmt::format(
      "{:.0f} % of the rows are for validation instead of {:.0f} %, because rows with the same {} "
      "stay together",
      100.0 * static_cast<double>(held) / static_cast<double>(all), 100 * options.validation,
      in_quotes(column)));
}

// Throws a UsageError if a column has two uses that exclude each other.
void check_uses(const FitOptions& options) {
  std::vector<std::pair<std::string, std::string>> uses;  // column, option
  for (const std::string& name : options.targets) uses.emplace_back(name, "the target");
  for (const std::string& name : Censoring(options.family_options).columns()) {
    uses.emplace_back(name, "a bound of the target");
  }
  uses.emplace_back(options.weights, "the weights");
  uses.emplace_back(options.series.group, "the group");
  uses.emplace_back(options.series.time, "the time");
  for (std::size_t k = 0; k < uses.size(); ++k) {
    for (std::size_t j = 0; j < k; ++j) {
      check_usage(uses[k].first.empty() || uses[k].first != uses[j].first,
                  "column {} is {} and cannot also be {}", in_quotes(uses[k].first), uses[j].second,
                  uses[k].second);
    }
  }
}

// Those of the candidates that encode numbers.
Index bins_of(const std::vector<FitOptions>& candidates) {
  for (const FitOptions& options : candidates) {
    if (options.encode == Encode::ple) return *options.bins;
  }
  return 0;
}

FitOptions checked(const FitOptions& given) {
  check_options(given);
  for (std::size_t k = 0; k < given.targets.size(); ++k) {
    check_usage(!contains(std::span(given.targets).first(k), given.targets[k]),
                "the target {} is given twice", in_quotes(given.targets[k]));
  }
  check_uses(given);
  return resolved(given);
}

// Removes examples with absurd targets, which are usually errors and would ruin the scale of all
// others.
void leave_out_absurd(const Frame& frame, const FitOptions& options, const Examples& examples,
                      std::vector<Index>& used, std::vector<std::string>& remarks) {
  for (const std::string& name : options.targets) {
    const FrameColumn& column = frame.column(name);
    if (column.kind != ColumnKind::number || used.empty()) continue;
    std::vector<double> values;
    const auto row_of = [&](Index k) { return examples.target[to_size(k)]; };
    for (const Index k : used) values.push_back(column.values[to_size(row_of(k))]);
    const PlausibleRange range = plausible_range(values);
    const auto is_absurd = [&](Index k) {
      return !range.contains(column.values[to_size(row_of(k))]);
    };
    const auto first = std::ranges::find_if(used, is_absurd);
    if (first == used.end()) continue;
    const std::string where = fmt::format("{}: {}", frame.where(row_of(*first), column),
                                          value_text(column, row_of(*first)));
    const auto count = std::erase_if(used, is_absurd);
    remarks.push_back(fmt::format(
        "left out {} whose target is far from all others ({:.4g} to {:.4g}); the first: {}",
        count == 1 ? "1 row" : fmt::format("{} rows", count), range.low, range.high, where));
  }
}

bool has_whole_numbers(const Frame& frame, const FitOptions& options, std::span<const Index> rows) {
  const FrameColumn& column = frame.column(options.targets.front());
  if (options.targets.size() != 1 || column.kind != ColumnKind::number) return false;
  const Numbers& values = column.values;
  return std::ranges::all_of(
      rows, [&](Index row) { return std::trunc(values[to_size(row)]) == values[to_size(row)]; });
}

// A whole number is taken as a rounded one, so no density may be narrower than the rounding: a
// spike at each number would gain likelihood without knowing anything.
void limit_by_rounding(Target& target) {
  if (target.family != Gaussian::name && target.family != StudentT::name &&
      target.family != GaussianMixture::name) {
    return;
  }
  const double step = 1 / target.scale.front();
  double& floor = target.options.positive.floor;
  floor = std::max(floor, step * step / 12);
}

// Reports oddities of the table as a whole, one line each.
void remark_table(const Frame& frame, const Examples& examples, std::vector<std::string>& remarks) {
  if (examples.without_target > 0) {
    remarks.push_back(fmt::format("{} of {} rows have no target and are left out",
                                  examples.without_target, frame.rows()));
  }
  if (!examples.gaps.empty()) remarks.push_back(examples.gaps);
  for (const FrameColumn& column : frame.columns) {
    if (!column.doubt.empty()) {
      remarks.push_back(
          fmt::format("{} was read as categories, but {}", in_quotes(column.name), column.doubt));
    } else if (!column.first_text.empty()) {
      remarks.push_back(
          fmt::format("{} was read as categories, as this is neither a number nor a date: {}",
                      in_quotes(column.name), column.first_text));
    }
  }
}

}  // namespace

Dataset<float> Prepared::part(std::span<const Index> chosen, Index response) const {
  if (chosen.empty()) return {};
  const Matrix<double>& y = responses[to_size(response)].y;
  Dataset<float> rows{gather_windows(x, take(examples.last, chosen), window),
                      Matrix<double>(std::ssize(chosen), y.cols())};
  for (Index r = 0; r < rows.rows(); ++r) {
    std::copy_n(y.row(chosen[to_size(r)]), y.cols(), rows.y.row(r));
  }
  if (weights.empty()) return rows;
  rows.weight = take(weights, chosen);
  const double mean = std::accumulate(rows.weight.begin(), rows.weight.end(), 0.0) /
                      static_cast<double>(rows.weight.size());
  for (double& weight : rows.weight) weight /= mean;
  return rows;
}

Dataset<float> Prepared::part(const Frame& frame, std::span<const Index> chosen,
                              const Target& target) const {
  if (chosen.empty()) return {};
  return {gather_windows(x, take(examples.last, chosen), window),
          target.encode(frame, take(examples.target, chosen))};
}

Prepared prepare(const Frame& frame, const FitOptions& given, const Fold& fold) {
  FitOptions options = checked(given);
  for (const std::string& name : options.targets) frame.column(name);
  Prepared data;
  data.examples = find_examples(frame, options.series, options.rules, options.targets);
  data.window = options.series.window;
  const Examples& examples = data.examples;
  std::vector<std::string>& remarks = data.remarks;
  remark_table(frame, examples, remarks);
  std::vector<Index> used = examples_to_use(frame, options, examples, fold.train, remarks);
  const std::vector<std::string> columns = input_columns(frame, options, remarks);
  const std::vector<std::string> families =
      families_of(frame, options, take(examples.target, used), remarks);
  const auto learn_target = [&](std::span<const Index> rows, const std::string& family) {
    return Target::learn(frame, options.targets, family, options.family_options, rows);
  };
  // Classes come from the whole table: a rare one may not occur in the training rows.
  const bool has_classes =
      probmix::has_classes(make_family(families.front(), options.family_options));
  if (has_classes) {
    data.responses.push_back({learn_target(examples.target, families.front())});
  } else {
    leave_out_absurd(frame, options, examples, used, remarks);
  }
  if (fold.validation) {
    data.splits.assign(to_size(*options.ensemble), {used, *fold.validation});
  } else {
    const std::vector<std::int64_t> classes =
        example_classes(frame, has_classes ? data.responses.front().target : Target(), examples);
    data.splits = split_for_ensemble(frame, options, examples, used, classes,
                                     derive_seed(options.seed, 2 * fold.number));
  }
  // One network is scaled by its training rows, an ensemble by all that its networks see.
  std::vector<Index> scaled_by = options.ensemble == 1 ? data.splits.front().train : used;
  const Index rows = std::ssize(data.splits.front().train);
  data.given = given;
  data.candidates = candidates(given, rows);
  options = data.candidates.front();
  if (options.rules.scale_by == ScaleBy::all) scaled_by = first_numbers(examples.count());
  if (!has_classes) {
    const std::vector<Index> scaling = take(examples.target, scaled_by);
    data.is_whole = has_whole_numbers(frame, options, scaling);
    for (const std::string& family : families) {
      data.responses.push_back({learn_target(scaling, family)});
      if (data.is_whole && options.preset != Preset::fast) {
        limit_by_rounding(data.responses.back().target);
      }
    }
  }
  data.inputs = Inputs::learn(frame, columns, rows_seen(examples, scaled_by, options.series.window),
                              {.most_levels = options.most_levels,
                               .bins = bins_of(data.candidates),
                               .wide_limits = options.limit_inputs == LimitInputs::wide});
  remark_constant(frame, columns, data.inputs, remarks);
  if (options.ensemble == 1) {
    remark_share(options, std::ssize(data.splits.front().validation), std::ssize(used), remarks);
  }
  check_names(frame, data);
  InputOddities oddities;
  data.x = data.inputs.encode(frame, oddities);
  if (oddities.extreme > 0) {
    remarks.push_back(fmt::format(
        "{} clipped, being far outside the range of the training rows; the first: {}",
        oddities.extreme == 1 ? "1 number is" : fmt::format("{} numbers are", oddities.extreme),
        oddities.first_extreme));
  }
  std::vector<Index> seen = data.splits.front().train;
  seen.insert(seen.end(), data.splits.front().validation.begin(),
              data.splits.front().validation.end());
  for (Response& response : data.responses) {
    const Matrix<double> y = response.target.encode(frame, take(examples.target, seen));
    response.y = Matrix<double>(examples.count(), y.cols());
    for (Index r = 0; r < y.rows(); ++r) {
      std::copy_n(y.row(r), y.cols(), response.y.row(seen[to_size(r)]));
    }
  }
  data.weights = weights_of(frame, options.weights, examples, seen);
  return data;
}

}  // namespace probmix
