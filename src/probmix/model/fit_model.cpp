#include "probmix/model/fit_model.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "probmix/base/error.hpp"
#include "probmix/base/fingerprint.hpp"
#include "probmix/math/special.hpp"
#include "probmix/metric/marginal.hpp"
#include "probmix/model/evaluation.hpp"
#include "probmix/model/model_predictor.hpp"
#include "probmix/options/option.hpp"

namespace probmix {
namespace {

// Adds the knots of encoded numbers, and a learned embedding for each category with at least
// `embed_from` inputs. Its width follows a rule of thumb: 1.6 n^0.56 for n inputs, at most 50.
Architecture with_inputs(const FitOptions& options, const Inputs& inputs) {
  Architecture architecture = options.architecture;
  architecture.encoded = inputs.encoded();
  architecture.categories.clear();
  Index first = 0;
  for (const InputColumn& column : inputs.columns()) {
    const Index width = column.width();
    if (column.kind() == ColumnKind::category && options.embed_from > 0 &&
        width >= options.embed_from) {
      const double wide = std::ceil(1.6 * std::pow(static_cast<double>(width), 0.56));
      architecture.categories.push_back({first, width, std::min<Index>(50, std::llround(wide))});
    }
    first += width;
  }
  return architecture;
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

}  // namespace

struct ModelFit::Training {
  Dataset<float> train, validation;
  Graph graph;
  Trainer<float> trainer;

  Training(const ModelFit& fit, Index network, Index threads)
      : train(fit.data_.train(network)),
        validation(fit.data_.validation(network)),
        graph(make_graph(fit.options().method, fit.options().mix, train.x, threads)),
        trainer(
            make_network<float>(fit.architecture_, fit.options().method.embedding,
                                fit.options().series.window, fit.data_.inputs.width(),
                                fit.data_.target.make()),
            fit.data_.target.likelihood(), fit.options().method, fit.options().mix,
            [&] {
              TrainOptions options = fit.options().train;
              options.threads = threads;
              return options;
            }(),
            graph, train, validation, fit.seed_of(network)) {}
};

ModelFit::ModelFit(const Frame& frame, const FitOptions& options, const Fold& fold)
    : data_(prepare(frame, options, fold)),
      architecture_(with_inputs(data_.options, data_.inputs)),
      fold_number_(fold.number),
      training_(to_size(networks())),
      finished_(to_size(networks())),
      is_changed_(to_size(networks())),
      team_(std::min(data_.options.train.threads, networks())) {
  start(0);  // throws if options and data do not fit together
}

ModelFit::~ModelFit() = default;

std::uint64_t ModelFit::seed_of(Index network) const {
  const std::uint64_t first = derive_seed(options().seed, 2 * fold_number_ + 1);
  return network == 0 ? first : derive_seed(first, static_cast<std::uint64_t>(network));
}

void ModelFit::start(Index network) {
  const Index threads = std::max<Index>(1, options().train.threads / team_.threads());
  training_[to_size(network)] = std::make_unique<Training>(*this, network, threads);
}

void ModelFit::finish(Index network) {
  finished_[to_size(network)] = training_[to_size(network)]->trainer.state();
  training_[to_size(network)].reset();
}

bool ModelFit::done(Index network) const { return !finished_[to_size(network)].parameters.empty(); }

bool ModelFit::done() const {
  return std::ranges::all_of(first_numbers(networks()), [&](Index k) { return done(k); });
}

// The first networks that are not finished, one for each thread.
std::vector<Index> ModelFit::in_training() {
  std::vector<Index> chosen;
  for (Index k = 0; k < networks() && std::ssize(chosen) < team_.threads(); ++k) {
    if (done(k)) continue;
    if (training_[to_size(k)] == nullptr) start(k);
    chosen.push_back(k);
  }
  return chosen;
}

void ModelFit::run_epoch() {
  const std::vector<Index> chosen = in_training();
  std::vector<std::string> faults(chosen.size());
  team_.run(std::ssize(chosen), [&](Index c, Index) {
    Trainer<float>& trainer = training_[to_size(chosen[to_size(c)])]->trainer;
    try {
      trainer.run_epoch();
    } catch (const Diverged& diverged) {
      if (trainer.progress().best_epoch == 0) throw;
      faults[to_size(c)] = fmt::format("{}; keeping the best epoch so far, {}", diverged.what(),
                                       trainer.progress().best_epoch);
    }
  });
  for (std::size_t c = 0; c < chosen.size(); ++c) {
    const Index network = chosen[c];
    // One that diverged is not saved: resumed, it diverges again and keeps the same epoch.
    is_changed_[to_size(network)] = faults[c].empty() ? 1 : 0;
    if (!faults[c].empty()) {
      diverged_.push_back(networks() == 1 ? faults[c]
                                          : fmt::format("network {}: {}", network + 1, faults[c]));
    }
    if (!faults[c].empty() || training_[to_size(network)]->trainer.done()) finish(network);
  }
}

const FitResult<float>& ModelFit::progress(Index network) const {
  static const FitResult<float> nothing;
  if (done(network)) return finished_[to_size(network)].kept;
  const auto& training = training_[to_size(network)];
  return training == nullptr ? nothing : training->trainer.progress();
}

Index ModelFit::epochs() const {
  Index sum = 0;
  for (Index k = 0; k < networks(); ++k) sum += std::ssize(progress(k).history);
  return sum;
}

Model ModelFit::model() const {
  Model model{.inputs = data_.inputs,
              .target = data_.target,
              // In a table it only affects the split.
              .series = options().series.is_series() ? options().series : SeriesShape{},
              .architecture = architecture_,
              .method = options().method,
              .members = options().members,
              .seed = options().seed};
  double nll = 0;  // summed over validation rows
  Index judged = 0;
  std::vector<Index> best_epochs;
  for (Index k = 0; k < networks(); ++k) {
    if (progress(k).history.empty()) break;  // interrupted before it began; so were all later ones
    const FitResult<float>& kept = progress(k);
    const Index rows = std::ssize(data_.splits[to_size(k)].validation);
    check_usable(kept, rows > 0 && options().train.select_best);
    if (rows > 0 && kept.best_epoch > 0) {
      nll += static_cast<double>(rows) * kept.history[to_size(kept.best_epoch - 1)].validation_nll;
      judged += rows;
    }
    best_epochs.push_back(kept.best_epoch);
    model.networks.push_back(kept.parameters);
  }
  check(!model.networks.empty(), "no network has been trained for an epoch");
  const Split& split = data_.splits.front();
  model.training = {{"rows", split.train.size()},
                    {"validation-rows", split.validation.size()},
                    {"epochs", epochs()},
                    {"best-epoch", best_epochs.front()}};
  if (networks() > 1) model.training["best-epochs"] = best_epochs;
  if (judged > 0) {
    model.training["validation-nll"] = nll / static_cast<double>(judged) + data_.target.log_scale();
  }
  for (const auto& [name, column] : {std::pair("time", options().series.time),
                                     {"group", options().series.group},
                                     {"weights", options().weights}}) {
    if (!column.empty()) model.training[name] = column;
  }
  model.training["options"] = without_infinities(configuration_of(options()));
  return model;
}

Json ModelFit::identity() const {
  Json json = configuration_of(options(), option_group::columns);
  json.update(configuration_of(options()));
  json.erase("epochs");  // a resumed training may have more
  json["made-by"] = build_version();
  json["family"] = data_.target.family;
  Fingerprint print;
  for (Index k = 0; k < networks(); ++k) {
    add(print, data_.train(k));
    add(print, data_.validation(k));
  }
  print.add(data_.target.shift);
  print.add(data_.target.scale);
  json["data"] = print.text();
  return without_infinities(std::move(json));
}

std::vector<Index> ModelFit::changed() {
  std::vector<Index> found;
  for (Index k = 0; k < networks(); ++k) {
    if (std::exchange(is_changed_[to_size(k)], 0) != 0) found.push_back(k);
  }
  return found;
}

TrainingState<float> ModelFit::state(Index network) const {
  if (done(network)) return finished_[to_size(network)];
  const auto& training = training_[to_size(network)];
  check(training != nullptr, "network {} is not in training", network + 1);
  return training->trainer.state();
}

void ModelFit::restore(const TrainingState<float>& state, Index network) {
  start(network);
  Trainer<float>& trainer = training_[to_size(network)]->trainer;
  trainer.restore(state);
  if (trainer.done()) finish(network);
}

namespace {

// At most `most` rows, evenly spaced.
std::vector<Index> some_rows(const std::vector<Index>& all, Index most) {
  const Index stride = std::max<Index>(1, (std::ssize(all) + most - 1) / most);
  std::vector<Index> some;
  for (Index r = 0; r < std::ssize(all); r += stride) some.push_back(all[to_size(r)]);
  return some;
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

FitJudgement judge_fit(const ModelFit& fit, Model& model) {
  constexpr Index most_predictions = 1'000'000;  // a second or so
  const Prepared& data = fit.data();
  const Index threads = fit.options().train.threads;
  {
    ModelPredictor predictor(model, threads);
    const Index most_rows = std::max<Index>(1, most_predictions / predictor.members());
    const Dataset<float> train = data.part(some_rows(data.splits.front().train, most_rows));
    evaluate(predictor, model.target, train.x.view(), train.y.view(), Judging::briefly);  // throws
  }
  const bool has_validation = !data.splits.front().validation.empty();
  // The log-densities of a row by all networks that did not learn from it.
  std::map<Index, std::vector<double>> found;
  Model single = model;
  for (std::size_t k = 0; k < model.networks.size(); ++k) {
    single.networks = {model.networks[k]};
    ModelPredictor predictor(single, threads);
    const Index most_rows =
        std::max<Index>(1, most_predictions / (predictor.members() * std::ssize(model.networks)));
    const Split& split = data.splits[k];
    const std::vector<Index> judged =
        some_rows(has_validation ? split.validation : split.train, most_rows);
    const Dataset<float> rows = data.part(judged);
    predictor.outputs(rows.x.view());
    std::vector<double> log_density(judged.size());
    predictor.for_each(rows.rows(), [&](Index r, const Predictive& density) {
      log_density[to_size(r)] = density.log_density_of_scaled(rows.y.row(r));
    });
    for (std::size_t r = 0; r < judged.size(); ++r) found[judged[r]].push_back(log_density[r]);
  }
  std::vector<Index> judged;
  std::vector<double> losses;
  for (const auto& [example, logs] : found) {
    judged.push_back(example);
    losses.push_back(std::log(static_cast<double>(logs.size())) -
                     log_sum_exp(logs.data(), static_cast<int>(logs.size())));
  }
  const Dataset<float> rows = data.part(judged);
  const double log_scale = model.target.log_scale() *
                           static_cast<double>(model.target.observed(rows.y.view())) /
                           static_cast<double>(rows.rows());
  const double nll = mean(losses) + log_scale;
  check_converges(std::isfinite(nll),
                  "the predicted density of a validation row is not finite: the model is of no "
                  "use; train with a smaller `learning-rate`, or `clip` 1");
  const Family family = model.target.likelihood();
  const double marginal =
      marginal_nll(family, fit_marginal(family, data.train().y.view()), rows.y.view()) + log_scale;
  model.training["predictive-nll"] = nll;
  model.training["marginal-nll"] = marginal;
  return {nll, marginal};
}

Model fit_model(const Frame& frame, const FitOptions& options, const Fold& fold) {
  ModelFit fit(frame, options, fold);
  while (!fit.done()) fit.run_epoch();
  Model model = fit.model();
  judge_fit(fit, model);
  return model;
}

}  // namespace probmix
