#include "probmix/mix/draw.hpp"

#include <algorithm>
#include <numeric>

#include "probmix/base/error.hpp"
#include "probmix/kernel/block_stream.hpp"
#include "probmix/kernel/fill_normal.hpp"

namespace probmix {

namespace {

// Gives all draws of a pair the `width` numbers of its first draw.
template <class T>
void repeat_first_draw(std::vector<T>& values, Index pairs, Index draws, Index width = 1) {
  for (Index b = 0; b < pairs; ++b) {
    T* const first = values.data() + b * draws * width;
    for (Index k = 1; k < draws; ++k) std::copy_n(first, width, first + k * width);
  }
}

}  // namespace

template <class Real>
Drawer<Real>::Drawer(const Method& method, const MixOptions& options, const Family& family,
                     const Graph& graph, const Matrix<double>& y, Index max_batch,
                     std::uint64_t seed, std::span<const double> row_weight)
    : method_(method),
      options_(options),
      law_(options.alpha),
      fusion_(family, method, options),
      graph_(graph),
      y_(y),
      max_batch_(max_batch),
      seed_(seed),
      row_weight_(row_weight),
      position_(to_size(graph.rows()), -1) {
  check_options(options);
  check(graph.rows() == y.rows(), "a graph of {} rows does not fit data of {} rows", graph.rows(),
        y.rows());
  check(row_weight.empty() || std::ssize(row_weight) == y.rows(),
        "{} weights do not fit data of {} rows", row_weight.size(), y.rows());
  check_range("the batch size times draws (K)", max_batch * options.draws, 1, 1LL << 31);
  const Index mixed = max_batch * options.draws;
  draw_.rows.reserve(to_size(2 * max_batch));
  draw_.partner.reserve(to_size(max_batch));
  draw_.weight.reserve(to_size(max_batch));
  draw_.lambda.reserve(to_size(mixed));
  draw_.site_lambda.reserve(to_size(mixed));
  draw_.targets = Targets(mixed, fusion_.atoms(), fusion_.responses());
  uniform_.resize(to_size(mixed));
  if (fusion_.needs_normal()) normal_.resize(to_size(mixed * fusion_.responses()));
}

template <class Real>
const Draw<Real>& Drawer<Real>::operator()(std::uint64_t step, std::span<const Index> batch) {
  check_range("the rows of a batch", std::ssize(batch), 1, max_batch_);
  draw_pairs(step, batch);
  draw_lambda(step);
  if (!row_weight_.empty()) weigh_rows();
  if (!options_.propagate_mean) draw_.noise = Noise<Real>(seed_, step);
  draw_.random = {seed_, step};
  draw_targets(step);
  return draw_;
}

template <class Real>
void Drawer<Real>::draw_pairs(std::uint64_t step, std::span<const Index> batch) {
  draw_.pairs = std::ssize(batch);
  draw_.rows.assign(batch.begin(), batch.end());
  draw_.partner.resize(batch.size());
  draw_.weight.assign(batch.size(), 1.0);
  if (method_.site == Site::none) {  // no pairs, so no edges and no weights of theirs
    std::iota(draw_.partner.begin(), draw_.partner.end(), Index{0});
    return;
  }
  if (graph_.is_weighted()) {
    std::ranges::transform(batch, draw_.weight.begin(),
                           [&](Index row) { return graph_.weight(row); });
  }
  if (graph_.is_complete() && options_.pairing == Pairing::permutation) {
    std::iota(draw_.partner.begin(), draw_.partner.end(), Index{0});
    kernel::BlockStream stream(seed_, Purpose::partner, step);
    shuffle(draw_.partner.begin(), static_cast<std::uint32_t>(batch.size()), stream);
  } else {
    draw_partners(step, batch);
  }
}

template <class Real>
void Drawer<Real>::draw_partners(std::uint64_t step, std::span<const Index> batch) {
  Stream stream(seed_, Purpose::partner, step);
  graph_.draw_partners(batch, stream, draw_.partner.data());
  // From rows of the data to positions. A partner in play is not run through the network twice.
  for (std::size_t b = 0; b < batch.size(); ++b) {
    position_[to_size(batch[b])] = static_cast<Index>(b);
  }
  for (Index& j : draw_.partner) {
    Index& position = position_[to_size(j)];
    if (position < 0) {
      position = std::ssize(draw_.rows);
      draw_.rows.push_back(j);
    }
    j = position;
  }
  for (const Index row : draw_.rows) position_[to_size(row)] = -1;
}

template <class Real>
void Drawer<Real>::draw_lambda(std::uint64_t step) {
  const Index draws = options_.draws;
  const Index mixed = draw_.pairs * draws;
  draw_.lambda.resize(to_size(mixed));
  draw_.site_lambda.resize(to_size(mixed));
  if (method_.site == Site::none) {
    std::ranges::fill(draw_.lambda, 1.0);
    std::ranges::fill(draw_.site_lambda, Real{1});
    return;
  }
  double* const lambda = draw_.lambda.data();
  if (options_.lambda_per == LambdaPer::pair) {
    fill_uniform(Purpose::lambda, step, 0, lambda, mixed);
    fill_uniform(Purpose::lambda, step, 1, uniform_.data(), mixed);
    law_.draw_many(lambda, uniform_.data(), lambda, mixed);
  } else {
    Stream stream(seed_, Purpose::lambda, step);
    for (Index k = 0; k < draws; ++k) {
      const double shared = law_.draw(stream);
      for (Index m = k; m < mixed; m += draws) lambda[m] = shared;
    }
  }
  if (shares_targets()) repeat_first_draw(draw_.lambda, draw_.pairs, draws);
  if (picks_component()) {  // of z, independently of that of ỹ
    fill_uniform(Purpose::component, step, 0, uniform_.data(), mixed);
    std::ranges::transform(uniform_, draw_.lambda, draw_.site_lambda.begin(),
                           [](double u, double l) { return u < l ? Real{1} : Real{0}; });
  } else {
    std::ranges::transform(draw_.lambda, draw_.site_lambda.begin(),
                           [](double l) { return static_cast<Real>(l); });
  }
}

// A pair weighs what its rows do, each by its share λ.
template <class Real>
void Drawer<Real>::weigh_rows() {
  const Index draws = options_.draws;
  for (Index b = 0; b < draw_.pairs; ++b) {
    const double* const lambda = draw_.lambda.data() + b * draws;
    const double share = std::accumulate(lambda, lambda + draws, 0.0) / static_cast<double>(draws);
    const double own = row_weight_[to_size(draw_.rows[to_size(b)])];
    const double other = row_weight_[to_size(draw_.rows[to_size(draw_.partner[to_size(b)])])];
    draw_.weight[to_size(b)] *= share * own + (1 - share) * other;
  }
}

template <class Real>
void Drawer<Real>::draw_targets(std::uint64_t step) {
  const Index mixed = draw_.pairs * options_.draws;
  if (fusion_.needs_normal()) {
    kernel::fill_normal(seed_, static_cast<std::uint32_t>(Purpose::target), step, normal_.data(),
                        mixed * fusion_.responses());
  }
  if (fusion_.needs_uniform()) fill_uniform(Purpose::target, step, 1, uniform_.data(), mixed);
  if (shares_targets()) {
    repeat_first_draw(uniform_, draw_.pairs, options_.draws);
    if (fusion_.needs_normal()) {
      repeat_first_draw(normal_, draw_.pairs, options_.draws, fusion_.responses());
    }
  }
  fusion_({draw_.pairs, options_.draws, y_.view(), draw_.rows.data(), draw_.partner.data(),
           draw_.lambda.data()},
          {uniform_.data(), normal_.data()}, draw_.targets);
}

template <class Real>
void Drawer<Real>::fill_uniform(Purpose purpose, std::uint64_t step, std::uint32_t minor,
                                double* out, Index n) const {
  kernel::BlockStream stream(seed_, purpose, step, minor);
  for (Index m = 0; m < n; ++m) out[m] = stream.uniform();
}

template class Drawer<float>;
template class Drawer<double>;

}  // namespace probmix
