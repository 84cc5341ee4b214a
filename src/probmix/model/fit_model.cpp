#include "probmix/model/fit_model.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "probmix/base/error.hpp"
#include "probmix/base/fingerprint.hpp"
#include "probmix/base/printable.hpp"
#include "probmix/metric/marginal.hpp"
#include "probmix/metric/mixing_weights.hpp"
#include "probmix/nn/limits.hpp"
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

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

struct ModelFit::Training {
  Dataset<float> train, validation;
  Graph graph;
  Trainer<float> trainer;

  Training(const ModelFit& fit, const Job& job, const FitOptions& options, Index threads)
      : train(fit.data_.train(job.split, job.response)),
        validation(fit.data_.validation(job.split, job.response)),
        graph(make_graph(*options.method, options.mix, train.x, threads)),
        trainer(make_network<float>(fit.architectures_[to_size(job.candidate)],
                                    options.method->embedding, options.series.window,
                                    fit.data_.inputs.width(), fit.target(job).make()),
                fit.target(job).likelihood(), *options.method, options.mix,
                with_threads(options.train, threads), graph, train, validation, fit.seed_of(job)) {}

  static TrainOptions with_threads(TrainOptions options, Index threads) {
    options.threads = threads;
    return options;
  }
};

ModelFit::ModelFit(const Frame& frame, const FitOptions& options, const Fold& fold)
    : data_(prepare(frame, options, fold)),
      variants_(std::ssize(data_.candidates)),
      fold_number_(fold.number),
      search_(shape(), *this),
      team_(shape().at_once) {
  for (const FitOptions& candidate : std::exchange(data_.candidates, {})) add_candidate(candidate);
  check_densities();
  plan();
  // Throws if options and data do not fit together.
  slots_[0].training = std::make_unique<Training>(*this, job(0), this->options(), threads_each());
}

ModelFit::~ModelFit() = default;

// The model must be one that can be read, whatever the search chooses.
void ModelFit::check_densities() const {
  const Index draws = std::max<Index>(1, *options().members);
  Index groups = std::min(shape().trials, CandidateSearch::most_winners) * draws;
  for (const FitOptions& variant : data_.candidates) {
    groups += variant.method->predicts_by_draws() ? draws : 1;
  }
  const Index most = groups * std::ssize(data_.splits);
  check_usage(
      most <= limits::densities,
      "`ensemble` and `members` make up to {} densities for each row, over the limit of {}; "
      "give less of either",
      most, limits::densities);
}

CandidateSearch::Shape ModelFit::shape() const {
  const FitOptions& first = options();
  const bool searches = is_searching() && held_out_rows_choose(first);
  const Index splits = std::ssize(data_.splits);
  const Index trials = first.trials > 0 ? first.trials : FitOptions::most_trials;
  CandidateSearch::Shape shape{.responses = std::ssize(data_.responses),
                               .variants = variants_,
                               .splits = splits,
                               .trials = searches ? trials : 0,
                               .has_budget = first.budget > 0};
  // More would wait: a bracket of trials begins with a network of each.
  const Index useful = std::max(shape.responses * variants_ * splits,
                                searches ? CandidateSearch::bracket_size : Index{1});
  shape.at_once = std::min(first.train.threads, useful);
  return shape;
}

Index ModelFit::threads_each() const {
  return std::max<Index>(1, options().train.threads / team_.threads());
}

Index ModelFit::networks() const { return std::ssize(slots_); }

void ModelFit::add_candidate(const FitOptions& options) {
  architectures_.push_back(with_inputs(options, data_.inputs));
  data_.candidates.push_back(options);
  slots_.resize(to_size(std::ssize(data_.responses) * std::ssize(data_.candidates) *
                        std::ssize(data_.splits)));
}

Job ModelFit::job(Index network) const {
  const Index splits = std::ssize(data_.splits), responses = std::ssize(data_.responses);
  return {network / splits % responses, network / splits / responses, network % splits};
}

Index ModelFit::number(const Job& job) const {
  return (job.candidate * std::ssize(data_.responses) + job.response) * std::ssize(data_.splits) +
         job.split;
}

const FitOptions& ModelFit::options(const Job& job) const {
  return data_.candidates[to_size(job.candidate)];
}

const Target& ModelFit::target(const Job& job) const {
  return data_.responses[to_size(job.response)].target;
}

bool ModelFit::selects(const Job& job) const {
  return options(job).train.select_best && !data_.splits[to_size(job.split)].validation.empty();
}

// The same for all families, so that they are compared from the same start.
std::uint64_t ModelFit::seed_of(const Job& job) const {
  const std::uint64_t first = derive_seed(options().seed, 2 * fold_number_ + 1);
  const Index k = job.candidate * std::ssize(data_.splits) + job.split;
  return k == 0 ? first : derive_seed(first, static_cast<std::uint64_t>(k));
}

bool ModelFit::done(Index network) const {
  return network < networks() && !slots_[to_size(network)].finished.kept.history.empty();
}

void ModelFit::plan() {
  search_.plan();
  if (!search_.progress().family) return;
  const bool pools_log_linearly = is_exponential(target().likelihood());
  const Index rows = std::ssize(data_.splits.front().train);
  while (std::ssize(data_.candidates) < search_.candidates()) {
    const Index number = std::ssize(data_.candidates) - variants_;
    add_candidate(trial(data_.given, rows, number, pools_log_linearly));
  }
  drop_losers();
}

// Frees what the model cannot need any more.
void ModelFit::drop_losers() {
  const std::vector<bool> alive = search_.alive();
  const Index family = response();
  for (Index k = 0; k < networks(); ++k) {
    Slot& slot = slots_[to_size(k)];
    const Job of = job(k);
    if (slot.is_dropped || (of.response == family && alive[to_size(of.candidate)])) continue;
    slot.is_dropped = true;
    slot.is_changed = false;
    slot.is_drop_told = progress(k).history.empty();
    slot.training.reset();
    FitResult<float> history = std::move(slot.finished.kept);
    history.parameters = {};
    slot.limits = {};
    slot.finished = {.kept = std::move(history)};
  }
  std::erase_if(judged_, [&](const auto& entry) {
    const auto& [response, candidate, networks] = entry.first;
    return response != family || !alive[to_size(candidate)];
  });
}

void ModelFit::fail(const Job& job) {
  for (Index k = 0; k < std::ssize(data_.splits); ++k) {
    Slot& slot = slots_[to_size(number({job.response, job.candidate, k}))];
    slot.training.reset();
    slot.is_changed = false;
  }
  search_.fail(job.response, job.candidate);
  plan();
}

void ModelFit::run(double seconds) {
  const auto start = std::chrono::steady_clock::now();
  std::vector<Index> chosen;
  for (const Job& job : search_.wanted()) {
    if (std::ssize(chosen) == team_.threads()) break;
    chosen.push_back(number(job));
  }
  std::vector<std::string> faults(chosen.size());
  std::vector<Index> epochs_before;
  for (const Index k : chosen) epochs_before.push_back(std::ssize(progress(k).history));
  team_.run(std::ssize(chosen),
            [&](Index c, Index) { faults[to_size(c)] = run_network(chosen[to_size(c)], seconds); });
  longest_run_ = std::max(longest_run_, seconds_since(start));
  training_seconds_ += seconds_since(start) * static_cast<double>(chosen.size());
  for (std::size_t c = 0; c < chosen.size(); ++c) {
    epochs_ += std::ssize(progress(chosen[c]).history) - epochs_before[c];
  }
  for (std::size_t c = 0; c < chosen.size(); ++c) settle(chosen[c], faults[c]);
}

void ModelFit::finish() {
  while (!done()) run(0.1);
}

// Starts or continues a network. What went wrong, or nothing. Throws what is wrong with all
// candidates.
std::string ModelFit::run_network(Index network, double seconds) {
  const auto start = std::chrono::steady_clock::now();
  const Job what = job(network);
  std::unique_ptr<Training>& training = slots_[to_size(network)].training;
  try {
    if (training == nullptr) {
      training = std::make_unique<Training>(*this, what, options(what), threads_each());
    }
    Trainer<float>& trainer = training->trainer;
    do {
      trainer.run_epoch();
    } while (!trainer.done() && seconds_since(start) < seconds);
    return {};
  } catch (const Diverged& diverged) {
    return diverged.what();
  } catch (const Error& error) {
    if (what.candidate < variants_) throw;
    return error.what();  // options that do not fit this table
  }
}

// What follows from the epochs of a network.
void ModelFit::settle(Index network, const std::string& fault) {
  Slot& trained = slots_[to_size(network)];
  const Job what = job(network);
  if (search_.has_failed(what)) return;  // by another network
  const FitResult<float>& so_far = progress(network);
  const bool is_usable = so_far.best_epoch > 0 || (fault.empty() && !selects(what));
  const bool is_over = !fault.empty() || trained.training->trainer.done();
  trained.is_changed = true;
  if (!is_over) return;
  if (!fault.empty()) {
    const std::string outcome =
        is_usable ? fmt::format("keeping the best epoch so far, {}", so_far.best_epoch)
                  : "going on without it";
    const std::string name =
        what.candidate >= variants_
            ? fmt::format("trial {}: ", what.candidate - variants_ + 1)
            : (networks() == 1 ? "" : fmt::format("network {}: ", network + 1));
    check_converges(is_usable || search_.can_do_without(what), "{}", fault);
    diverged_.push_back(fmt::format("{}{}; {}", name, fault, outcome));
  }
  if (!is_usable && search_.can_do_without(what)) {
    fail(what);
    return;
  }
  check_usable(so_far, selects(what));
  TrainingState<float> state = trained.training->trainer.state();
  if (!fault.empty()) {
    // Nothing but the best epoch is of any use, and numbers that are not finite are not saved.
    state.is_ended = true;
    state.parameters = state.kept.parameters;
    state.average = {};
    state.optimiser = {};
  }
  ++trained_;
  end(network, std::move(state));
}

void ModelFit::end(Index network, TrainingState<float> state) {
  Slot& ended = slots_[to_size(network)];
  ended.limits = limits(job(network), state.kept.parameters);
  ended.finished = std::move(state);
  ended.training.reset();
  plan();
}

const FitResult<float>& ModelFit::progress(Index network) const {
  static const FitResult<float> nothing;
  const Slot& of_one = slots_[to_size(network)];
  if (done(network)) return of_one.finished.kept;
  return of_one.training == nullptr ? nothing : of_one.training->trainer.progress();
}

double ModelFit::seconds() const { return seconds_before_ + seconds_since(start_); }

double ModelFit::reserve() const {
  const auto groups = static_cast<double>(search_.chosen().size());
  return longest_run_ + 2 * (groups + 1) * longest_judgement_ + 0.02 * options().budget;
}

// How long networks take is measured anew when a search is resumed. One that has ended must not
// find time for more of them by that.
bool ModelFit::is_budget_spent() const { return options().budget <= search_.progress().spent; }

bool ModelFit::is_time_up() const {
  if (options().budget == 0) return false;
  if (!is_budget_spent() && seconds() + reserve() < options().budget) return false;
  const Index family = response();
  for (Index k = 0; k < networks(); ++k) {
    const bool is_variant = job(k).response == family && job(k).candidate < variants_;
    if (is_variant && progress(k).best_epoch > 0) return true;
  }
  return false;
}

// Judging by the networks so far.
bool ModelFit::has_time_for(Index networks) {
  if (options().budget == 0) return true;
  if (is_budget_spent()) return false;
  const auto threads = static_cast<double>(team_.threads());
  double each = trained_ > 0 ? training_seconds_ / static_cast<double>(trained_) : 0;
  if (trained_ == 0) {  // since it was resumed
    Index before = 0;
    for (Index k = 0; k < this->networks(); ++k) before += done(k) ? 1 : 0;
    each = seconds() * threads / static_cast<double>(std::max<Index>(1, before));
  }
  const double time = each * std::ceil(static_cast<double>(networks) / threads);
  return seconds() + time + reserve() < options().budget;
}

Model ModelFit::without_networks(Index response) const {
  Model model;
  model.inputs = data_.inputs;
  model.target = data_.responses[to_size(response)].target;
  // In a table it only affects the split.
  if (options().series.is_series()) model.series = options().series;
  model.members = *options().members;
  model.seed = options().seed;
  return model;
}

// What a network may predict; nothing if the inputs may go far beyond those it has seen.
OutputLimits ModelFit::limits(const Job& job, const AlignedVector<float>& parameters) const {
  if (options().limit_inputs == LimitInputs::wide) return {};
  const Model model = without_networks(job.response);
  const NetworkGroup group{.architecture = architectures_[to_size(job.candidate)],
                           .method = *options(job).method};
  return output_limits(model.network(group), group.method, parameters,
                       data_.train(job.split, job.response).x.view(), model.members, model.seed);
}

// The networks of a candidate that are trained, up to the first that is not; on request also those
// in training.
NetworkGroup ModelFit::group(Index response, Index candidate, bool with_unfinished) const {
  NetworkGroup group{.architecture = architectures_[to_size(candidate)],
                     .method = *data_.candidates[to_size(candidate)].method};
  for (Index k = 0; k < std::ssize(data_.splits); ++k) {
    const Index network = number({response, candidate, k});
    const FitResult<float>& kept = progress(network);
    if (!done(network) && !(with_unfinished && !kept.history.empty())) break;
    if (!done(network) && k > 0 && selects(job(network)) && kept.best_epoch == 0) break;
    check_usable(kept, selects(job(network)));
    const OutputLimits& known = slots_[to_size(network)].limits;
    group.networks.push_back(
        {kept.parameters, known.empty() ? limits(job(network), kept.parameters) : known});
  }
  return group;
}

const HeldOut& ModelFit::judged(Index response, Index candidate, Index networks) const {
  const auto key = std::tuple(response, candidate, networks);
  if (const auto known = judged_.find(key); known != judged_.end()) return known->second;
  const auto start = std::chrono::steady_clock::now();
  Model model = without_networks(response);
  model.groups = {group(response, candidate, false)};
  // A training that resumes may have more.
  model.groups.front().networks.resize(to_size(networks));
  const Index most = affordable_rows(std::max<Index>(1, *options().members) * networks);
  HeldOut result = held_out(data_, response, model, options().train.threads, most);
  longest_judgement_ = std::max(longest_judgement_, seconds_since(start));
  return judged_[key] = std::move(result);
}

double ModelFit::nll(Index response, Index candidate, Index networks) {
  const HeldOut& of_one = judged(response, candidate, networks);
  const double mean = -weighted_mean(data_, of_one.examples, of_one.logs);
  return std::isfinite(mean) ? mean : std::numeric_limits<double>::infinity();
}

std::vector<double> ModelFit::weights(Index response, std::span<const Index> candidates,
                                      Index networks) {
  std::vector<std::vector<double>> logs;
  std::vector<double> row_weights;
  for (const Index c : candidates) {
    const HeldOut& of_one = judged(response, c, networks);
    logs.push_back(of_one.logs);
    if (!data_.weights.empty()) row_weights = take(data_.weights, of_one.examples);
  }
  return mixing_weights(logs, row_weights);
}

FamilyChoice ModelFit::best_family(std::span<const Index> responses, Index networks) {
  if (responses.size() == 1) return {responses.front(), ""};
  std::vector<Index> order(responses.begin(), responses.end());
  std::vector<HeldOut> judged(data_.responses.size());
  std::vector<double> nlls(data_.responses.size());
  for (const Index r : responses) {
    Model model = without_networks(r);
    model.groups = {group(r, 0, false)};
    // A training that resumes may have more networks of the family that was chosen.
    model.groups.front().networks.resize(to_size(networks));
    const HeldOut& of_one = judged[to_size(r)] =
        held_out(data_, r, model, options().train.threads, affordable_rows(model),
                 data_.is_whole ? HeldOutMeasure::unit_interval : HeldOutMeasure::density);
    const double mean = -weighted_mean(data_, of_one.examples, of_one.logs);
    nlls[to_size(r)] = std::isnan(mean) ? std::numeric_limits<double>::infinity() : mean;
  }
  std::ranges::stable_sort(order, {}, [&](Index r) { return nlls[to_size(r)]; });
  const HeldOut& best = judged[to_size(order[0])];
  const HeldOut& second = judged[to_size(order[1])];
  std::vector<double> gain(best.logs.size()), square;
  std::ranges::transform(best.logs, second.logs, gain.begin(), std::minus());
  const double mean = weighted_mean(data_, best.examples, gain);
  for (const double g : gain) square.push_back((g - mean) * (g - mean));
  const double error = std::sqrt(weighted_mean(data_, best.examples, square) /
                                 static_cast<double>(std::max<std::size_t>(1, gain.size() - 1)));
  const auto name = [&](Index r) { return data_.responses[to_size(r)].target.family; };
  return {order[0],
          fmt::format("family of {}: {}, better than {} by {:.2g} ± {:.1g} per held-out row",
                      in_quotes(data_.responses.front().target.names.front()), name(order[0]),
                      name(order[1]), mean, error)};
}

Model ModelFit::model() const {
  const Index response = this->response();
  Model model = without_networks(response);
  std::vector<Index> chosen;  // candidates
  for (const bool with_unfinished : {false, true}) {
    for (const Index c : search_.chosen()) {
      if (!model.groups.empty() && with_unfinished) break;  // only if there is nothing else
      NetworkGroup trained = group(response, c, with_unfinished);
      if (trained.networks.empty()) continue;
      model.groups.push_back(std::move(trained));
      chosen.push_back(c);
    }
  }
  check(!model.groups.empty(), "no network has been trained for an epoch");
  weigh(model, chosen);
  const Split& split = data_.splits.front();
  std::vector<Index> best_epochs;
  double nll = 0;  // summed over validation rows
  Index judged = 0, epochs = 0;
  for (const Index c : chosen) {
    for (Index k = 0; k < std::ssize(data_.splits); ++k) {
      const FitResult<float>& kept = progress(number({response, c, k}));
      const Index rows = std::ssize(data_.splits[to_size(k)].validation);
      if (kept.history.empty()) continue;
      epochs += std::ssize(kept.history);
      best_epochs.push_back(kept.best_epoch);
      if (rows == 0 || kept.best_epoch == 0) continue;
      nll += static_cast<double>(rows) * kept.history[to_size(kept.best_epoch - 1)].validation_nll;
      judged += rows;
    }
  }
  Json training = {{"rows", split.train.size()},
                   {"validation-rows", split.validation.size()},
                   {"epochs", epochs},
                   {"best-epoch", best_epochs.front()}};
  if (best_epochs.size() > 1) training["best-epochs"] = best_epochs;
  if (judged > 0) {  // of single networks
    training["validation-nll"] = nll / static_cast<double>(judged) + target().log_scale();
  }
  for (const auto& [name, column] : {std::pair("time", options().series.time),
                                     {"group", options().series.group},
                                     {"weights", options().weights}}) {
    if (!column.empty()) training[name] = column;
  }
  training["options"] = without_infinities(configuration_of(options()));
  training.update(model.training);
  Json dropped = Json::array();
  const std::vector<std::string> names = names_of_candidates();
  for (Index c = 0; c < variants_; ++c) {
    if (std::ranges::count(chosen, c) == 0) dropped.push_back(names[to_size(c)]);
  }
  if (!dropped.empty()) training["dropped"] = std::move(dropped);
  model.training = std::move(training);
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

// Gives the groups, which are of these candidates, and one density for all rows the weights under
// which held-out rows are most likely. Groups that hardly matter are left out.
void ModelFit::weigh(Model& model, const std::vector<Index>& chosen) const {
  if (!held_out_rows_choose(options())) return;
  const std::vector<double> marginal =
      fit_marginal(model.target.likelihood(), data_.train(0, response()).y.view());
  model.marginal = {MarginalShare::least, {marginal.begin(), marginal.end()}};
  Index networks = std::ssize(data_.splits);  // that all have
  for (const Index c : chosen) {
    Index trained = 0;
    while (trained < networks && done(number({response(), c, trained}))) ++trained;
    networks = trained;
  }
  if (networks == 0) return;  // cut short
  std::vector<std::vector<double>> logs;
  std::vector<double> row_weights;
  for (const Index c : chosen) {
    const HeldOut& of_one = judged(response(), c, networks);
    logs.push_back(of_one.logs);
    if (!data_.weights.empty()) row_weights = take(data_.weights, of_one.examples);
  }
  const std::vector<Index>& examples = judged(response(), chosen.front(), networks).examples;
  logs.push_back(marginal_logs(data_, response(), model, examples));
  std::vector<double> weights = mixing_weights(logs, row_weights);
  model.marginal.weight = std::clamp(weights.back(), MarginalShare::least, MarginalShare::most);
  model.training["marginal-weight"] = model.marginal.weight;
  weights.pop_back();
  if (weights.size() == 1) return;
  weights = without_negligible(std::move(weights));
  const std::vector<std::string> names = names_of_candidates();
  Json& told = model.training["candidates"] = Json::array();
  for (std::size_t g = 0; g < weights.size(); ++g) {
    model.groups[g].weight = weights[g];
    told.push_back({{"name", names[to_size(chosen[g])]},
                    {"nll", -weighted_mean(data_, examples, logs[g])},
                    {"weight", weights[g]}});
  }
  std::erase_if(model.groups, [](const NetworkGroup& group) { return group.weight == 0; });
}

Json ModelFit::identity() const {
  Json json = configuration_of(options(), option_group::columns);
  json.update(configuration_of(options()));
  // A resumed training may have more epochs, unless they determine the learning rate, and more
  // trials.
  if (!options().train.schedule.has_length()) json.erase("epochs");
  json.erase("trials");
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

Json ModelFit::search_identity() const {
  if (!is_searching()) return Json::object();
  return {{"epochs", *options().train.epochs}, {"searched", searched_options(data_.given)}};
}

SearchProgress ModelFit::search() const {
  SearchProgress progress = search_.progress();
  progress.seconds = seconds();
  const bool has_all_trials = search_.candidates() == variants_ + shape().trials;
  if (done() && (is_time_up() || !has_all_trials)) progress.spent = std::max(progress.spent, options().budget);
  return progress;
}

void ModelFit::resume(SearchProgress search) {
  seconds_before_ = search.seconds;
  start_ = std::chrono::steady_clock::now();
  search_.resume(std::move(search));
  plan();
}

std::vector<Index> ModelFit::changed() {
  std::vector<Index> found;
  for (Index k = 0; k < networks(); ++k) {
    if (std::exchange(slots_[to_size(k)].is_changed, false)) found.push_back(k);
  }
  return found;
}

std::vector<Index> ModelFit::dropped() {
  std::vector<Index> found;
  for (Index k = 0; k < networks(); ++k) {
    Slot& slot = slots_[to_size(k)];
    if (slot.is_dropped && !std::exchange(slot.is_drop_told, true)) found.push_back(k);
  }
  return found;
}

TrainingState<float> ModelFit::state(Index network) const {
  if (done(network)) return slots_[to_size(network)].finished;
  const auto& training = slots_[to_size(network)].training;
  check(training != nullptr, "network {} is not in training", network + 1);
  return training->trainer.state();
}

void ModelFit::restore(const TrainingState<float>& state, Index network) {
  const Job what = job(network);
  Slot& restored = slots_[to_size(network)];
  if (restored.is_dropped) return;
  const FitOptions& options = this->options(what);
  epochs_ += std::ssize(state.kept.history) - std::ssize(progress(network).history);
  if (is_finished(options.train, selects(what), state)) {
    const Model empty = without_networks(what.response);
    const NetworkGroup group{.architecture = architectures_[to_size(what.candidate)],
                             .method = *options.method};
    const auto epochs = std::ssize(state.kept.history);
    check(epochs > 0 && state.kept.best_epoch >= 0 && state.kept.best_epoch <= epochs &&
              std::ssize(state.kept.parameters) == empty.network(group).parameters().size(),
          "a training state of {} parameters after {} epochs does not belong to this training",
          state.kept.parameters.size(), epochs);
    end(network, state);
    return;
  }
  restored.training = std::make_unique<Training>(*this, what, options, threads_each());
  restored.training->trainer.restore(state);
}

}  // namespace probmix
