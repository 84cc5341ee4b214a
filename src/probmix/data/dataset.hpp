// Features and responses of the rows that a model is trained or evaluated on.
#pragma once

#include <string_view>
#include <vector>

#include "probmix/base/matrix.hpp"
#include "probmix/family/families.hpp"

namespace probmix {

template <class Real>
struct Dataset {
  Matrix<Real> x;                   // rows × features
  Matrix<double> y;                 // rows × responses
  std::vector<double> weight = {};  // of the rows, with mean 1; empty: all 1

  Index rows() const { return x.rows(); }
};

// Throws an Error that names the row (from 1) and column of the first feature that is not finite,
// the first response outside the family's support, or the first weight that is negative or not
// finite. `what` names the data in messages.
template <class Real>
void check_dataset(std::string_view what, const Dataset<Real>& data, const Family& family);

}  // namespace probmix
