// lstm_cell_forward and _backward against the naive twin; their derivatives are checked in
// nn/lstm_test.cpp.
#include "probmix/kernel/lstm_cell.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "kernel/kernel_support.hpp"
#include "probmix/kernel/naive_lstm.hpp"
#include "support/tolerance.hpp"

namespace probmix::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// The memory of one step, with gaps between rows where the kernel allows it.
template <class Real>
struct Cell {
  Index rows, hidden;
  bool first_step;
  Guarded<Real> gates, c_before, c, h, dh, dgates, dc, dbias;

  Cell(Index row_count, Index width, bool first, double scale = 2)
      : rows(row_count),
        hidden(width),
        first_step(first),
        gates(normals(rows * gates_row(), 1, scale)),
        c_before(normals(rows * hidden, 2)),
        c(rows * hidden),
        h(rows * h_row()),
        dh(normals(rows * dh_row(), 3)),
        dgates(rows * dgates_row()),
        dc(normals(rows * hidden, 4)),
        dbias(normals(4 * hidden, 5)) {}

  Index gates_row() const { return 4 * hidden + 3; }
  Index h_row() const { return 2 * hidden; }
  Index dh_row() const { return hidden + 1; }
  Index dgates_row() const { return 4 * hidden + 2; }
  const Real* before() const { return first_step ? nullptr : c_before.data(); }

  kernel::LstmForward<Real> forward() {
    return {rows, hidden, {gates.data(), gates_row()}, before(), c.data(), {h.data(), h_row()}};
  }
  kernel::LstmBackward<Real> backward() {
    return {.rows = rows,
            .hidden = hidden,
            .gates = {gates.data(), gates_row()},
            .c_before = before(),
            .h = {h.data(), h_row()},
            .dh = {dh.data(), dh_row()},
            .dgates = {dgates.data(), dgates_row()},
            .dc = dc.data(),
            .dbias = dbias.data()};
  }
};

TEST(LstmCell, AgreesWithTheTwin) {
  for (Index hidden = 1; hidden <= 40; ++hidden) {
    for (const Index rows : {Index{0}, Index{1}, Index{8}, Index{19}}) {
      for (const bool first_step : {false, true}) {
        SCOPED_TRACE(::testing::Message() << rows << " x " << hidden << ", first " << first_step);
        Cell<double> twin(rows, hidden, first_step);
        kernel::naive::lstm_cell_forward(twin.forward());
        kernel::naive::lstm_cell_backward(twin.backward());
        on_each_target([&] {
          Cell<float> cell(rows, hidden, first_step);
          kernel::lstm_cell_forward(cell.forward());
          ASSERT_TRUE(all_close(cell.gates, twin.gates, float_rounding, 1));
          ASSERT_TRUE(all_close(cell.c, twin.c, float_rounding, 1));
          ASSERT_TRUE(all_close(cell.h, twin.h, float_rounding, 1));
          kernel::lstm_cell_backward(cell.backward());
          ASSERT_TRUE(all_close(cell.dgates, twin.dgates, float_rounding, 1));
          ASSERT_TRUE(all_close(cell.dc, twin.dc, float_rounding, 1));
          const double terms = std::sqrt(static_cast<double>(rows)) + 1;  // of random sign
          ASSERT_TRUE(all_close(cell.dbias, twin.dbias, float_rounding, terms));
        });
      }
    }
  }
}

// One row whose four gates all have the pre-activations x.
template <class Real>
Cell<Real> cell_of(const std::vector<double>& x) {
  Cell<Real> cell(1, static_cast<Index>(x.size()), false);
  for (Index gate = 0; gate < 4; ++gate) {
    for (Index k = 0; k < cell.hidden; ++k) {
      cell.gates[gate * cell.hidden + k] = static_cast<Real>(x[static_cast<std::size_t>(k)]);
    }
  }
  return cell;
}

// The error that lstm_cell.hpp states, and gates that never leave their range.
TEST(LstmCell, IsAccurateOverTheWholeLine) {
  std::vector<double> x;
  for (double t = -30; t <= 30; t += 0.00037) x.push_back(static_cast<float>(t));
  for (const double t : {0.0, 1e-30, 1e-3, 15.81, 15.82, 90.0, 1e10, 3e38, infinity}) {
    x.push_back(static_cast<float>(t));
    x.push_back(static_cast<float>(-t));
  }
  constexpr double sigmoid_error = 2.5e-7;
  constexpr double tanh_error = 4e-7;
  on_each_target([&] {
    auto cell = cell_of<float>(x);
    kernel::lstm_cell_forward(cell.forward());
    const Index n = cell.hidden;
    for (Index k = 0; k < n; ++k) {
      const double at = x[static_cast<std::size_t>(k)];
      for (const Index gate : {0, 1, 3}) {
        const float value = cell.gates[gate * n + k];
        ASSERT_NEAR(value, kernel::naive::sigmoid(at), sigmoid_error) << at;
        ASSERT_TRUE(value >= 0 && value <= 1) << at;
      }
      const float g = cell.gates[2 * n + k];
      ASSERT_NEAR(g, std::tanh(at), tanh_error) << at;
      ASSERT_TRUE(g >= -1 && g <= 1) << at;
      const float o = cell.gates[3 * n + k];
      ASSERT_NEAR(cell.h[k], o * std::tanh(static_cast<double>(cell.c[k])), tanh_error) << at;
    }
    kernel::lstm_cell_backward(cell.backward());
    for (Index k = 0; k < 4 * n; ++k) ASSERT_TRUE(std::isfinite(cell.dgates[k])) << k;
    for (Index k = 0; k < n; ++k) ASSERT_TRUE(std::isfinite(cell.dc[k])) << k;
  });
}

TEST(LstmCell, ClosedOutputGateLetsNothingThroughInDoubleToo) {
  auto cell = cell_of<double>({-1e4});
  cell.dc[0] = 0.5;
  kernel::lstm_cell_forward(cell.forward());
  EXPECT_EQ(cell.h[0], 0);
  kernel::lstm_cell_backward(cell.backward());
  for (Index gate = 0; gate < 4; ++gate) EXPECT_EQ(cell.dgates[gate], 0);
  EXPECT_EQ(cell.dc[0], 0);
}

// A NaN in any gate shows up there and in h, and affects no other unit.
TEST(LstmCell, NanStaysNan) {
  constexpr Index n = 11;
  on_each_target([] {
    for (Index gate = 0; gate < 4; ++gate) {
      for (const bool first_step : {false, true}) {
        for (const Index where : {0, 7, 10}) {
          Cell<float> cell(1, n, first_step);
          cell.gates[gate * n + where] = static_cast<float>(nan);
          kernel::lstm_cell_forward(cell.forward());
          EXPECT_TRUE(std::isnan(cell.gates[gate * n + where]));
          for (Index k = 0; k < n; ++k) EXPECT_EQ(std::isnan(cell.h[k]), k == where) << k;
          kernel::lstm_cell_backward(cell.backward());
          for (Index k = 0; k < n; ++k) {
            EXPECT_EQ(std::isnan(cell.dgates[3 * n + k]), k == where) << k;
            EXPECT_EQ(std::isnan(cell.dc[k]), k == where) << k;
          }
        }
      }
    }
  });
}

TEST(LstmCell, NanInIncomingGradientStaysNan) {
  on_each_target([] {
    Cell<float> cell(1, 9, false);
    kernel::lstm_cell_forward(cell.forward());
    cell.dh[8] = static_cast<float>(nan);
    kernel::lstm_cell_backward(cell.backward());
    for (Index gate = 0; gate < 4; ++gate) {
      EXPECT_TRUE(std::isnan(cell.dgates[gate * 9 + 8]));
      EXPECT_TRUE(std::isnan(cell.dbias[gate * 9 + 8]));
      EXPECT_TRUE(std::isfinite(cell.dgates[gate * 9 + 7]));
    }
    EXPECT_TRUE(std::isnan(cell.dc[8]));
  });
}

}  // namespace
}  // namespace probmix::test
