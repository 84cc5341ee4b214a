// An evenly spaced sample of a stream of unknown length: keeps between `wanted` and 2 `wanted`
// values (all of them if there are fewer).
#pragma once

#include <cstddef>
#include <vector>

namespace probmix {

template <class T>
class EvenSample {
 public:
  explicit EvenSample(std::size_t wanted) : wanted_(wanted) {}

  void add(const T& value) {
    if (seen_++ % distance_ != 0) return;
    if (values_.size() ==
        2 * wanted_) {  // keep every second one; `value` continues at the doubled distance
      for (std::size_t k = 0; k < wanted_; ++k) values_[k] = values_[2 * k];
      values_.resize(wanted_);
      distance_ *= 2;
    }
    values_.push_back(value);
  }

  const std::vector<T>& values() const { return values_; }

 private:
  std::size_t wanted_;
  std::size_t distance_ = 1;
  std::size_t seen_ = 0;
  std::vector<T> values_;
};

}  // namespace probmix
