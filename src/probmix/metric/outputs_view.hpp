// A network's outputs of either precision, read in double: code for all families is compiled once.
#pragma once

#include <algorithm>

#include "probmix/base/matrix.hpp"

namespace probmix {

struct OutputsView {
  const float* singles = nullptr;  // either these or `doubles`
  const double* doubles = nullptr;
  Index rows = 0;
  Index cols = 0;

  OutputsView(View<const float> out) : singles(out.data), rows(out.rows), cols(out.cols) {}
  OutputsView(View<const double> out) : doubles(out.data), rows(out.rows), cols(out.cols) {}

  void read(Index row, double* values) const {
    if (singles != nullptr) {
      std::copy_n(singles + row * cols, cols, values);
    } else {
      std::copy_n(doubles + row * cols, cols, values);
    }
  }

  OutputsView part(Index first, Index count) const {
    OutputsView found = *this;
    if (singles != nullptr) found.singles += first * cols;
    if (doubles != nullptr) found.doubles += first * cols;
    found.rows = count;
    return found;
  }

  // use(View<const float> or View<const double>)
  template <class Use>
  auto with_view(const Use& use) const {
    return singles != nullptr ? use(View<const float>{singles, rows, cols})
                              : use(View<const double>{doubles, rows, cols});
  }
};

}  // namespace probmix
