// The naive twins of lstm_cell.hpp.
#pragma once

#include <cmath>

#include "probmix/kernel/lstm_cell.hpp"
#include "probmix/kernel/naive.hpp"

namespace probmix::kernel::naive {

template <class Real>
void lstm_cell_forward(const LstmForward<Real>& p) {
  const Index n = p.hidden;
  for (Index r = 0; r < p.rows; ++r) {
    Real* const gates = p.gates.row(r);
    for (Index k = 0; k < n; ++k) {
      Real& i = gates[k];
      Real& f = gates[n + k];
      Real& g = gates[2 * n + k];
      Real& o = gates[3 * n + k];
      i = sigmoid(i);
      f = sigmoid(f);
      g = std::tanh(g);
      o = sigmoid(o);
      const Real before = p.c_before == nullptr ? Real{0} : p.c_before[r * n + k];
      const Real c = f * before + i * g;
      const Real h = o * std::tanh(c);
      p.c[r * n + k] = c;
      p.h.row(r)[k] = h;
    }
  }
}

// tanh c is h / o. Where o has vanished nothing reaches c.
template <class Real>
void lstm_cell_backward(const LstmBackward<Real>& p) {
  const Index n = p.hidden;
  for (Index r = 0; r < p.rows; ++r) {
    const Real* const gates = p.gates.row(r);
    Real* const dgates = p.dgates.row(r);
    for (Index k = 0; k < n; ++k) {
      const Real i = gates[k];
      const Real f = gates[n + k];
      const Real g = gates[2 * n + k];
      const Real o = gates[3 * n + k];
      const Real h = p.h.row(r)[k];
      const Real dh = p.dh.row(r)[k];
      const Real before = p.c_before == nullptr ? Real{0} : p.c_before[r * n + k];
      Real& dc = p.dc[r * n + k];
      const Real slope = o == 0 ? Real{0} : o - h * (h / o);  // ∂h/∂c = o (1 − tanh² c)
      dc += dh * slope;
      dgates[k] = dc * g * i * (1 - i);
      dgates[n + k] = dc * before * f * (1 - f);
      dgates[2 * n + k] = dc * i * (1 - g * g);
      dgates[3 * n + k] = dh * h * (1 - o);
      dc *= f;
    }
    for (Index k = 0; k < 4 * n; ++k) p.dbias[k] += dgates[k];
  }
}

}  // namespace probmix::kernel::naive
