#include "probmix/nn/dropout.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "probmix/base/error.hpp"
#include "probmix/kernel/arithmetic.hpp"
#include "probmix/kernel/fill_words.hpp"

namespace probmix {

void check_dropout_rate(double rate) {
  check_usage(rate >= 0 && rate < 1, "a dropout rate must be at least 0 and less than 1, not {}",
              rate);
}

template <class Real>
void dropout_factors(double rate, const Randomness* random, std::uint32_t stream, Index first_row,
                     View<Real> factors) {
  if (random == nullptr) {
    std::fill_n(factors.data, factors.size(), Real{1});
    return;
  }
  const auto threshold = static_cast<std::uint32_t>(std::ldexp(rate, 32));
  const Real scale = static_cast<Real>(1 / (1 - rate));
  constexpr Index chunk = 256;  // words at a time
  std::array<std::uint32_t, chunk> words;
  // Each layer has its own seed, so that a row has a whole stream: 2^34 words.
  const std::uint64_t seed = derive_seed(random->seed, stream);
  for (Index r = 0; r < factors.rows; ++r) {
    for (Index begin = 0; begin < factors.cols; begin += chunk) {
      const Index count = std::min(chunk, factors.cols - begin);
      kernel::fill_words(seed, static_cast<std::uint32_t>(Purpose::dropout), random->step,
                         static_cast<std::uint32_t>(first_row + r),
                         static_cast<std::uint32_t>(begin / 4), words.data(), count);
      Real* const out = factors.row(r) + begin;
      for (Index k = 0; k < count; ++k) {
        out[k] = words[static_cast<std::size_t>(k)] < threshold ? Real{0} : scale;
      }
    }
  }
}

template <class Real>
Dropout<Real>::Dropout(Index width, double rate) : width_(width), rate_(rate) {
  check_dropout_rate(rate);
}

template <class Real>
void Dropout<Real>::forward(const Real* /*parameters*/, View<const Real> x, View<Real> y,
                            Memory<Real> memory) const {
  const View<Real> factors{memory.keep, x.rows, width_};
  dropout_factors(rate_, memory.random, stream_, memory.first, factors);
  kernel::multiply(x.data, factors.data, y.data, x.size());
}

template <class Real>
void Dropout<Real>::backward(const Real* /*parameters*/, View<const Real> /*x*/,
                             View<const Real> /*y*/, Memory<Real> memory, View<Real> dy, Real* dx,
                             Real* /*gradient*/) const {
  if (dx != nullptr) kernel::multiply(dy.data, memory.keep, dx, dy.size());
}

template void dropout_factors(double, const Randomness*, std::uint32_t, Index, View<float>);
template void dropout_factors(double, const Randomness*, std::uint32_t, Index, View<double>);
template class Dropout<float>;
template class Dropout<double>;

}  // namespace probmix
