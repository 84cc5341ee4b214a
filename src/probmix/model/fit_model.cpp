#include "probmix/model/fit_model.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "probmix/base/error.hpp"
#include "probmix/base/fingerprint.hpp"
#include "probmix/base/printable.hpp"
#include "probmix/metric/mixing_weights.hpp"
#include "probmix/model/held_out.hpp"
#include "probmix/options/candidates.hpp"
#include "probmix/options/option.hpp"
#include "probmix/options/trial.hpp"

namespace probmix {
namespace {

// Adds the knots of encoded numbers, and a learned embedding for each category with at least
// `embed_from` inputs. Its width follows a rule of thumb: 1.6 n^0.56 for n inputs, at most 50.
Architecture with_inputs(const FitOptions& options, const Inputs& inputs) {
  Architecture architecture = options.architecture;
  if (options.encode == Encode::ple) architecture.encoded = inputs.encoded();
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

constexpr Index enough_to_choose = 2;  // networks of a family
constexpr Index largest_bracket = 9;

// How many of a bracket go on to the next round.
constexpr Index best_of(Index trials) { return (trials + 2) / 3; }

// How many networks each trial has after the rounds of a bracket.
std::array<Index, 3> rounds(Index splits) { return {1, std::min<Index>(2, splits), splits}; }

// Networks that are trained in the rounds of a bracket.
std::vector<Index> networks_of_rounds(Index trials, Index splits) {
  std::vector<Index> counts;
  Index before = 0;
  for (const Index networks : rounds(splits)) {
    counts.push_back(trials * (networks - before));
    before = networks;
    trials = best_of(trials);
  }
  return counts;
}

Index networks_of(Index trials, Index splits) {
  const std::vector<Index> counts = networks_of_rounds(trials, splits);
  return std::accumulate(counts.begin(), counts.end(), Index{0});
}

}  // namespace

struct ModelFit::Training {
  Dataset<float> train, validation;
  Graph graph;
  Trainer<float> trainer;

  Training(const ModelFit& fit, const Job& job, Index threads)
      : train(fit.data_.train(job.split, job.response)),
        validation(fit.data_.validation(job.split, job.response)),
        graph(make_graph(*options(fit, job).method, options(fit, job).mix, train.x, threads)),
        trainer(
            make_network<float>(
                fit.architectures_[to_size(job.candidate)], options(fit, job).method->embedding,
                options(fit, job).series.window, fit.data_.inputs.width(), target(fit, job).make()),
            target(fit, job).likelihood(), *options(fit, job).method, options(fit, job).mix,
            [&] {
              TrainOptions of_one = options(fit, job).train;
              of_one.threads = threads;
              return of_one;
            }(),
            graph, train, validation, fit.seed_of(job)) {}

  static const FitOptions& options(const ModelFit& fit, const Job& job) {
    return fit.data_.candidates[to_size(job.candidate)];
  }
  static const Target& target(const ModelFit& fit, const Job& job) {
    return fit.data_.responses[to_size(job.response)].target;
  }
};

ModelFit::ModelFit(const Frame& frame, const FitOptions& options, const Fold& fold)
    : data_(prepare(frame, options, fold)),
      variants_(std::ssize(data_.candidates)),
      fold_number_(fold.number),
      team_(std::min(data_.options().train.threads,
                     is_searching() ? std::max(networks(), largest_bracket) : networks())) {
  for (const FitOptions& candidate : std::exchange(data_.candidates, {})) add_candidate(candidate);
  if (std::ssize(data_.responses) == 1) family_ = 0;
  plan();
  start(0);  // throws if options and data do not fit together
}

ModelFit::~ModelFit() = default;

Index ModelFit::networks() const {
  return std::ssize(data_.responses) * std::ssize(data_.candidates) * std::ssize(data_.splits);
}

void ModelFit::add_candidate(const FitOptions& options) {
  architectures_.push_back(with_inputs(options, data_.inputs));
  data_.candidates.push_back(options);
  training_.resize(to_size(networks()));
  finished_.resize(to_size(networks()));
  is_changed_.resize(to_size(networks()));
}

Index ModelFit::needed() const {
  const Index splits = std::ssize(data_.splits);
  Index sum =
      (std::ssize(data_.responses) - 1) * std::min(splits, enough_to_choose) + variants_ * splits;
  Index trials = 0;
  for (const std::vector<Index>& bracket : brackets_) {
    sum += networks_of(bracket.front(), splits);
    trials += bracket.front();
  }
  while (trials < options().trials) {
    const Index size = std::min(largest_bracket, options().trials - trials);
    sum += networks_of(size, splits);
    trials += size;
  }
  return sum;
}

double ModelFit::seconds() const {
  const std::chrono::duration<double> since = std::chrono::steady_clock::now() - start_;
  return seconds_before_ + since.count();
}

void ModelFit::resume_search(const SearchProgress& search) {
  seconds_before_ = search.seconds;
  start_ = std::chrono::steady_clock::now();
  brackets_ = search.brackets;
}

// Leaves some time for the weights and for saving.
bool ModelFit::is_time_up() const {
  return options().budget > 0 && has_epoch_ && seconds() > 0.95 * options().budget - 0.5;
}

// Whether there is time for rounds of this many networks, judging by those before.
bool ModelFit::is_affordable(const std::vector<Index>& networks) const {
  if (options().budget == 0) return true;
  Index trained = 0;
  for (Index k = 0; k < this->networks(); ++k) trained += done(k) ? 1 : 0;
  const auto threads = static_cast<double>(team_.threads());
  const double each = seconds() * threads / static_cast<double>(std::max<Index>(1, trained));
  double time = seconds();
  for (const Index n : networks) time += each * std::ceil(static_cast<double>(n) / threads);
  return time < 0.95 * options().budget;
}

ModelFit::Job ModelFit::job(Index network) const {
  const Index splits = std::ssize(data_.splits), responses = std::ssize(data_.responses);
  return {network / splits % responses, network / splits / responses, network % splits};
}

Index ModelFit::number(const Job& job) const {
  return (job.candidate * std::ssize(data_.responses) + job.response) * std::ssize(data_.splits) +
         job.split;
}

// The same for all families, so that they are compared from the same start.
std::uint64_t ModelFit::seed_of(const Job& job) const {
  const std::uint64_t first = derive_seed(options().seed, 2 * fold_number_ + 1);
  const Index k = job.candidate * std::ssize(data_.splits) + job.split;
  return k == 0 ? first : derive_seed(first, static_cast<std::uint64_t>(k));
}

// Which networks are needed: those that choose the family or, once it is chosen, all of that
// family.
void ModelFit::plan() {
  const Index splits = std::ssize(data_.splits);
  planned_.clear();
  if (!family_) {
    for (Index r = 0; r < std::ssize(data_.responses); ++r) {
      if (ruled_out_.contains({r, 0})) continue;
      for (Index k = 0; k < std::min(splits, enough_to_choose); ++k) {
        planned_.push_back(number({r, 0, k}));
      }
    }
    if (!is_plan_done()) return;
    choose_family();
    planned_.clear();
  }
  for (Index c = 0; c < variants_; ++c) {
    if (ruled_out_.contains({*family_, c})) continue;
    for (Index k = 0; k < splits; ++k) planned_.push_back(number({*family_, c, k}));
  }
  if (is_plan_done()) plan_trials();
}

// Adds the networks of all rounds up to the first that is not finished. Decisions that were made
// stay, so that the same networks lead to the same winners.
void ModelFit::plan_trials() {
  const Index splits = std::ssize(data_.splits);
  const bool pools_log_linearly = is_exponential(target().likelihood());
  winners_.clear();
  Index first = variants_;
  for (std::size_t b = 0;; ++b) {
    if (b == brackets_.size()) {
      const Index size = bracket_size(first - variants_);
      if (size == 0) return;
      brackets_.push_back({size});
    }
    std::vector<Index>& bracket = brackets_[b];
    std::vector<Index> remaining;
    for (Index c = first; c < first + bracket.front(); ++c) {
      if (c == std::ssize(data_.candidates)) {
        add_candidate(trial(data_.given, std::ssize(data_.splits.front().train), c - variants_,
                            pools_log_linearly));
      }
      if (!ruled_out_.contains({*family_, c})) remaining.push_back(c);
    }
    first += bracket.front();
    Index before = 0;
    for (std::size_t round = 0; round < rounds(splits).size(); ++round) {
      const Index networks = rounds(splits)[round];
      if (round > 0) {
        std::ranges::stable_sort(remaining, {}, [&](Index c) { return held_out_nll(c, before); });
        std::erase_if(remaining, [&](Index c) { return std::isinf(held_out_nll(c, before)); });
        if (bracket.size() == round) {
          Index best = best_of(std::ssize(remaining));
          while (best > 1 && !is_affordable({best * (networks - before)})) --best;
          bracket.push_back(best);
        }
        remaining.resize(std::min(remaining.size(), to_size(bracket[round])));
      }
      for (const Index c : remaining) {
        for (Index k = before; k < networks; ++k) planned_.push_back(number({*family_, c, k}));
      }
      if (!is_plan_done()) return;
      before = networks;
    }
    winners_.insert(winners_.end(), remaining.begin(), remaining.end());
  }
}

// The trials of the next bracket; 0 if there is none.
Index ModelFit::bracket_size(Index trials_before) const {
  if (!is_searching() || !held_out_rows_choose(options())) return 0;
  const Index most = options().trials > 0 ? options().trials : FitOptions::most_trials;
  Index size = std::min(largest_bracket, most - trials_before);
  while (size > 0 && !is_affordable(networks_of_rounds(size, std::ssize(data_.splits)))) size /= 3;
  return std::max<Index>(0, size);
}

// Of the first networks of a trial; infinite if a density is not finite.
double ModelFit::held_out_nll(Index trial, Index networks) {
  const auto known = judged_.find({trial, networks});
  if (known != judged_.end()) return known->second;
  Model model = without_networks(*family_);
  model.groups = {group(*family_, trial)};
  // A training that resumes may have more.
  model.groups.front().networks.resize(to_size(networks));
  // The same rows for all trials, whatever they draw.
  const Index most = affordable_rows(std::max<Index>(1, *options().members) * networks);
  const HeldOut judged = held_out(data_, *family_, model, options().train.threads, most);
  const double nll = -weighted_mean(data_, judged.examples, judged.logs);
  return judged_[{trial, networks}] =
             std::isfinite(nll) ? nll : std::numeric_limits<double>::infinity();
}

Index ModelFit::response() const {
  if (family_) return *family_;
  Index first = 0;
  while (ruled_out_.contains({first, 0})) ++first;
  return first;
}

void ModelFit::choose_family() {
  const std::string& name = data_.responses.front().target.names.front();
  std::vector<HeldOut> judged(data_.responses.size());
  std::vector<Index> order;
  for (Index r = 0; r < std::ssize(data_.responses); ++r) {
    if (ruled_out_.contains({r, 0})) continue;
    order.push_back(r);
    Model model = without_networks(r);
    model.groups = {group(r, 0)};
    // A training that resumes may have more networks of the family that was chosen.
    auto& networks = model.groups.front().networks;
    networks.resize(std::min(networks.size(), to_size(enough_to_choose)));
    judged[to_size(r)] =
        held_out(data_, r, model, options().train.threads, affordable_rows(model),
                 data_.is_whole ? HeldOutMeasure::unit_interval : HeldOutMeasure::density);
  }
  const auto nll = [&](Index r) {
    const HeldOut& of_one = judged[to_size(r)];
    const double mean = -weighted_mean(data_, of_one.examples, of_one.logs);
    return std::isnan(mean) ? std::numeric_limits<double>::infinity() : mean;
  };
  std::ranges::stable_sort(order, {}, nll);
  family_ = order.front();
  if (order.size() == 1) return;
  const HeldOut& best = judged[to_size(order[0])];
  const HeldOut& second = judged[to_size(order[1])];
  std::vector<double> gain(best.logs.size()), square;
  std::ranges::transform(best.logs, second.logs, gain.begin(), std::minus());
  const double mean = weighted_mean(data_, best.examples, gain);
  for (const double g : gain) square.push_back((g - mean) * (g - mean));
  const double error = std::sqrt(weighted_mean(data_, best.examples, square) /
                                 static_cast<double>(std::max<std::size_t>(1, gain.size() - 1)));
  const auto family = [&](Index r) { return data_.responses[to_size(r)].target.family; };
  choice_ = fmt::format("family of {}: {}, better than {} by {:.2g} ± {:.1g} per held-out row",
                        in_quotes(name), family(order[0]), family(order[1]), mean, error);
}

void ModelFit::start(Index network) {
  const Index threads = std::max<Index>(1, options().train.threads / team_.threads());
  training_[to_size(network)] = std::make_unique<Training>(*this, job(network), threads);
}

// Starts a network. A trial whose options do not fit the table is left out; false then.
bool ModelFit::can_start(Index network) {
  const Job what = job(network);
  if (what.candidate < variants_) {
    start(network);
    return true;
  }
  try {
    start(network);
    return true;
  } catch (const Error& error) {
    diverged_.push_back(
        fmt::format("trial {}: {}; left out", what.candidate - variants_ + 1, error.what()));
    rule_out(what);
    return false;
  }
}

void ModelFit::finish(Index network) {
  finished_[to_size(network)] = training_[to_size(network)]->trainer.state();
  training_[to_size(network)].reset();
  if (is_plan_done()) plan();
}

bool ModelFit::done(Index network) const { return !finished_[to_size(network)].parameters.empty(); }

bool ModelFit::is_plan_done() const {
  return std::ranges::all_of(planned_, [&](Index k) { return done(k); });
}

bool ModelFit::done() const { return is_time_up() || is_plan_done(); }

// The first networks that are not finished, one for each thread.
std::vector<Index> ModelFit::in_training() {
  std::vector<Index> chosen;
  for (std::size_t p = 0; p < planned_.size(); ++p) {
    const Index k = planned_[p];
    if (std::ssize(chosen) == team_.threads()) break;
    if (done(k)) continue;
    if (training_[to_size(k)] == nullptr && !can_start(k)) return in_training();  // by a new plan
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
      const Index best = trainer.progress().best_epoch;
      if (best == 0 && !has_alternative(job(chosen[to_size(c)]))) throw;
      faults[to_size(c)] =
          best == 0 ? fmt::format("{}; trying without it", diverged.what())
                    : fmt::format("{}; keeping the best epoch so far, {}", diverged.what(), best);
    }
  });
  for (std::size_t c = 0; c < chosen.size(); ++c) {
    const Index network = chosen[c];
    if (training_[to_size(network)] == nullptr) continue;  // ruled out with another one
    // One that diverged is not saved: resumed, it diverges again and keeps the same epoch.
    is_changed_[to_size(network)] = faults[c].empty() ? 1 : 0;
    if (!faults[c].empty()) {
      diverged_.push_back(networks() == 1 ? faults[c]
                                          : fmt::format("network {}: {}", network + 1, faults[c]));
    }
    const Trainer<float>& trainer = training_[to_size(network)]->trainer;
    if (faults[c].empty() && !trainer.done()) continue;
    const Split& split = data_.splits[to_size(job(network).split)];
    const bool selects = options().train.select_best && !split.validation.empty();
    const bool is_usable = trainer.progress().best_epoch > 0 || (faults[c].empty() && !selects);
    const bool can_rule_out = !is_usable && has_alternative(job(network));
    check_converges(is_usable || can_rule_out || faults[c].empty(), "{}", faults[c]);
    if (can_rule_out) {
      rule_out(job(network));
    } else {
      finish(network);
    }
  }
  has_epoch_ = true;
}

// Whether a model can do without this network: with another family, or without this candidate.
bool ModelFit::has_alternative(const Job& job) const {
  const bool has_family = !family_ && data_.responses.size() > 1;
  return job.candidate > 0 || (has_family && ruled_out_.size() + 1 < data_.responses.size());
}

void ModelFit::rule_out(const Job& job) {
  ruled_out_.insert({job.response, job.candidate});
  for (Index k = 0; k < std::ssize(data_.splits); ++k) {
    const Index network = number({job.response, job.candidate, k});
    training_[to_size(network)].reset();
    if (!done(network)) is_changed_[to_size(network)] = 0;
  }
  plan();
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

Model ModelFit::without_networks(Index response) const {
  return {.inputs = data_.inputs,
          .target = data_.responses[to_size(response)].target,
          // In a table it only affects the split.
          .series = options().series.is_series() ? options().series : SeriesShape{},
          .members = *options().members,
          .seed = options().seed};
}

// The networks of a candidate that have been trained, up to the first that has not.
NetworkGroup ModelFit::group(Index response, Index candidate) const {
  NetworkGroup group{.architecture = architectures_[to_size(candidate)],
                     .method = *data_.candidates[to_size(candidate)].method};
  for (Index k = 0; k < std::ssize(data_.splits); ++k) {
    const FitResult<float>& kept = progress(number({response, candidate, k}));
    const bool has_validation = !data_.splits[to_size(k)].validation.empty();
    const bool selects = has_validation && options().train.select_best;
    // Interrupted before it began, or before an epoch that can be used; so were all later ones.
    if (kept.history.empty()) break;
    if (k > 0 && selects && kept.best_epoch == 0 && !done(number({response, candidate, k}))) break;
    check_usable(kept, selects);
    group.networks.push_back(kept.parameters);
  }
  return group;
}

Model ModelFit::model() const {
  Model model = without_networks(response());
  std::vector<Index> chosen;  // candidates
  for (Index c = 0; c < std::ssize(data_.candidates); ++c) {
    if (ruled_out_.contains({response(), c})) continue;
    if (c >= variants_ && std::ranges::count(winners_, c) == 0) continue;
    // An interrupted training keeps variants with all networks, or else the first with what it has.
    NetworkGroup trained = group(response(), c);
    const bool is_whole = trained.networks.size() == data_.splits.size();
    if (trained.networks.empty() || (c > 0 && !is_whole)) break;
    model.groups.push_back(std::move(trained));
    chosen.push_back(c);
  }
  check(!model.groups.empty(), "no network has been trained for an epoch");
  const Split& split = data_.splits.front();
  model.training = {{"rows", split.train.size()},
                    {"validation-rows", split.validation.size()},
                    {"epochs", epochs()}};
  weigh(model, chosen);
  std::vector<Index> best_epochs;
  double nll = 0;  // summed over validation rows
  Index judged = 0;
  for (const Index c : chosen) {
    for (Index k = 0; k < std::ssize(data_.splits); ++k) {
      const FitResult<float>& kept = progress(number({response(), c, k}));
      const Index rows = std::ssize(data_.splits[to_size(k)].validation);
      if (kept.history.empty()) continue;
      best_epochs.push_back(kept.best_epoch);
      if (rows == 0 || kept.best_epoch == 0) continue;
      nll += static_cast<double>(rows) * kept.history[to_size(kept.best_epoch - 1)].validation_nll;
      judged += rows;
    }
  }
  model.training["best-epoch"] = best_epochs.front();
  if (best_epochs.size() > 1) model.training["best-epochs"] = best_epochs;
  if (judged > 0) {  // of single networks
    model.training["validation-nll"] = nll / static_cast<double>(judged) + target().log_scale();
  }
  for (const auto& [name, column] : {std::pair("time", options().series.time),
                                     {"group", options().series.group},
                                     {"weights", options().weights}}) {
    if (!column.empty()) model.training[name] = column;
  }
  model.training["options"] = without_infinities(configuration_of(options()));
  return model;
}

std::vector<std::string> ModelFit::names_of_candidates() const {
  const auto trials = data_.candidates.begin() + variants_;
  std::vector<std::string> names = candidate_names({data_.candidates.begin(), trials});
  for (auto trial = trials; trial != data_.candidates.end(); ++trial) {
    names.push_back(fmt::format("trial {}: {}", trial - trials + 1, trial_name(options(), *trial)));
  }
  return names;
}

// Gives the groups, which are of these candidates, the weights under which held-out rows are most
// likely. Groups that hardly matter are left out.
void ModelFit::weigh(Model& model, const std::vector<Index>& chosen) const {
  if (model.groups.size() == 1) return;
  std::vector<std::vector<double>> logs;
  std::vector<double> row_weights;
  const std::vector<std::string> names = names_of_candidates();
  const Index most = affordable_rows(model);
  Json& told = model.training["candidates"] = Json::array();
  for (std::size_t g = 0; g < model.groups.size(); ++g) {
    Model single = without_networks(response());
    single.groups = {model.groups[g]};
    HeldOut judged = held_out(data_, response(), single, options().train.threads, most);
    told.push_back({{"name", names[to_size(chosen[g])]},
                    {"nll", -weighted_mean(data_, judged.examples, judged.logs)}});
    logs.push_back(std::move(judged.logs));
    if (!data_.weights.empty()) row_weights = take(data_.weights, judged.examples);
  }
  const std::vector<double> weights = mixing_weights(logs, row_weights);
  for (std::size_t g = 0; g < weights.size(); ++g) {
    model.groups[g].weight = weights[g];
    told[g]["weight"] = weights[g];
  }
  std::erase_if(model.groups, [](const NetworkGroup& group) { return group.weight == 0; });
}

Json ModelFit::identity() const {
  Json json = configuration_of(options(), option_group::columns);
  json.update(configuration_of(options()));
  // A resumed training may have more epochs, unless they determine the learning rate, and more
  // trials.
  if (!options().train.schedule.has_length() && !is_searching()) json.erase("epochs");
  json.erase("trials");
  if (is_searching()) json["searched"] = searched_options(data_.given);
  json["made-by"] = build_version();
  Fingerprint print;
  std::vector<std::string> families;
  for (Index r = 0; r < std::ssize(data_.responses); ++r) {
    const Target& target = data_.responses[to_size(r)].target;
    families.push_back(target.family);
    for (Index k = 0; k < std::ssize(data_.splits); ++k) {
      add(print, data_.train(k, r));
      add(print, data_.validation(k, r));
    }
    print.add(target.shift);
    print.add(target.scale);
  }
  json["family"] = fmt::format("{}", fmt::join(families, " or "));
  if (variants_ > 1) {
    json["candidates"] =
        candidate_names({data_.candidates.begin(), data_.candidates.begin() + variants_});
  }
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
  has_epoch_ = has_epoch_ || !state.kept.history.empty();
  if (trainer.done()) finish(network);
}

}  // namespace probmix
