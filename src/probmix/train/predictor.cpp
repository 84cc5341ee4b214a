#include "probmix/train/predictor.hpp"

#include <algorithm>
#include <numeric>

#include "probmix/base/error.hpp"
#include "probmix/base/random.hpp"
#include "probmix/kernel/fill_normal.hpp"
#include "probmix/mix/site.hpp"

namespace probmix {

namespace {

Index checked(Index members) {
  check_range("the number of members", members, 0, 1 << 20);
  return members;
}

}  // namespace

template <class Real>
Predictor<Real>::Predictor(const Network<Real>& network, Index members, PredictorDraws draws,
                           bool drops)
    : encoder_(network.encoder()),
      decoder_(network.decoder()),
      embedding_(network.embedding()),
      drops_(drops && members > 0),
      members_(embedding_ == Embedding::point && !drops_ ? 0 : checked(members)),
      draws_(draws),
      block_rows_(drops_ ? std::min<Index>(this->members(), 64)
                         : std::clamp<Index>(8192 / this->members(), 1, 64)),
      v_(to_size(block_rows_ * encoder_->outputs())),
      z_(to_size(decoder_rows() * decoder_->inputs())),
      noise_(embedding_ == Embedding::point ? 0 : z_.size()),
      keep_(to_size(std::max(block_rows_ * encoder_->kept(), decoder_rows() * decoder_->kept()))),
      scratch_(to_size(
          std::max(block_rows_ * encoder_->scratch(), decoder_rows() * decoder_->scratch()))),
      copies_(to_size(drops_ ? block_rows_ * encoder_->inputs() : 0)),
      self_(to_size(block_rows_)),
      ones_(to_size(block_rows_ * this->members()), Real{1}) {
  check(!drops || embedding_ == Embedding::point,
        "a prediction mixes random embeddings or dropout masks, not both");
  std::iota(self_.begin(), self_.end(), Index{0});
}

// Dropout depends on the number of a row, so the numbers of its copies are those of the masks.
template <class Real>
void Predictor<Real>::run_masks(const Real* parameters, View<const Real> x, std::uint64_t seed,
                                View<Real> out) {
  constexpr std::uint64_t step = ~std::uint64_t{0};  // not one of a training
  const Randomness random{seed, step};
  for (Index r = 0; r < x.rows; ++r) {
    for (Index k = 0; k < block_rows_; ++k) {
      std::copy_n(x.row(r), x.cols, copies_.data() + k * x.cols);
    }
    for (Index mask = 0; mask < members_; mask += block_rows_) {
      const Index count = std::min(block_rows_, members_ - mask);
      const Memory<Real> memory{keep_.data(), scratch_.data(), &random, mask};
      const View<Real> v{v_.data(), count, encoder_->outputs()};
      encoder_->forward(parameters, {copies_.data(), count, x.cols}, v, memory);
      decoder_->forward(parameters, View<const Real>(v),
                        {out.row(r * members_ + mask), count, out.cols}, memory);
    }
  }
}

template <class Real>
void Predictor<Real>::operator()(const Real* parameters, View<const Real> x, std::uint64_t seed,
                                 Index first, View<Real> out) {
  const Index width = decoder_->inputs();
  const Index members = this->members();
  check(x.cols == encoder_->inputs() && out.rows == x.rows * members &&
            out.cols == decoder_->outputs(),
        "a prediction of {} rows and {} features does not fit outputs of {} by {}", x.rows, x.cols,
        out.rows, out.cols);
  if (drops_) return run_masks(parameters, x, seed, out);
  const Memory<Real> memory{keep_.data(), scratch_.data()};
  for (Index start = 0; start < x.rows; start += block_rows_) {
    const Index rows = std::min(block_rows_, x.rows - start);
    const View<Real> v{v_.data(), rows, encoder_->outputs()};
    encoder_->forward(parameters, {x.row(start), rows, x.cols}, v, memory);
    View<const Real> z = v;
    if (embedding_ != Embedding::point) {
      const bool is_for_all = draws_ == PredictorDraws::for_all_rows;
      for (Index r = 0; members_ > 0 && r < rows; ++r) {
        Real* const noise = noise_.data() + r * members * width;
        if (is_for_all && (r > 0 || start > 0)) {  // later blocks have no more rows than the first
          if (start == 0) std::copy_n(noise_.data(), members * width, noise);
          continue;
        }
        kernel::fill_normal(seed, static_cast<std::uint32_t>(Purpose::predict),
                            static_cast<std::uint64_t>(is_for_all ? 0 : first + start + r), noise,
                            members * width);
      }
      const View<Real> u{z_.data(), rows * members, width};
      mix_forward(embedding_, {{0, rows}, members, self_.data(), ones_.data(), noise_.data()},
                  View<const Real>(v), u);
      z = u;
    }
    decoder_->forward(parameters, z, {out.row(start * members), rows * members, out.cols}, memory);
  }
}

template class Predictor<float>;
template class Predictor<double>;

}  // namespace probmix
