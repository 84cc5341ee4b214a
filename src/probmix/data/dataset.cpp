#include "probmix/data/dataset.hpp"

#include <fmt/ranges.h>

#include <cmath>
#include <span>

#include "probmix/base/error.hpp"

namespace probmix {

template <class Real>
void check_dataset(std::string_view what, const Dataset<Real>& data, const Family& family) {
  check(data.rows() >= 1, "{}: there are no rows", what);
  check(data.x.rows() == data.y.rows(), "{}: {} rows of features but {} of responses", what,
        data.x.rows(), data.y.rows());
  for (Index r = 0; r < data.rows(); ++r) {
    for (Index c = 0; c < data.x.cols(); ++c) {
      check(std::isfinite(data.x(r, c)),
            "{}: row {}, feature {} is {}; features must be finite numbers", what, r + 1, c + 1,
            data.x(r, c));
    }
  }
  check(data.weight.empty() || std::ssize(data.weight) == data.rows(), "{}: {} weights for {} rows",
        what, data.weight.size(), data.rows());
  for (std::size_t r = 0; r < data.weight.size(); ++r) {
    check(data.weight[r] >= 0 && std::isfinite(data.weight[r]),
          "{}: row {} has the weight {}; weights must be finite and not negative", what, r + 1,
          data.weight[r]);
  }
  std::visit(
      [&](const auto& f) {
        check(data.y.cols() == f.responses(), "{}: {} response columns, but the {} family has {}",
              what, data.y.cols(), f.name, f.responses());
        for (Index r = 0; r < data.rows(); ++r) {
          check(f.in_support(data.y.row(r)),
                "{}: row {}, response {} is outside the support of the {} family ({})", what, r + 1,
                fmt::join(std::span(data.y.row(r), static_cast<std::size_t>(f.responses())), ", "),
                f.name, f.support_text());
        }
      },
      family);
}

template void check_dataset(std::string_view, const Dataset<float>&, const Family&);
template void check_dataset(std::string_view, const Dataset<double>&, const Family&);

}  // namespace probmix
