#include "training_step.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <variant>

#include "probmix/base/error.hpp"
#include "probmix/train/fit.hpp"

namespace probmix::bench {

namespace {

StepSettings checked(StepSettings settings) {
  check_range("rows", settings.rows, 2, 1 << 24);
  check_range("steps", settings.steps, 1, 1 << 16);
  check_range("features", settings.features, 1, (1 << 16) / settings.steps);
  check_range("the batch size", settings.batch, 0, settings.rows);
  check_range("bins", settings.bins, 0, NumberKnots::most - 1);
  if (settings.batch == 0) settings.batch = settings.rows;
  check_range("threads", settings.threads, 1, 4096);
  check_options(settings.mix);
  return settings;
}

// x ~ N(0, 1), and y drawn from the family with parameters that are smooth functions of x.
Dataset<float> make_data(const StepSettings& settings, const Family& family) {
  const Index numbers = settings.steps * settings.features;
  return std::visit(
      [&](const auto& f) {
        Dataset<float> data{{settings.rows, numbers}, {settings.rows, f.responses()}};
        std::vector<double> out(to_size(f.outputs()));
        std::vector<double> phi(to_size(f.parameters()));
        for (Index r = 0; r < settings.rows; ++r) {
          Stream stream(settings.seed, Purpose::data, static_cast<std::uint64_t>(r));
          for (Index c = 0; c < numbers; ++c) {
            data.x(r, c) = static_cast<float>(stream.normal());
          }
          const double first = data.x(r, 0);
          const double last = data.x(r, numbers - 1);
          for (std::size_t k = 0; k < out.size(); ++k) {
            out[k] = std::sin(first + static_cast<double>(k)) + 0.5 * std::cos(2 * last) - 0.5;
          }
          f.link(out.data(), phi.data());
          f.sample(phi.data(), stream, data.y.row(r));
        }
        return data;
      },
      family);
}

// Knots at equally likely values of each feature.
std::vector<NumberKnots> knots_of(const Matrix<float>& x, Index bins) {
  std::vector<NumberKnots> all;
  for (Index c = 0; bins > 0 && c < x.cols(); ++c) {
    std::vector<float> values;
    for (Index r = 0; r < x.rows(); ++r) values.push_back(x(r, c));
    std::ranges::sort(values);
    NumberKnots number{.input = c};
    for (Index k = 0; k <= bins; ++k) {
      number.knots.push_back(values[to_size(k * (x.rows() - 1) / bins)]);
    }
    number.knots.erase(std::unique(number.knots.begin(), number.knots.end()), number.knots.end());
    all.push_back(std::move(number));
  }
  return all;
}

}  // namespace

Problem::Problem(const StepSettings& asked, Index threads)
    : settings(checked(asked)),
      method(find_method(settings.method)),
      family(make_family(settings.family, settings.family_options)),
      data(make_data(settings, family)),
      network([&] {
        settings.network.encoded = knots_of(data.x, settings.bins);
        return make_network<float>(settings.network, method.embedding, settings.steps,
                                   settings.features, family);
      }()),
      graph([&] {
        const auto start = std::chrono::steady_clock::now();
        Graph made = make_graph(method, settings.mix, data.x, threads);
        graph_seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        return made;
      }()) {}

TrainingStep::TrainingStep(const StepSettings& settings)
    : problem_(settings, settings.threads),
      team_(problem_.settings.threads),
      drawer_(problem_.method, problem_.settings.mix, problem_.family, problem_.graph,
              problem_.data.y, problem_.settings.batch, settings.seed),
      step_(problem_.network, problem_.family, problem_.method, problem_.settings.mix,
            problem_.settings.batch, team_,
            most_rows_in_play(problem_.method, problem_.settings.mix, problem_.graph,
                              problem_.settings.batch)),
      optimise_(settings.optimiser, problem_.network.parameters()),
      parameters_(problem_.network.initial_parameters(settings.seed)),
      gradient_(parameters_.size()),
      order_(to_size(settings.rows)) {
  std::iota(order_.begin(), order_.end(), Index{0});
}

std::span<const Index> TrainingStep::next_batch() {
  const Index n = problem_.settings.rows;
  const Index batch = problem_.settings.batch;
  if (batch == n) return order_;
  const auto per_epoch = static_cast<std::uint64_t>(n / batch);
  const std::uint64_t within = steps_ % per_epoch;
  if (within == 0) {
    std::iota(order_.begin(), order_.end(), Index{0});
    Stream stream(problem_.settings.seed, Purpose::batches, 1 + steps_ / per_epoch);
    shuffle(order_.begin(), static_cast<std::uint32_t>(n), stream);
  }
  return std::span(order_).subspan(within * to_size(batch), to_size(batch));
}

double TrainingStep::run() {
  draw_ = &drawer_(steps_, next_batch());
  ++steps_;
  rows_in_play_ += static_cast<double>(draw_->rows.size());
  const double loss = step_(parameters_.data(), problem_.data.x, *draw_, gradient_.data());
  const double norm = optimise_(gradient_.data(), parameters_.data());
  check(std::isfinite(loss) && std::isfinite(norm),
        "training diverged in step {}: the loss is {} and the norm of its gradient {}", steps_,
        loss, norm);
  return loss;
}

double TrainingStep::mean_rows_in_play() const {
  return rows_in_play_ / static_cast<double>(std::max<std::uint64_t>(steps_, 1));
}

// Up to the site layers see the rows in play, after it the mixed ones.
std::vector<LayerProducts> TrainingStep::products(Index rows_in_play) const {
  const Index mixed = problem_.settings.batch * problem_.settings.mix.draws;
  const bool site_after_encoder =
      problem_.method.site == Site::embedding || problem_.method.site == Site::response;
  const Architecture& network = problem_.settings.network;
  Sequences sequences{.steps = problem_.settings.steps};
  if (network.kind == ArchitectureKind::lstm) sequences.units = network.lstm.hidden;
  if (network.kind == ArchitectureKind::transformer) {
    sequences.units = network.transformer.width;
    sequences.heads = network.transformer.heads;
  }
  return products_of(problem_.network.parameters().entries(),
                     site_after_encoder ? rows_in_play : mixed,
                     problem_.method.site == Site::response ? rows_in_play : mixed, sequences);
}

}  // namespace probmix::bench
