// The numbers of a column: a vector of its own, or an array of any type and stride that the program
// holds in memory and that is read where it is.
#pragma once

#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "probmix/base/matrix.hpp"

namespace probmix {

class Numbers {
 public:
  Numbers() = default;
  Numbers(std::vector<double> own) : own_(std::move(own)) {}

  // `size` numbers of type T, `stride` bytes apart (which may be negative, and need not be a
  // multiple of T's size). `owner` keeps the memory alive.
  template <class T>
  static Numbers in_memory(const void* first, Index size, Index stride,
                           std::shared_ptr<const void> owner) {
    Numbers numbers;
    numbers.read_ = [](const std::byte* at) {
      T value;
      std::memcpy(&value, at, sizeof(T));
      return static_cast<double>(value);
    };
    numbers.first_ = static_cast<const std::byte*>(first);
    numbers.stride_ = stride;
    numbers.size_ = to_size(size);
    numbers.owner_ = std::move(owner);
    return numbers;
  }

  std::size_t size() const { return read_ == nullptr ? own_.size() : size_; }
  bool empty() const { return size() == 0; }
  double operator[](std::size_t row) const {
    return read_ == nullptr ? own_[row] : read_(first_ + static_cast<Index>(row) * stride_);
  }
  template <class Use>
  void for_each(const Use& use) const {
    for (std::size_t row = 0; row < size(); ++row) use((*this)[row]);
  }
  std::vector<double> copy() const {
    std::vector<double> copied;
    copied.reserve(size());
    for_each([&](double value) { copied.push_back(value); });
    return copied;
  }

  // Only for numbers in a vector of their own.
  void push_back(double value) { own_.push_back(value); }
  void clear() { own_.clear(); }

 private:
  std::vector<double> own_ = {};
  double (*read_)(const std::byte*) = nullptr;  // null: own_ has the numbers
  const std::byte* first_ = nullptr;
  Index stride_ = 0;
  std::size_t size_ = 0;
  std::shared_ptr<const void> owner_ = nullptr;
};

}  // namespace probmix
