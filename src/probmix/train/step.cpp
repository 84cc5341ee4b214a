#include "probmix/train/step.hpp"

#include <unistd.h>

#include <algorithm>
#include <numeric>

#include "probmix/base/copy_row.hpp"
#include "probmix/base/error.hpp"
#include "probmix/base/prefetch.hpp"
#include "probmix/kernel/arithmetic.hpp"

namespace probmix {

namespace {

// Rows that pass through the layers together: 256 rows of a hidden layer of 128 are 128 KB.
// Sequences are long rows, and a layer may keep half a megabyte of each.
Index tile_rows(Index steps) { return steps == 1 ? 256 : 144; }

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

// Fails early instead of exhausting the machine's memory.
void check_memory(double numbers, std::size_t size, Index rows) {
  const double needed = numbers * static_cast<double>(size);
  const double there =
      static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  constexpr double gigabyte = 1e9;
  check(needed <= there,
        "a training step of {} rows would need {:.3g} GB of memory, but the machine has {:.3g} GB; "
        "use smaller batches or narrower layers",
        rows, needed / gigabyte, there / gigabyte);
}

}  // namespace

Index most_rows_in_play(const Method& method, const MixOptions& options, const Graph& graph,
                        Index batch) {
  const bool permuted = graph.is_complete() && options.pairing == Pairing::permutation;
  if (method.site == Site::none || permuted) return batch;
  return std::min(2 * batch, graph.rows());
}

template <class Real>
Step<Real>::Step(const Network<Real>& network, const Family& family, const Method& method,
                 const MixOptions& options, Index max_batch, Team& team, Index max_rows)
    : team_(team),
      site_(method.site),
      mixed_(method.site == Site::embedding ? method.embedding : Embedding::point),
      draws_(options.draws),
      max_batch_(max_batch),
      max_rows_(max_rows == 0 ? 2 * max_batch : max_rows),
      parameters_(network.parameters().size()),
      front_(front_of(network, site_)),
      back_(back_of(network, site_)),
      steps_(std::max(front_->steps(), back_->steps())),
      front_tile_(tile_rows(front_->steps())),
      // The noise of a tile starts at a multiple of 4; where there is none, a tile may be the draws
      // of one pair.
      pair_granule_(back_->steps() == 1 || mixed_ != Embedding::point ? 4 : 1),
      pair_tile_(std::max(pair_granule_, tile_rows(back_->steps()) / draws_)),
      risk_(family, options.pooling, options.criterion, options.draws),
      response_scratch_(risk_, site_ == Site::response ? max_rows_ : 0) {
  check(max_rows_ >= max_batch, "a step of {} pairs needs at least as many rows, not {}", max_batch,
        max_rows_);
  const Index rows = front_->empty() ? 0 : max_rows_;
  const Index shares = share_count(max_batch, steps_);
  // The sizes of a worker's memory. Tiles have fewer rows than highest_tile.
  const Index front_tile = std::min(rows, highest_tile(front_tile_) - 1);
  const Index pairs = std::min(max_batch, highest_tile(pair_tile_, pair_granule_) - 1);
  const Index tile = site_ == Site::response ? 0 : pairs * draws_;
  const Index z = site_ == Site::embedding ? back_->inputs() : 0;
  const Index random_z = mixed_ == Embedding::point ? 0 : z;
  const auto make_worker = [&](auto&& memory) -> Worker {
    return {.noise = memory(tile * random_z),
            .u = memory(tile * back_->inputs()),
            .weight = memory(tile * random_z),
            .spread = memory(tile * random_z),
            .y = memory(tile * back_->outputs()),
            .dy = memory(tile * back_->outputs()),
            .du = memory(tile * z),
            .dv = memory(site_ == Site::embedding ? front_tile * front_->outputs() : 0),
            .keep = memory(tile * back_->kept()),
            .scratch = memory(std::max(tile * back_->scratch(), front_tile * front_->scratch())),
            .risk = Risk::Scratch(risk_, tile)};
  };

  double worker_numbers = 0;
  make_worker([&](Index numbers) {
    worker_numbers += static_cast<double>(numbers);
    return AlignedVector<Real>();
  });
  // For each row: its values at both ends of the front, their gradients, and what the front keeps.
  const Index row_numbers = front_->inputs() + 3 * front_->outputs() + front_->kept();
  check_memory(static_cast<double>(rows) * static_cast<double>(row_numbers) +
                   static_cast<double>(shares) * static_cast<double>(parameters_) +
                   static_cast<double>(team.threads()) * worker_numbers,
               sizeof(Real), max_batch);
  x_ = Matrix<Real>(rows, front_->inputs());
  v_ = Matrix<Real>(rows, front_->outputs());
  keep_.resize(to_size(rows * front_->kept()));
  if (site_ == Site::response) dv_ = Matrix<Real>(rows, front_->outputs());
  if (site_ == Site::embedding) {
    pair_gradients_ = PairGradients<Real>(max_batch, rows, front_->outputs());
  }
  share_gradients_ = Matrix<Real>(shares - 1, parameters_);
  for (Index t = 0; t < team.threads(); ++t) {
    workers_.push_back(
        make_worker([](Index numbers) { return AlignedVector<Real>(to_size(numbers)); }));
  }
}

template <class Real>
double Step<Real>::operator()(const Real* parameters, const Matrix<Real>& x, const Draw<Real>& draw,
                              Real* gradient) {
  const Call call{
      parameters, x, draw, gradient, std::ssize(draw.rows), share_count(draw.pairs, steps_)};
  check(draw.pairs <= max_batch_ && call.rows <= max_rows_ &&
            x.cols() == (front_->empty() ? back_ : front_)->inputs(),
        "a step for {} pairs, {} rows and {} features was given {}, {} and {}", max_batch_,
        max_rows_, (front_->empty() ? back_ : front_)->inputs(), draw.pairs, call.rows, x.cols());
  const Index mixed = draw.pairs * draws_;
  check(std::ssize(draw.partner) == draw.pairs && std::ssize(draw.weight) == draw.pairs &&
            draw.pairs <= call.rows && std::ssize(draw.lambda) == mixed &&
            std::ssize(draw.site_lambda) == mixed && draw.targets.weight.rows() >= mixed &&
            std::ranges::all_of(draw.partner, [&](Index j) { return j >= 0 && j < call.rows; }),
        "the parts of a draw of {} pairs do not fit together", draw.pairs);
  if (gradient != nullptr) {
    std::fill_n(gradient, parameters_, Real{0});
    std::fill_n(share_gradients_.data(), (call.shares - 1) * parameters_, Real{0});
  }
  if (!front_->empty()) run_front(call);
  const double loss = site_ == Site::response ? risk_of_responses(call) : run_back(call);
  if (gradient != nullptr) {
    if (site_ == Site::embedding) pair_gradients_.set_partners(draw.partner, call.rows);
    if (!front_->empty()) reverse_front(call);
    add_shares(call);
  }
  return loss;
}

template <class Real>
Memory<Real> Step<Real>::front_memory(const Call& call, Rows tile, Worker& worker) {
  const Memory<Real> whole{keep_.data(), worker.scratch.data(), &call.draw.random};
  return whole.from(tile.first, front_->kept());
}

template <class Real>
void Step<Real>::run_front(const Call& call) {
  team_.run(call.shares, [&](Index share, Index thread) {
    for_tiles(part_of({0, call.rows}, call.shares, share), front_tile_, [&](Rows tile) {
      for (Index r = tile.first; r < tile.first + tile.count; ++r) {
        if (r + 8 < call.rows) prefetch(call.x.row(call.draw.rows[to_size(r + 8)]), x_.cols());
        copy_row(call.x.row(call.draw.rows[to_size(r)]), x_.cols(), x_.row(r));
      }
      front_->forward(call.parameters, {x_.row(tile.first), tile.count, x_.cols()},
                      {v_.row(tile.first), tile.count, v_.cols()},
                      front_memory(call, tile, workers_[to_size(thread)]));
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
               response_scratch_);
}

// Mix, back part, risk, and the back part in reverse, a tile at a time.
template <class Real>
double Step<Real>::run_back(const Call& call) {
  team_.run(call.shares, [&](Index share, Index thread) {
    Real* const gradient = call.gradient == nullptr ? nullptr : gradient_of(call, share);
    double loss = 0;
    const auto run_tile = [&](Rows pairs) {
      loss += run_back_tile(call, pairs, workers_[to_size(thread)], gradient);
    };
    for_tiles(part_of({0, call.draw.pairs}, call.shares, share), pair_tile_, run_tile,
              pair_granule_);
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
  const Memory<Real> memory{worker.keep.data(), worker.scratch.data(), &draw.random, first};
  const SiteDraw<Real> site{pairs, draws_, draw.partner.data(), draw.site_lambda.data() + first,
                            worker.noise.data()};
  const SiteKept<Real> kept{worker.weight.data(), worker.spread.data()};
  if (site_ == Site::embedding) {
    if (mixed_ != Embedding::point) {
      draw.noise.fill(first * u.cols, u.size(), worker.noise.data());
    }
    mix_forward(mixed_, site, v(call), u, kept);
  } else {
    mix_rows(site, draw.rows.data(), call.x.view(), u);
  }
  back_->forward(call.parameters, u, y, memory);
  const double loss =
      risk_(View<const Real>(y),
            {.count = pairs.count, .total = draw.pairs, .weight = draw.weight.data() + pairs.first},
            TargetsView(draw.targets).part(first, count),
            gradient == nullptr ? nullptr : worker.dy.data(), worker.risk);
  if (gradient == nullptr) return loss;

  const bool has_front = site_ == Site::embedding;
  const View<Real> du{worker.du.data(), u.rows, u.cols};
  back_->backward(call.parameters, u, y, memory, {worker.dy.data(), y.rows, y.cols},
                  has_front ? du.data : nullptr, gradient);
  if (has_front) {
    mix_backward<Real>(mixed_, site, v(call), kept, du, pair_gradients_.own(pairs),
                       pair_gradients_.other(pairs));
  }
  return loss;
}

// The gradient of what the front made of some rows.
template <class Real>
View<Real> Step<Real>::gradient_of_rows(Rows rows, Worker& worker) {
  if (site_ == Site::response) return {dv_.row(rows.first), rows.count, dv_.cols()};
  const View<Real> dv{worker.dv.data(), rows.count, front_->outputs()};
  pair_gradients_.gather(rows, dv);
  return dv;
}

template <class Real>
void Step<Real>::reverse_front(const Call& call) {
  team_.run(call.shares, [&](Index share, Index thread) {
    Worker& worker = workers_[to_size(thread)];
    for_tiles(part_of({0, call.rows}, call.shares, share), front_tile_, [&](Rows tile) {
      front_->backward(call.parameters, {x_.row(tile.first), tile.count, x_.cols()},
                       {v_.row(tile.first), tile.count, v_.cols()},
                       front_memory(call, tile, worker), gradient_of_rows(tile, worker), nullptr,
                       gradient_of(call, share));
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
Real* Step<Real>::gradient_of(const Call& call, Index share) {
  return share == 0 ? call.gradient : share_gradients_.row(share - 1);
}

template class Step<float>;
template class Step<double>;

}  // namespace probmix
