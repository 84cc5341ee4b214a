// Shared by the kernel tests: every instruction set of this machine, sizes around the vector
// widths, and unaligned arrays that detect a write beyond their end.
#pragma once

#include <gtest/gtest.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "probmix/base/matrix.hpp"
#include "probmix/base/random.hpp"

namespace probmix::test {

inline constexpr Index sizes[] = {0, 1, 2, 3, 7, 8, 15, 16, 17, 31, 33, 100, 1000};

// Dispatches every kernel to one instruction set for the lifetime of the object.
class OnTarget {
 public:
  explicit OnTarget(std::int64_t target) { choose(target); }
  ~OnTarget() { choose(0); }  // 0: the best one
  OnTarget(const OnTarget&) = delete;
  OnTarget& operator=(const OnTarget&) = delete;

 private:
  static void choose(std::int64_t target) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
};

// Calls f() on each compiled instruction set that this machine can run; failures carry its name.
template <class F>
void on_each_target(const F& f) {
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    const OnTarget guard(target);
    SCOPED_TRACE(hwy::TargetName(target));
    f();
  }
}

// n values one element past an aligned address, between sentinels.
template <class T>
class Guarded {
 public:
  explicit Guarded(Index n, T value = 0)
      : memory_(static_cast<std::size_t>(n) + 2 * margin, sentinel), n_(n) {
    std::fill_n(data(), n, value);
  }
  Guarded(const std::vector<double>& values) : Guarded(static_cast<Index>(values.size())) {
    std::transform(values.begin(), values.end(), data(),
                   [](double x) { return static_cast<T>(x); });
  }

  T* data() { return memory_.data() + margin; }
  const T* data() const { return memory_.data() + margin; }
  T& operator[](Index k) { return data()[k]; }
  const T& operator[](Index k) const { return data()[k]; }
  Index size() const { return n_; }
  bool intact() const {
    const auto is_sentinel = [](T x) { return x == sentinel; };
    return std::all_of(memory_.begin(), memory_.begin() + margin, is_sentinel) &&
           std::all_of(memory_.end() - margin, memory_.end(), is_sentinel);
  }

 private:
  static constexpr std::ptrdiff_t margin = 17;
  static constexpr T sentinel = static_cast<T>(-12345.5);
  AlignedVector<T> memory_;
  Index n_;
};

// n normals times `scale`, rounded to float so that float and double kernels see the same input.
inline std::vector<double> normals(Index n, std::uint64_t major, double scale = 1) {
  Stream stream(1, Purpose::test, major);
  std::vector<double> values(static_cast<std::size_t>(n));
  for (double& x : values) x = static_cast<float>(scale * stream.normal());
  return values;
}

// |actual − expected| <= tolerance · max(|expected|, floor), with NaN and infinities equal to
// themselves.
inline ::testing::AssertionResult close(double actual, double expected, double tolerance,
                                        double floor) {
  if (std::isnan(expected) && std::isnan(actual)) return ::testing::AssertionSuccess();
  if (actual == expected) return ::testing::AssertionSuccess();
  if (std::abs(actual - expected) <= tolerance * std::max(std::abs(expected), floor)) {
    return ::testing::AssertionSuccess();
  }
  return ::testing::AssertionFailure()
         << "got " << actual << ", expected " << expected << ", difference " << actual - expected;
}

// Element by element; the first that differs is reported.
template <class A, class B>
::testing::AssertionResult all_close(const Guarded<A>& actual, const Guarded<B>& expected,
                                     double tolerance, double floor) {
  if (!actual.intact()) return ::testing::AssertionFailure() << "wrote outside of the array";
  for (Index k = 0; k < expected.size(); ++k) {
    if (auto result = close(actual[k], expected[k], tolerance, floor); !result) {
      return result << " at element " << k << " of " << expected.size();
    }
  }
  return ::testing::AssertionSuccess();
}

}  // namespace probmix::test
