// Row-major matrices: `View` refers to memory it does not own, `Matrix` owns it (64-byte aligned).
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace probmix {

using Index = std::ptrdiff_t;

// For the standard library, where sizes are unsigned.
inline std::size_t to_size(Index n) { return static_cast<std::size_t>(n); }

template <class T>
struct AlignedAllocator {
  using value_type = T;
  static constexpr std::align_val_t alignment{64};

  AlignedAllocator() = default;
  template <class U>
  AlignedAllocator(const AlignedAllocator<U>&) {}

  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), alignment)); }
  void deallocate(T* p, std::size_t) { ::operator delete(p, alignment); }
  friend bool operator==(const AlignedAllocator&, const AlignedAllocator&) { return true; }
};

template <class T>
using AlignedVector = std::vector<T, AlignedAllocator<T>>;

template <class T>
struct View {
  T* data = nullptr;
  Index rows = 0;
  Index cols = 0;

  T* row(Index r) const { return data + r * cols; }
  T& operator()(Index r, Index c) const { return data[r * cols + c]; }
  Index size() const { return rows * cols; }
  View first(Index n) const { return {data, n, cols}; }
  operator View<const T>() const { return {data, rows, cols}; }
};

template <class T>
class Matrix {
 public:
  Matrix() = default;
  Matrix(Index rows, Index cols)
      : values_(static_cast<std::size_t>(rows * cols)), rows_(rows), cols_(cols) {}

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  T* data() { return values_.data(); }
  const T* data() const { return values_.data(); }
  T* row(Index r) { return data() + r * cols_; }
  const T* row(Index r) const { return data() + r * cols_; }
  T& operator()(Index r, Index c) { return data()[r * cols_ + c]; }
  const T& operator()(Index r, Index c) const { return data()[r * cols_ + c]; }
  View<T> view() { return {data(), rows_, cols_}; }
  View<const T> view() const { return {data(), rows_, cols_}; }

 private:
  AlignedVector<T> values_;
  Index rows_ = 0;
  Index cols_ = 0;
};

}  // namespace probmix
