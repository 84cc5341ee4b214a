// Mixing of values at the input or the embedding: for pair b and draw k, with m = b K + k,
//   point:     u_m = λ_m v_b + (1 − λ_m) v_partner(b);
//   gaussian:  u_m = a draw from the log-linear fusion of the two Gaussians whose [mean,
//              log-variance] are v_b and v_partner(b).
#pragma once

#include "probmix/base/matrix.hpp"
#include "probmix/base/row_shares.hpp"
#include "probmix/nn/network.hpp"

namespace probmix {

template <class Real>
struct SiteDraw {
  Rows pairs;                      // a tile of them
  Index draws = 1;                 // K
  const Index* partner = nullptr;  // of all pairs
  const Real* lambda = nullptr;    // [tile's pairs, K]
  const Real* noise = nullptr;     // [tile's pairs, K, d_z], gaussian only
};

// What mix_forward leaves for mix_backward of Gaussians, [tile's pairs, K, d_z] each.
template <class Real>
struct SiteKept {
  Real* weight = nullptr;
  Real* spread = nullptr;
};

// All overwrite u, which has a row for each draw of the tile's pairs.

// At the input: v_b is row rows[b] of the data.
template <class Real>
void mix_rows(const SiteDraw<Real>& draw, const Index* rows, View<const Real> x, View<Real> u);

template <class Real>
void mix_forward(Embedding embedding, const SiteDraw<Real>& draw, View<const Real> v, View<Real> u,
                 SiteKept<Real> kept = {});

// The gradients of v_b and of v_partner(b) for each of the tile's pairs, as wide as v; overwrites
// both. For a row that is the partner of several pairs, the caller adds theirs up.
template <class Real>
void mix_backward(Embedding embedding, const SiteDraw<Real>& draw, View<const Real> v,
                  SiteKept<Real> kept, View<const Real> du, View<Real> own, View<Real> other);

}  // namespace probmix
