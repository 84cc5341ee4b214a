// The one training step of all methods:  draw → front → mix → back → risk, and the same in reverse
// for the gradient. A method only says where the network is cut and what is mixed there.
//
// Allocates nothing after construction.
#pragma once

#include <memory>

#include "probmix/data/dataset.hpp"
#include "probmix/mix/draw.hpp"
#include "probmix/mix/risk.hpp"
#include "probmix/mix/site.hpp"
#include "probmix/nn/network.hpp"

namespace probmix {

template <class Real>
class Step {
 public:
  Step(const Network<Real>& network, const Family& family, const Method& method,
       const MixOptions& options, Index max_batch);

  // The mean loss of the draw's pairs. Overwrites `gradient` (as the parameters), unless it is
  // null: then only the loss is computed.
  double operator()(const Real* parameters, const Matrix<Real>& x, const Draw<Real>& draw,
                    Real* gradient);

 private:
  // A part of the network with the memory of its passes.
  struct Part {
    Part(std::shared_ptr<Sequence<Real>> layers, Index max_rows);
    View<const Real> forward(const Real* parameters, View<const Real> x);
    void backward(const Real* parameters, Real* dx, Real* gradient);
    View<Real> dy() { return {dy_.data(), x_.rows, layers->outputs()}; }

    std::shared_ptr<Sequence<Real>> layers;

   private:
    View<const Real> x_;
    AlignedVector<Real> y_, dy_, keep_;
  };

  Site site_;
  Embedding mixed_;  // what is mixed at the site: points or Gaussians
  Index draws_;
  Index max_batch_;
  Index parameters_;
  Part front_;
  Part back_;
  Risk risk_;
  Matrix<Real> x_;  // the rows in play
  Matrix<Real> u_;  // mixed values
  Matrix<Real> du_;
};

extern template class Step<float>;
extern template class Step<double>;

}  // namespace probmix
