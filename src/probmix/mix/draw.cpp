#include "probmix/mix/draw.hpp"

#include <algorithm>
#include <numeric>

#include "probmix/base/error.hpp"
#include "probmix/kernel/elementwise.hpp"

namespace probmix {

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
      max_batch_(max_batch),
      seed_(seed),
      position_(to_size(graph.rows()), -1) {
  check_options(options);
  check(graph.rows() == y.rows(), "a graph of {} rows does not fit data of {} rows", graph.rows(),
        y.rows());
  check_range("the batch size times draws (K)", max_batch * options.draws, 1, 1LL << 31);
  const Index mixed = max_batch * options.draws;
  draw_.rows.reserve(to_size(2 * max_batch));
  draw_.partner.reserve(to_size(max_batch));
  draw_.weight.reserve(to_size(max_batch));
  draw_.lambda.reserve(to_size(mixed));
  draw_.site_lambda.reserve(to_size(mixed));
  draw_.noise.resize(to_size(mixed * noise_width));
  draw_.targets = Targets(mixed, fusion_.atoms(), fusion_.responses());
}

template <class Real>
const Draw<Real>& Drawer<Real>::operator()(std::uint64_t step, std::span<const Index> batch) {
  check_range("the rows of a batch", std::ssize(batch), 1, max_batch_);
  draw_pairs(step, batch);
  draw_lambda(step);
  if (noise_width_ > 0 && !options_.propagate_mean) {
    kernel::fill_normal(seed_, static_cast<std::uint32_t>(Purpose::embedding), step,
                        draw_.noise.data(), draw_.pairs * options_.draws * noise_width_);
  }
  for (Index b = 0; b < draw_.pairs; ++b) {
    const double* const y_i = y_.row(draw_.rows[to_size(b)]);
    const double* const y_j = y_.row(draw_.rows[to_size(draw_.partner[to_size(b)])]);
    for (Index m = b * options_.draws; m < (b + 1) * options_.draws; ++m) {
      Stream stream(seed_, Purpose::target, step, static_cast<std::uint32_t>(m));
      fusion_.fuse(draw_.lambda[to_size(m)], y_i, y_j, stream, draw_.targets, m);
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
  std::ranges::fill(draw_.weight, 1.0);
  if (method_.site == Site::none) return;  // no pairs, so no edges and no weights of theirs
  for (std::size_t b = 0; b < batch.size(); ++b) draw_.weight[b] = graph_.weight(batch[b]);

  if (graph_.is_complete() && options_.pairing == Pairing::permutation) {
    Stream stream(seed_, Purpose::partner, step);
    shuffle(draw_.partner.begin(), static_cast<std::uint32_t>(batch.size()), stream);
    return;
  }
  // A partner that is itself in play is not run through the network twice.
  for (std::size_t b = 0; b < batch.size(); ++b)
    position_[to_size(batch[b])] = static_cast<Index>(b);
  for (std::size_t b = 0; b < batch.size(); ++b) {
    Stream stream(seed_, Purpose::partner, step, static_cast<std::uint32_t>(b));
    const Index j = graph_.draw_partner(batch[b], stream);
    if (position_[to_size(j)] < 0) {
      position_[to_size(j)] = static_cast<Index>(draw_.rows.size());
      draw_.rows.push_back(j);
    }
    draw_.partner[b] = position_[to_size(j)];
  }
  for (const Index row : draw_.rows) position_[to_size(row)] = -1;
}

template <class Real>
void Drawer<Real>::draw_lambda(std::uint64_t step) {
  const Index draws = options_.draws;
  const Index mixed = draw_.pairs * draws;
  draw_.lambda.assign(to_size(mixed), 1.0);
  draw_.site_lambda.assign(to_size(mixed), Real{1});
  if (method_.site == Site::none) return;

  const bool shared = options_.lambda_per == LambdaPer::step;
  for (Index m = 0; m < mixed; ++m) {
    double& lambda = draw_.lambda[to_size(m)];
    if (shared && m >= draws) {
      lambda = draw_.lambda[to_size(m % draws)];
    } else {
      Stream stream(seed_, Purpose::lambda, step, static_cast<std::uint32_t>(m));
      lambda = law_.draw(stream);
    }
    if (method_.embedding != Embedding::point && options_.pooling == Pooling::linear) {
      // The component of z is drawn independently of that of ỹ.
      Stream stream(seed_, Purpose::component, step, static_cast<std::uint32_t>(m));
      draw_.site_lambda[to_size(m)] = stream.uniform() < lambda ? Real{1} : Real{0};
    } else {
      draw_.site_lambda[to_size(m)] = static_cast<Real>(lambda);
    }
  }
}

template class Drawer<float>;
template class Drawer<double>;

}  // namespace probmix
