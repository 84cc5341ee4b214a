#include "probmix/train/fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

#include "probmix/base/error.hpp"
#include "probmix/base/parallel.hpp"
#include "probmix/kernel/arithmetic.hpp"
#include "probmix/metric/scores.hpp"

namespace probmix {

namespace {

Patience patience_of(const TrainOptions& options, bool selects) {
  const Index most = selects ? options.patience.value_or(0) : 0;
  return Patience({most, options.least_patience.value_or(most),
                   options.schedule.kind.value_or(Schedule::constant)});
}

// As it was after these epochs.
Patience patience_after(const TrainOptions& options, bool selects,
                        const std::vector<Epoch>& history) {
  Patience patience = patience_of(options, selects);
  double best = std::numeric_limits<double>::infinity();
  for (const Epoch& epoch : history) {
    const bool is_best = epoch.validation_nll < best;
    if (is_best) best = epoch.validation_nll;
    patience.after_epoch(is_best);
  }
  return patience;
}

TrainOptions checked(const TrainOptions& options) {
  check_options(options);
  return options;
}

template <class Real>
void check_fit(const Network<Real>& network, const Family& family, const Method& method,
               const Dataset<Real>& train, const Dataset<Real>& validation) {
  check_dataset("training data", train, family);
  if (validation.rows() > 0) check_dataset("validation data", validation, family);
  check_usage(network.embedding() == method.embedding,
              "the network's kind of embedding does not match method {}", method.name);
  for (const Dataset<Real>* data : {&train, &validation}) {
    check_usage(data->rows() == 0 || data->x.cols() == network.inputs(),
                "the network has {} inputs, but the data have {} features", network.inputs(),
                data->x.cols());
  }
  const int outputs = std::visit([](const auto& f) { return f.outputs(); }, family);
  check_usage(network.outputs() == outputs,
              "the network has {} outputs, but the {} family needs {}", network.outputs(),
              family_name(family), outputs);
}

}  // namespace

void check_options(const TrainOptions& options) {
  check_usage(options.epochs.has_value(), "a training needs a number of epochs");
  check_range("epochs", *options.epochs, 1, TrainOptions::most_epochs);
  check_range("the batch size", options.batch.value_or(0), 0, TrainOptions::largest_batch);
  check_range("patience", options.patience.value_or(0), 0, TrainOptions::most_epochs);
  check_range("least_patience", options.least_patience.value_or(0), 0, TrainOptions::most_epochs);
  check_range("the members of a selection", options.selection_members, 0, most_members);
  check_range("threads", options.threads, 1, most_threads);
  check_usage(options.patience.value_or(0) == 0 || options.select_best,
              "patience waits for a better epoch, so it needs selection of the best epoch");
  check_options(options.optimiser);
  check_options(options.schedule);
  check_usage(options.average >= 0 && options.average < 1,
              "the decay of averaged parameters must lie in [0, 1), but it is {}", options.average);
}

bool is_finished(const TrainOptions& options, bool selects, const TrainingState<float>& state) {
  return state.is_ended || std::ssize(state.kept.history) >= *options.epochs ||
         patience_after(options, selects, state.kept.history).has_run_out();
}

template <class Real>
Graph make_graph(const Method& method, const MixOptions& options, const Matrix<Real>& x,
                 Index threads) {
  if (!method.local) return Graph::complete(x.rows());
  Matrix<float> copy(x.rows(), x.cols());
  std::transform(x.data(), x.data() + x.rows() * x.cols(), copy.data(),
                 [](Real value) { return static_cast<float>(value); });
  return Graph::nearest(View<const float>(copy.view()), options.neighbours, threads);
}

template <class Real>
Trainer<Real>::Trainer(const Network<Real>& network, const Family& family, const Method& method,
                       const MixOptions& mix, const TrainOptions& options, const Graph& graph,
                       const Dataset<Real>& train, const Dataset<Real>& validation,
                       std::uint64_t seed)
    : options_((check_fit(network, family, method, train, validation), checked(options))),
      train_(train),
      validation_(validation),
      seed_(seed),
      batch_(options.batch.value_or(0) == 0 ? train.rows()
                                            : std::min(*options.batch, train.rows())),
      team_(options_.threads),
      drawer_(method, mix, family, graph, train.y, batch_, seed, train.weight),
      step_(network, family, method, mix, batch_, team_,
            most_rows_in_play(method, mix, graph, batch_)),
      optimise_(options.optimiser, network.parameters()),
      predict_(network, options.selection_members, PredictorDraws::for_all_rows, method.drops),
      family_(family),
      parameters_(network.initial_parameters(seed)),
      average_(options.average > 0 ? parameters_ : AlignedVector<Real>()),
      gradient_(parameters_.size()),
      validation_out_(validation.rows() * predict_.members(), network.outputs()),
      order_(to_size(train.rows())),
      patience_(patience_of(options_, selects())) {
  kept_.parameters = parameters_;
  std::iota(order_.begin(), order_.end(), Index{0});
}

template <class Real>
bool Trainer<Real>::done() const {
  return std::ssize(kept_.history) >= *options_.epochs || patience_.has_run_out();
}

template <class Real>
void Trainer<Real>::run_epoch() {
  const double loss = run_steps();
  const AlignedVector<Real>& judged = average_.empty() ? parameters_ : average_;
  double nll = std::numeric_limits<double>::quiet_NaN();
  if (validation_.rows() > 0) {
    predict_(judged.data(), validation_.x.view(), seed_, 0, validation_out_.view());
    nll = score(family_, View<const Real>(validation_out_.view()), predict_.members(),
                validation_.y.view(), validation_.weight)
              .nll;
  }
  kept_.history.push_back({loss, nll});
  const bool is_best = !selects() || nll < best_nll_;
  if (is_best) {
    best_nll_ = nll;
    kept_.best_epoch = std::ssize(kept_.history);
    std::ranges::copy(judged, kept_.parameters.begin());
  }
  if (patience_.after_epoch(is_best)) {
    parameters_ = kept_.parameters;
    if (!average_.empty()) average_ = kept_.parameters;
  }
}

// The steps of one epoch; returns their mean loss.
template <class Real>
double Trainer<Real>::run_steps() {
  const Index n = train_.rows();
  const Index epoch = std::ssize(kept_.history) + 1;
  if (batch_ < n) {
    std::iota(order_.begin(), order_.end(), Index{0});
    Stream stream(seed_, Purpose::batches, static_cast<std::uint64_t>(epoch));
    shuffle(order_.begin(), static_cast<std::uint32_t>(n), stream);
  }
  double total = 0;
  for (Index start = 0; start < n; start += batch_) {
    const Index rows = std::min(batch_, n - start);
    const auto batch = std::span(order_).subspan(to_size(start), to_size(rows));
    const double factor =
        patience_.rate() *
        rate_factor(options_.schedule, static_cast<Index>(steps_), *options_.epochs * batches());
    const double loss =
        step_(parameters_.data(), train_.x, drawer_(steps_++, batch), gradient_.data());
    const double norm = optimise_(gradient_.data(), parameters_.data(), factor);
    check_converges(
        std::isfinite(loss) && std::isfinite(norm),
        "training diverged in epoch {}: the loss is {:.3g} and the norm of its gradient {:.3g}; "
        "lower the learning rate, raise the variance floor or clip the gradient",
        epoch, loss, norm);
    if (!average_.empty()) update_average();
    total += loss * static_cast<double>(rows) / static_cast<double>(n);
  }
  return total;
}

template <class Real>
void Trainer<Real>::update_average() {
  const auto before = static_cast<double>(steps_ - 1);
  const double decay = std::min(options_.average, (1 + before) / (10 + before));
  kernel::lerp_forward(static_cast<Real>(1 - decay), parameters_.data(), average_.data(),
                       average_.data(), std::ssize(average_));
}

template <class Real>
void check_usable(const FitResult<Real>& kept, bool selects) {
  check_converges(
      !selects || kept.best_epoch > 0,
      "the validation NLL was not finite in any of {} epochs; look for extreme values in the "
      "validation data, or lower the learning rate",
      kept.history.size());
  check_converges(
      std::isfinite(kernel::sum_of_squares(kept.parameters.data(), std::ssize(kept.parameters))),
      "training diverged: parameters are not finite after {} epochs; lower the learning rate",
      kept.history.size());
}

template <class Real>
FitResult<Real> Trainer<Real>::result() const {
  check_usable(kept_, selects());
  return kept_;
}

template <class Real>
TrainingState<Real> Trainer<Real>::state() const {
  return {parameters_, average_, optimise_.state(), steps_, best_nll_, kept_};
}

template <class Real>
void Trainer<Real>::restore(const TrainingState<Real>& state) {
  const Index epochs = std::ssize(state.kept.history);
  const Index steps = epochs * batches();
  check_usage(epochs <= *options_.epochs,
              "the training to resume already has {} epochs, more than the {} requested", epochs,
              *options_.epochs);
  check(state.parameters.size() == parameters_.size() && state.average.size() == average_.size() &&
            state.kept.parameters.size() == parameters_.size() &&
            state.steps == static_cast<std::uint64_t>(steps) && state.optimiser.steps == steps &&
            state.kept.best_epoch >= 0 && state.kept.best_epoch <= epochs,
        "a training state of {} parameters after {} epochs does not belong to this training",
        state.parameters.size(), epochs);
  optimise_.restore(state.optimiser);
  parameters_ = state.parameters;
  average_ = state.average;
  steps_ = state.steps;
  best_nll_ = state.best_nll;
  kept_ = state.kept;
  patience_ = patience_after(options_, selects(), kept_.history);
}

template <class Real>
FitResult<Real> fit(const Network<Real>& network, const Family& family, const Method& method,
                    const MixOptions& mix, const TrainOptions& options, const Graph& graph,
                    const Dataset<Real>& train, const Dataset<Real>& validation,
                    std::uint64_t seed) {
  Trainer<Real> trainer(network, family, method, mix, options, graph, train, validation, seed);
  while (!trainer.done()) trainer.run_epoch();
  return trainer.result();
}

template Graph make_graph(const Method&, const MixOptions&, const Matrix<float>&, Index);
template Graph make_graph(const Method&, const MixOptions&, const Matrix<double>&, Index);
template void check_usable(const FitResult<float>&, bool);
template class Trainer<float>;
template class Trainer<double>;
template FitResult<float> fit(const Network<float>&, const Family&, const Method&,
                              const MixOptions&, const TrainOptions&, const Graph&,
                              const Dataset<float>&, const Dataset<float>&, std::uint64_t);
template FitResult<double> fit(const Network<double>&, const Family&, const Method&,
                               const MixOptions&, const TrainOptions&, const Graph&,
                               const Dataset<double>&, const Dataset<double>&, std::uint64_t);

}  // namespace probmix
