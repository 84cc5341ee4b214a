#include "probmix/mix/draw.hpp"

#include <algorithm>
#include <numeric>

#include "probmix/base/error.hpp"
#include "probmix/kernel/elementwise.hpp"

namespace probmix {

namespace {
std::size_t count(Index n) { return static_cast<std::size_t>(n); }
}  // namespace

template <class Real>
Drawer<Real>::Drawer(const Method& method, const MixOptions& options, const Family& family,
                     const Graph& graph, const Matrix<double>& y, Index noise_width,
                     Index max_batch, std::uint64_t seed)
    : method_(method),
      options_(options),
      law_(options.alpha),
      fusion_(family, method, options),
      graph_(graph),
      y_(y),
      noise_width_(noise_width),
      seed_(seed),
      position_(count(graph.rows()), -1) {
  check_options(options);
  check(graph.rows() == y.rows(), "a graph of {} rows does not fit data of {} rows", graph.rows(),
        y.rows());
  const Index mixed = max_batch * options.draws;
  draw_.rows.reserve(count(2 * max_batch));
  draw_.partner.reserve(count(max_batch));
  draw_.weight.reserve(count(max_batch));
  draw_.lambda.reserve(count(mixed));
  draw_.site_lambda.reserve(count(mixed));
  draw_.noise.resize(count(mixed * noise_width));
  draw_.targets = Targets(mixed, fusion_.atoms(), fusion_.responses());
}

template <class Real>
const Draw<Real>& Drawer<Real>::operator()(std::uint64_t step, std::span<const Index> batch) {
  draw_pairs(step, batch);
  draw_lambda(step);
  if (noise_width_ > 0 && !options_.propagate_mean) {
    kernel::fill_normal(seed_, static_cast<std::uint32_t>(Purpose::embedding), step,
                        draw_.noise.data(), draw_.pairs * options_.draws * noise_width_);
  }
  for (Index b = 0; b < draw_.pairs; ++b) {
    const double* const y_i = y_.row(draw_.rows[count(b)]);
    const double* const y_j = y_.row(draw_.rows[count(draw_.partner[count(b)])]);
    for (Index m = b * options_.draws; m < (b + 1) * options_.draws; ++m) {
      Stream stream(seed_, Purpose::target, step, static_cast<std::uint32_t>(m));
      fusion_.fuse(draw_.lambda[count(m)], y_i, y_j, stream, draw_.targets, m);
    }
  }
  return draw_;
}

template <class Real>
void Drawer<Real>::draw_pairs(std::uint64_t step, std::span<const Index> batch) {
  draw_.pairs = static_cast<Index>(batch.size());
  draw_.rows.assign(batch.begin(), batch.end());
  draw_.partner.resize(batch.size());
  draw_.weight.resize(batch.size());
  std::iota(draw_.partner.begin(), draw_.partner.end(), Index{0});
  for (std::size_t b = 0; b < batch.size(); ++b) draw_.weight[b] = graph_.weight(batch[b]);
  if (method_.site == Site::none) return;

  if (graph_.is_complete() && options_.pairing == Pairing::permutation) {
    Stream stream(seed_, Purpose::partner, step);
    shuffle(draw_.partner.begin(), static_cast<std::uint32_t>(batch.size()), stream);
    return;
  }
  // A partner that is itself in play is not run through the network twice.
  for (std::size_t b = 0; b < batch.size(); ++b) position_[count(batch[b])] = static_cast<Index>(b);
  for (std::size_t b = 0; b < batch.size(); ++b) {
    Stream stream(seed_, Purpose::partner, step, static_cast<std::uint32_t>(b));
    const Index j = graph_.draw_partner(batch[b], stream);
    if (position_[count(j)] < 0) {
      position_[count(j)] = static_cast<Index>(draw_.rows.size());
      draw_.rows.push_back(j);
    }
    draw_.partner[b] = position_[count(j)];
  }
  for (const Index row : draw_.rows) position_[count(row)] = -1;
}

template <class Real>
void Drawer<Real>::draw_lambda(std::uint64_t step) {
  const Index draws = options_.draws;
  const Index mixed = draw_.pairs * draws;
  draw_.lambda.assign(count(mixed), 1.0);
  draw_.site_lambda.assign(count(mixed), Real{1});
  if (method_.site == Site::none) return;

  const bool shared = options_.lambda_per == LambdaPer::step;
  for (Index m = 0; m < mixed; ++m) {
    double& lambda = draw_.lambda[count(m)];
    if (shared && m >= draws) {
      lambda = draw_.lambda[count(m % draws)];
    } else {
      Stream stream(seed_, Purpose::lambda, step, static_cast<std::uint32_t>(m));
      lambda = law_.draw(stream);
    }
    if (method_.probabilistic && options_.pooling == Pooling::linear) {
      // The component of z is drawn independently of that of ỹ.
      Stream stream(seed_, Purpose::component, step, static_cast<std::uint32_t>(m));
      draw_.site_lambda[count(m)] = stream.uniform() < lambda ? Real{1} : Real{0};
    } else {
      draw_.site_lambda[count(m)] = static_cast<Real>(lambda);
    }
  }
}

template class Drawer<float>;
template class Drawer<double>;

}  // namespace probmix
