#include "probmix/data/window_scaling.hpp"

#include <algorithm>

#include "probmix/base/error.hpp"
#include "probmix/data/split.hpp"

namespace probmix {
namespace {

// Rows of the series × channels: those that the inputs of the windows cover, in ascending order.
Matrix<double> covered_rows(const Windows& windows, std::vector<Index> numbers) {
  std::ranges::sort(numbers);
  std::vector<const double*> rows;
  Index next = 0;  // of the series: what lies before has been collected, or is covered by no window
  for (const Index i : numbers) {
    const Index first = windows.first[to_size(i)];
    const double* const x = windows.x.row(i);
    for (next = std::max(next, first); next < first + windows.window; ++next) {
      rows.push_back(x + (next - first) * windows.channels);
    }
  }
  Matrix<double> covered(static_cast<Index>(rows.size()), windows.channels);
  for (Index r = 0; r < covered.rows(); ++r) {
    std::copy_n(rows[to_size(r)], windows.channels, covered.row(r));
  }
  return covered;
}

}  // namespace

WindowScaler::WindowScaler(const Windows& windows, const std::vector<Index>& train)
    : channel_count_(windows.channels),
      channels_(covered_rows(windows, train).view()),
      target_(take_rows(windows.y.view(), train).view()) {
  check(!target_.constant(0),
        "{}: the targets of the {} training windows are all {}; the density of a constant cannot "
        "be learned, choose another column (--target) or period",
        windows.source, train.size(), windows.y(train.front(), 0));
}

}  // namespace probmix
