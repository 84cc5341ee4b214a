#include "probmix/train/step.hpp"

#include <algorithm>
#include <numeric>

#include "probmix/base/error.hpp"
#include "probmix/kernel/elementwise.hpp"

namespace probmix {

namespace {

// Of values on their way through the network: 256 rows of a hidden layer of 128 are 128 KB.
constexpr Index tile_rows = 256;

// The layers before and after the site.
template <class Real>
std::shared_ptr<Sequence<Real>> front_of(const Network<Real>& network, Site site) {
  if (site == Site::embedding) return network.encoder();
  auto front = std::make_shared<Sequence<Real>>(network.inputs());
  if (site == Site::response) {
    front->add(network.encoder());
    front->add(network.decoder());
  }
  return front;
}

template <class Real>
std::shared_ptr<Sequence<Real>> back_of(const Network<Real>& network, Site site) {
  if (site == Site::embedding) return network.decoder();
  if (site == Site::response) return std::make_shared<Sequence<Real>>(network.outputs());
  return front_of(network, Site::response);
}

// Pairs of a tile, so that their draws fill it.
Index tile_pairs(Index draws) { return std::max<Index>(16, tile_rows / draws); }

}  // namespace

template <class Real>
Step<Real>::Step(const Network<Real>& network, const Family& family, const Method& method,
                 const MixOptions& options, Index max_batch, Team& team)
    : team_(team),
      site_(method.site),
      mixed_(method.site == Site::embedding ? method.embedding : Embedding::point),
      draws_(options.draws),
      max_batch_(max_batch),
      parameters_(network.parameters().size()),
      front_(front_of(network, site_)),
      back_(back_of(network, site_)),
      risk_(family, options.pooling, options.criterion, options.draws) {
  const Index rows = front_->empty() ? 0 : 2 * max_batch;
  x_ = Matrix<Real>(rows, front_->inputs());
  v_ = Matrix<Real>(rows, front_->outputs());
  dv_ = Matrix<Real>(rows, front_->outputs());
  keep_.resize(to_size(rows * front_->kept()));
  if (site_ == Site::embedding) du_ = Matrix<Real>(max_batch * draws_, back_->inputs());
  if (mixed_ != Embedding::point) {
    weight_ = Matrix<Real>(du_.rows(), du_.cols());
    spread_ = Matrix<Real>(du_.rows(), du_.cols());
  }
  share_gradients_ = Matrix<Real>(share_count(max_batch) - 1, parameters_);

  // A tile may be up to 15 rows higher than asked for, as parts start at multiples of 16.
  const Index tile = std::min(max_batch, tile_pairs(draws_) + 16) * draws_;
  const Index front_tile = std::min(rows, tile_rows + 16);
  for (Index t = 0; t < team.threads(); ++t) {
    const auto memory = [](Index numbers) { return AlignedVector<Real>(to_size(numbers)); };
    const bool has_back = site_ != Site::response;
    workers_.push_back({memory(has_back ? tile * back_->inputs() : 0),
                        memory(has_back ? tile * back_->outputs() : 0),
                        memory(has_back ? tile * back_->outputs() : 0),
                        memory(tile * back_->kept()),
                        memory(std::max(tile * back_->scratch(), front_tile * front_->scratch())),
                        Risk::Scratch(risk_, has_back ? tile : rows)});
  }
}

template <class Real>
double Step<Real>::operator()(const Real* parameters, const Matrix<Real>& x, const Draw<Real>& draw,
                              Real* gradient) {
  const Call call{parameters, x, draw, gradient, std::ssize(draw.rows), share_count(draw.pairs)};
  check(draw.pairs <= max_batch_ && call.rows <= 2 * max_batch_ &&
            x.cols() == (front_->empty() ? back_ : front_)->inputs(),
        "a step of {} pairs and {} features was asked to take {} and {}", max_batch_,
        (front_->empty() ? back_ : front_)->inputs(), draw.pairs, x.cols());
  if (gradient != nullptr) {
    std::fill_n(gradient, parameters_, Real{0});
    std::fill_n(share_gradients_.data(), (call.shares - 1) * parameters_, Real{0});
  }
  if (!front_->empty()) run_front(call);
  const double loss = site_ == Site::response ? risk_of_responses(call) : run_back(call);
  if (gradient != nullptr) {
    if (site_ == Site::embedding) unmix(call);
    if (!front_->empty()) reverse_front(call);
    add_shares(call);
  }
  return loss;
}

template <class Real>
void Step<Real>::run_front(const Call& call) {
  team_.run(call.shares, [&](Index share, Index thread) {
    for_tiles(part_of({0, call.rows}, call.shares, share), tile_rows, [&](Rows tile) {
      for (Index r = tile.first; r < tile.first + tile.count; ++r) {
        std::copy_n(call.x.row(call.draw.rows[to_size(r)]), x_.cols(), x_.row(r));
      }
      front_->forward(
          call.parameters, {x_.row(tile.first), tile.count, x_.cols()},
          {v_.row(tile.first), tile.count, v_.cols()},
          {keep_.data() + tile.first * front_->kept(), workers_[to_size(thread)].scratch.data()});
    });
  });
}

// The densities of two rows are pooled, and both rows get their part of the gradient.
template <class Real>
double Step<Real>::risk_of_responses(const Call& call) {
  const Draw<Real>& draw = call.draw;
  const Pairs pairs{.count = draw.pairs,
                    .total = draw.pairs,
                    .weight = draw.weight.data(),
                    .fused = true,
                    .partner = draw.partner.data(),
                    .lambda = draw.lambda.data()};
  return risk_(v(call), pairs, draw.targets, call.gradient == nullptr ? nullptr : dv_.data(),
               workers_[0].risk);
}

// Mix, back part, risk, and the back part in reverse, a tile at a time.
template <class Real>
double Step<Real>::run_back(const Call& call) {
  team_.run(call.shares, [&](Index share, Index thread) {
    Real* const gradient = call.gradient == nullptr ? nullptr : gradient_of(call, share);
    double loss = 0;
    for_tiles(part_of({0, call.draw.pairs}, call.shares, share), tile_pairs(draws_),
              [&](Rows pairs) {
                loss += run_back_tile(call, pairs, workers_[to_size(thread)], gradient);
              });
    share_loss_[to_size(share)] = loss;
  });
  return std::accumulate(share_loss_.begin(), share_loss_.begin() + call.shares, 0.0);
}

template <class Real>
double Step<Real>::run_back_tile(const Call& call, Rows pairs, Worker& worker, Real* gradient) {
  const Draw<Real>& draw = call.draw;
  const Index first = pairs.first * draws_;
  const Index count = pairs.count * draws_;
  const View<Real> u{worker.u.data(), count, back_->inputs()};
  const View<Real> y{worker.y.data(), count, back_->outputs()};
  const Memory<Real> memory{worker.keep.data(), worker.scratch.data()};
  const SiteDraw<Real> site = site_of(draw, pairs);
  if (site_ == Site::embedding) {
    mix_forward(mixed_, site, v(call), u, kept_of(first));
  } else {
    mix_rows(site, draw.rows.data(), call.x.view(), u);
  }
  back_->forward(call.parameters, u, y, memory);
  const double loss =
      risk_(View<const Real>(y),
            {.count = pairs.count, .total = draw.pairs, .weight = draw.weight.data() + pairs.first},
            TargetsView(draw.targets).part(first, count),
            gradient == nullptr ? nullptr : worker.dy.data(), worker.risk);
  if (gradient != nullptr) {
    back_->backward(call.parameters, u, y, memory, {worker.dy.data(), y.rows, y.cols},
                    site_ == Site::embedding ? du_.row(first) : nullptr, gradient);
  }
  return loss;
}

// A row may be the partner of many, so columns are shared out here, and not rows.
template <class Real>
void Step<Real>::unmix(const Call& call) {
  const Index parts = std::min(team_.threads(), du_.cols() / 16 + 1);
  const SiteDraw<Real> site = site_of(call.draw, {0, call.draw.pairs});
  team_.run(parts, [&](Index part, Index) {
    mix_backward<Real>(mixed_, site, v(call), kept_of(0),
                       du_.view().first(call.draw.pairs * draws_),
                       part_of({0, du_.cols()}, parts, part), {dv_.data(), call.rows, dv_.cols()});
  });
}

template <class Real>
void Step<Real>::reverse_front(const Call& call) {
  team_.run(call.shares, [&](Index share, Index thread) {
    for_tiles(part_of({0, call.rows}, call.shares, share), tile_rows, [&](Rows tile) {
      front_->backward(
          call.parameters, {x_.row(tile.first), tile.count, x_.cols()},
          {v_.row(tile.first), tile.count, v_.cols()},
          {keep_.data() + tile.first * front_->kept(), workers_[to_size(thread)].scratch.data()},
          {dv_.row(tile.first), tile.count, dv_.cols()}, nullptr, gradient_of(call, share));
    });
  });
}

template <class Real>
void Step<Real>::add_shares(const Call& call) {
  if (call.shares == 1) return;
  constexpr Index block = 4096;
  team_.run((parameters_ + block - 1) / block, [&](Index b, Index) {
    const Index first = b * block;
    const Index count = std::min(block, parameters_ - first);
    for (Index share = 1; share < call.shares; ++share) {
      kernel::axpy(Real{1}, gradient_of(call, share) + first, call.gradient + first, count);
    }
  });
}

template <class Real>
SiteDraw<Real> Step<Real>::site_of(const Draw<Real>& draw, Rows pairs) const {
  const Index first = pairs.first * draws_;
  return {pairs, draws_, draw.partner.data(), draw.site_lambda.data() + first,
          mixed_ == Embedding::point ? nullptr : draw.noise.data() + first * back_->inputs()};
}

// For the draws from number `first` on.
template <class Real>
SiteKept<Real> Step<Real>::kept_of(Index first) {
  if (mixed_ == Embedding::point) return {};
  return {weight_.row(first), spread_.row(first)};
}

template <class Real>
Real* Step<Real>::gradient_of(const Call& call, Index share) {
  return share == 0 ? call.gradient : share_gradients_.row(share - 1);
}

template class Step<float>;
template class Step<double>;

}  // namespace probmix
