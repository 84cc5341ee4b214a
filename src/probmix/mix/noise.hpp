// The standard normals of random embeddings. They are many, so they are made where they are used: a
// number is a function of (seed, step, its place).
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "probmix/base/matrix.hpp"
#include "probmix/base/random.hpp"
#include "probmix/kernel/fill_normal.hpp"

namespace probmix {

template <class Real>
class Noise {
 public:
  Noise() = default;  // zeros: the mean of an embedding is propagated
  Noise(std::uint64_t seed, std::uint64_t step) : kind_(Kind::stream), seed_(seed), step_(step) {}
  explicit Noise(std::vector<Real> values) : kind_(Kind::given), values_(std::move(values)) {}

  // Numbers first, ..., first + n − 1; `first` must be a multiple of 4.
  void fill(Index first, Index n, Real* out) const {
    if (kind_ == Kind::zero) {
      std::fill_n(out, n, Real{0});
    } else if (kind_ == Kind::given) {
      std::copy_n(values_.begin() + first, n, out);
    } else {
      kernel::fill_normal(seed_, static_cast<std::uint32_t>(Purpose::embedding), step_, out, n,
                          first);
    }
  }

 private:
  enum class Kind { zero, stream, given };

  Kind kind_ = Kind::zero;
  std::uint64_t seed_ = 0;
  std::uint64_t step_ = 0;
  std::vector<Real> values_;
};

}  // namespace probmix
