#include "probmix/base/matrix.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <type_traits>
#include <utility>

namespace probmix {
namespace {

Matrix<float> counted(Index rows, Index cols) {
  Matrix<float> m(rows, cols);
  for (Index k = 0; k < rows * cols; ++k) m.data()[k] = static_cast<float>(k);
  return m;
}

TEST(Matrix, IsZeroRowMajorAndAligned) {
  for (const Index rows : {1, 3, 17}) {
    for (const Index cols : {1, 5, 33}) {
      Matrix<float> zero(rows, cols);
      for (Index k = 0; k < rows * cols; ++k) EXPECT_EQ(zero.data()[k], 0);
      const Matrix<float> m = counted(rows, cols);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(m.data()) % 64, 0U);
      EXPECT_EQ(m.rows(), rows);
      EXPECT_EQ(m.cols(), cols);
      for (Index r = 0; r < rows; ++r) {
        EXPECT_EQ(m.row(r), m.data() + r * cols);
        for (Index c = 0; c < cols; ++c) EXPECT_EQ(m(r, c), static_cast<float>(r * cols + c));
      }
    }
  }
}

TEST(Matrix, MayBeEmpty) {
  EXPECT_EQ(Matrix<double>().view().size(), 0);
  EXPECT_EQ(Matrix<double>(0, 4).view().cols, 4);
  EXPECT_EQ(Matrix<double>(4, 0).view().rows, 4);
}

TEST(Matrix, CopiesAreDeepAndMovesKeepTheMemory) {
  Matrix<float> a = counted(3, 2);
  Matrix<float> b = a;
  b(1, 1) = -1;
  EXPECT_EQ(a(1, 1), 3);
  const float* const data = a.data();
  const Matrix<float> c = std::move(a);
  EXPECT_EQ(c.data(), data);
  EXPECT_EQ(c(2, 1), 5);
}

TEST(View, LooksAtTheMatrixsMemory) {
  Matrix<float> m = counted(4, 3);
  const View<float> view = m.view();
  EXPECT_EQ(view.size(), 12);
  EXPECT_EQ(&view(2, 1), &m(2, 1));
  EXPECT_EQ(view.row(3), m.row(3));
  view(2, 1) = -1;
  EXPECT_EQ(m(2, 1), -1);
}

TEST(View, FirstRowsAreAPrefix) {
  Matrix<float> m = counted(4, 3);
  const View<float> head = m.view().first(2);
  EXPECT_EQ(head.data, m.data());
  EXPECT_EQ(head.rows, 2);
  EXPECT_EQ(head.cols, 3);
}

TEST(View, ConvertsToAViewOfConstantsOnly) {
  static_assert(std::is_convertible_v<View<float>, View<const float>>);
  static_assert(!std::is_convertible_v<View<const float>, View<float>>);
  static_assert(
      std::is_same_v<decltype(std::declval<const Matrix<float>&>().view()), View<const float>>);
  Matrix<float> m = counted(2, 2);
  const View<const float> view = m.view();
  EXPECT_EQ(view.data, m.data());
  EXPECT_EQ(view.rows, 2);
}

TEST(AlignedVector, StaysAlignedWhenItGrows) {
  AlignedVector<double> values;
  for (int i = 0; i < 1000; ++i) {
    values.push_back(i);
    ASSERT_EQ(reinterpret_cast<std::uintptr_t>(values.data()) % 64, 0U);
  }
}

}  // namespace
}  // namespace probmix
