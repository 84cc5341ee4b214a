// Mixing of values at the input or the embedding: for pair b and draw k, with m = b K + k,
//   point:     u_m = λ_m v_b + (1 − λ_m) v_partner(b);
//   gaussian:  u_m = a draw from the log-linear fusion of the two Gaussians whose [mean,
//              log-variance] are v_b and v_partner(b).
#pragma once

#include "probmix/base/matrix.hpp"
#include "probmix/nn/network.hpp"

namespace probmix {

template <class Real>
struct SiteDraw {
  Index pairs = 0;
  Index draws = 1;
  const Index* partner = nullptr;  // [pairs]
  const Real* lambda = nullptr;    // [pairs draws]
  const Real* noise = nullptr;     // [pairs draws d_z], gaussian only
};

// Overwrites u (pairs·draws rows).
template <class Real>
void mix_forward(Embedding embedding, const SiteDraw<Real>& draw, View<const Real> v, View<Real> u);

// Overwrites dv (as v).
template <class Real>
void mix_backward(Embedding embedding, const SiteDraw<Real>& draw, View<const Real> v,
                  View<const Real> du, View<Real> dv);

}  // namespace probmix
