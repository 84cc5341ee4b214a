// One step of an LSTM on some rows, except for the matrix products. Float runs on Highway, double
// on the naive twin (naive_lstm.hpp).
#pragma once

#include "probmix/base/matrix.hpp"

namespace probmix::kernel {

// Rows of `hidden` numbers, `stride` apart.
template <class T>
struct StridedRows {
  T* data;
  Index stride;

  T* row(Index r) const { return data + r * stride; }
};

// A row of gates holds i, f, g, o, `hidden` numbers each, as in PyTorch.
template <class Real>
struct LstmForward {
  Index rows, hidden;
  StridedRows<Real> gates;  // pre-activations, activated in place: sigmoid of i, f, o and tanh of g
  const Real* c_before;     // rows × hidden; null: zeros
  Real* c;                  // c = f c_before + i g
  StridedRows<Real> h;      // h = o tanh c
};

// From the activated gates and h that forward left.
template <class Real>
struct LstmBackward {
  Index rows, hidden;
  StridedRows<const Real> gates;
  const Real* c_before;  // as in forward
  StridedRows<const Real> h;
  StridedRows<const Real> dh;  // of all that depends on h
  StridedRows<Real> dgates;    // of the pre-activations
  Real* dc;                    // in: of the c of this step through the next; out: of c_before
  Real* dbias;                 // 4 hidden: the sums of dgates over the rows are added
};

// In float the absolute error of σ is below 2.5e-7 and that of tanh below 4e-7 (measured on AVX2
// and SSE4): a gate near 0 has no more relative accuracy than its complement near 1. Gates never
// leave [0, 1]; infinite pre-activations give their ends; NaN stays NaN. The bits of a row of
// forward do not depend on which other rows are computed with it.
void lstm_cell_forward(const LstmForward<float>& p);
void lstm_cell_forward(const LstmForward<double>& p);

void lstm_cell_backward(const LstmBackward<float>& p);
void lstm_cell_backward(const LstmBackward<double>& p);

}  // namespace probmix::kernel
