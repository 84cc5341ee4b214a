#include "probmix/train/fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

#include "probmix/base/error.hpp"
#include "probmix/metric/scores.hpp"
#include "probmix/mix/draw.hpp"
#include "probmix/train/predictor.hpp"
#include "probmix/train/step.hpp"

namespace probmix {

namespace {

void check_train_options(const TrainOptions& options) {
  check_range("epochs", options.epochs, 1, 1'000'000'000);
  check_range("the batch size", options.batch, 0, std::numeric_limits<std::int32_t>::max());
  check_range("patience", options.patience, 0, 1'000'000'000);
}

// The plain NLL of rows that are not mixed, the mean of a random embedding propagated.
template <class Real>
class PlainNll {
 public:
  PlainNll(const Network<Real>& network, const Family& family, const Dataset<Real>& data)
      : family_(family), data_(data), predict_(network, 0), out_(data.rows(), network.outputs()) {}

  double operator()(const Real* parameters) {
    predict_(parameters, data_.x.view(), 0, 0, out_.view());
    return score(family_, View<const Real>(out_.view()), 1, data_.y.view()).nll;
  }

 private:
  const Family& family_;
  const Dataset<Real>& data_;
  Predictor<Real> predict_;
  Matrix<Real> out_;
};

}  // namespace

template <class Real>
Graph make_graph(const Method& method, const MixOptions& options, const Matrix<Real>& x) {
  if (!method.local) return Graph::complete(x.rows());
  Matrix<float> copy(x.rows(), x.cols());
  std::transform(x.data(), x.data() + x.rows() * x.cols(), copy.data(),
                 [](Real value) { return static_cast<float>(value); });
  return Graph::nearest(View<const float>(copy.view()), options.neighbours);
}

template <class Real>
FitResult<Real> fit(const Network<Real>& network, const Family& family, const Method& method,
                    const MixOptions& mix, const TrainOptions& options, const Graph& graph,
                    const Dataset<Real>& train, const Dataset<Real>& validation,
                    std::uint64_t seed) {
  check_train_options(options);
  check_dataset("training data", train, family);
  if (validation.rows() > 0) check_dataset("validation data", validation, family);
  check_usage(network.embedding() == method.embedding,
              "the network's kind of embedding is not the one of method {}", method.name);

  check_usage(train.x.cols() == network.inputs() &&
                  (validation.rows() == 0 || validation.x.cols() == network.inputs()),
              "the network has {} inputs, but the data {} features", network.inputs(),
              train.x.cols());
  const int outputs = std::visit([](const auto& f) { return f.outputs(); }, family);
  check_usage(network.outputs() == outputs,
              "the network has {} outputs, but the {} family needs {}", network.outputs(),
              family_name(family), outputs);

  const Index n = train.rows();
  const Index batch = options.batch == 0 ? n : std::min(options.batch, n);
  const Index noise = method.embedding == Embedding::point ? Index{0} : network.embedding_width();
  Drawer<Real> drawer(method, mix, family, graph, train.y, noise, batch, seed);
  Step<Real> step(network, family, method, mix, batch);
  Optimiser<Real> optimise(options.optimiser, network.parameters().size());
  PlainNll<Real> validate(network, family, validation);

  AlignedVector<Real> parameters = network.initial_parameters(seed);
  AlignedVector<Real> gradient(parameters.size());
  FitResult<Real> result{parameters, 0, {}};
  result.history.reserve(static_cast<std::size_t>(options.epochs));
  const bool selects = validation.rows() > 0 && options.select_best;
  double best = std::numeric_limits<double>::infinity();

  std::vector<Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index{0});
  std::uint64_t steps = 0;
  for (Index epoch = 1; epoch <= options.epochs; ++epoch) {
    if (batch < n) {
      std::iota(order.begin(), order.end(), Index{0});
      Stream stream(seed, Purpose::batches, static_cast<std::uint64_t>(epoch));
      shuffle(order.begin(), static_cast<std::uint32_t>(n), stream);
    }
    double loss = 0;
    for (Index start = 0; start < n; start += batch) {
      const Index rows = std::min(batch, n - start);
      const auto& draw = drawer(steps++, std::span(order).subspan(static_cast<std::size_t>(start),
                                                                  static_cast<std::size_t>(rows)));
      const double step_loss = step(parameters.data(), train.x, draw, gradient.data());
      const double norm = optimise(gradient.data(), parameters.data());
      check(std::isfinite(step_loss) && std::isfinite(norm),
            "training diverged in epoch {}: the loss is {} and the norm of its gradient {}; lower "
            "the learning rate, raise the variance floor or clip the gradient",
            epoch, step_loss, norm);
      loss += step_loss * static_cast<double>(rows) / static_cast<double>(n);
    }
    const double nll = validation.rows() > 0 ? validate(parameters.data())
                                             : std::numeric_limits<double>::quiet_NaN();
    result.history.push_back({loss, nll});
    if (!selects || nll < best) {
      best = nll;
      result.best_epoch = epoch;
      std::copy(parameters.begin(), parameters.end(), result.parameters.begin());
    }
    if (selects && options.patience > 0 && epoch - result.best_epoch >= options.patience) break;
  }
  return result;
}

template Graph make_graph(const Method&, const MixOptions&, const Matrix<float>&);
template Graph make_graph(const Method&, const MixOptions&, const Matrix<double>&);
template FitResult<float> fit(const Network<float>&, const Family&, const Method&,
                              const MixOptions&, const TrainOptions&, const Graph&,
                              const Dataset<float>&, const Dataset<float>&, std::uint64_t);
template FitResult<double> fit(const Network<double>&, const Family&, const Method&,
                               const MixOptions&, const TrainOptions&, const Graph&,
                               const Dataset<double>&, const Dataset<double>&, std::uint64_t);

}  // namespace probmix
