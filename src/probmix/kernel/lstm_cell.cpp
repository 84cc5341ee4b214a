#include "probmix/kernel/lstm_cell.hpp"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "probmix/kernel/lstm_cell.cpp"
#include <hwy/foreach_target.h>

#include "probmix/kernel/lanes-inl.hpp"
#include "probmix/kernel/naive_lstm.hpp"

HWY_BEFORE_NAMESPACE();
namespace probmix::kernel {
namespace HWY_NAMESPACE {

// x P(x²) / Q(x²), the rational approximation of Eigen's ptanh_float, constant beyond 7.9 where it
// is within rounding of ±1; forward takes three quarters of its time with exponentials. Comparisons
// and not minima, so that NaN stays.
HWY_INLINE Vec32 tanh(Vec32 x) {
  const Vec32 end = constant(7.90531110763549805F);
  x = hn::IfThenElse(hn::Gt(x, end), end, x);
  x = hn::IfThenElse(hn::Lt(x, hn::Neg(end)), hn::Neg(end), x);
  const Vec32 x2 = hn::Mul(x, x);
  Vec32 p = hn::MulAdd(x2, constant(-2.76076847742355e-16F), constant(2.00018790482477e-13F));
  p = hn::MulAdd(x2, p, constant(-8.60467152213735e-11F));
  p = hn::MulAdd(x2, p, constant(5.12229709037114e-08F));
  p = hn::MulAdd(x2, p, constant(1.48572235717979e-05F));
  p = hn::MulAdd(x2, p, constant(6.37261928875436e-04F));
  p = hn::MulAdd(x2, p, constant(4.89352455891786e-03F));
  Vec32 q = hn::MulAdd(x2, constant(1.19825839466702e-06F), constant(1.18534705686654e-04F));
  q = hn::MulAdd(x2, q, constant(2.26843463243900e-03F));
  q = hn::MulAdd(x2, q, constant(4.89352518554385e-03F));
  return hn::Mul(hn::Mul(x, p), reciprocal(q));
}
// Accurate as a share of 1, which is all that a gate needs; may be exactly 0.
HWY_INLINE Vec32 sigmoid(Vec32 x) {
  const Vec32 half = constant(0.5F);
  return hn::MulAdd(half, tanh(hn::Mul(half, x)), half);
}

// x (1 − x).
HWY_INLINE Vec32 times_rest(Vec32 x) { return hn::NegMulAdd(x, x, x); }

// The gates and c of a row, and then h: a tenth faster than one loop, in which one activation waits
// for another.
void lstm_cell_forward_lanes(const LstmForward<float>& p) {
  const Index n = p.hidden;
  for (Index r = 0; r < p.rows; ++r) {
    float* const gates = p.gates.row(r);
    const float* const before = p.c_before == nullptr ? nullptr : p.c_before + r * n;
    float* const c_row = p.c + r * n;
    for_lanes(n, [&](auto lanes, Index k) HWY_ATTR {
      const Vec32 i = sigmoid(lanes.load(gates + k));
      const Vec32 f = sigmoid(lanes.load(gates + n + k));
      const Vec32 g = tanh(lanes.load(gates + 2 * n + k));
      const Vec32 o = sigmoid(lanes.load(gates + 3 * n + k));
      const Vec32 c_before = before == nullptr ? constant(0.0F) : lanes.load(before + k);
      lanes.store(i, gates + k);
      lanes.store(f, gates + n + k);
      lanes.store(g, gates + 2 * n + k);
      lanes.store(o, gates + 3 * n + k);
      lanes.store(hn::MulAdd(f, c_before, hn::Mul(i, g)), c_row + k);
    });
    float* const h_row = p.h.row(r);
    for_lanes(n, [&](auto lanes, Index k) HWY_ATTR {
      const Vec32 o = lanes.load(gates + 3 * n + k);
      lanes.store(hn::Mul(o, tanh(lanes.load(c_row + k))), h_row + k);
    });
  }
}

// One vector of units down a few rows, the sums of the gradients in registers.
template <class Lanes>
HWY_INLINE void backward_strip(const LstmBackward<float>& p, Lanes lanes, Index first, Index end,
                               Index k) {
  const Index n = p.hidden;
  float* const dbias = p.dbias + k;
  Vec32 sum_i = lanes.load(dbias);
  Vec32 sum_f = lanes.load(dbias + n);
  Vec32 sum_g = lanes.load(dbias + 2 * n);
  Vec32 sum_o = lanes.load(dbias + 3 * n);
  for (Index r = first; r < end; ++r) {
    const float* const gates = p.gates.row(r) + k;
    float* const dgates = p.dgates.row(r) + k;
    float* const dc_at = p.dc + r * n + k;
    const Vec32 i = lanes.load(gates);
    const Vec32 f = lanes.load(gates + n);
    const Vec32 g = lanes.load(gates + 2 * n);
    const Vec32 o = lanes.load(gates + 3 * n);
    const Vec32 h = lanes.load(p.h.row(r) + k);
    const Vec32 dh = lanes.load(p.dh.row(r) + k);
    const Vec32 c_before =
        p.c_before == nullptr ? constant(0.0F) : lanes.load(p.c_before + r * n + k);
    const Vec32 slope =
        hn::IfThenZeroElse(hn::Eq(o, constant(0.0F)), hn::NegMulAdd(h, hn::Div(h, o), o));  // ∂h/∂c
    const Vec32 dc = hn::MulAdd(dh, slope, lanes.load(dc_at));
    const Vec32 di = hn::Mul(hn::Mul(dc, g), times_rest(i));
    const Vec32 df = hn::Mul(hn::Mul(dc, c_before), times_rest(f));
    const Vec32 dg = hn::Mul(hn::Mul(dc, i), hn::NegMulAdd(g, g, constant(1.0F)));
    const Vec32 d_o = hn::Mul(dh, hn::NegMulAdd(h, o, h));
    lanes.store(di, dgates);
    lanes.store(df, dgates + n);
    lanes.store(dg, dgates + 2 * n);
    lanes.store(d_o, dgates + 3 * n);
    lanes.store(hn::Mul(dc, f), dc_at);
    sum_i = hn::Add(sum_i, di);
    sum_f = hn::Add(sum_f, df);
    sum_g = hn::Add(sum_g, dg);
    sum_o = hn::Add(sum_o, d_o);
  }
  lanes.store(sum_i, dbias);
  lanes.store(sum_f, dbias + n);
  lanes.store(sum_g, dbias + 2 * n);
  lanes.store(sum_o, dbias + 3 * n);
}

void lstm_cell_backward_lanes(const LstmBackward<float>& p) {
  constexpr Index block = 8;  // rows that stay in the cache from strip to strip
  for (Index first = 0; first < p.rows; first += block) {
    const Index end = std::min(first + block, p.rows);
    for_lanes(p.hidden,
              [&](auto lanes, Index k) HWY_ATTR { backward_strip(p, lanes, first, end, k); });
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace probmix::kernel
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace probmix::kernel {

HWY_EXPORT(lstm_cell_forward_lanes);
HWY_EXPORT(lstm_cell_backward_lanes);

void lstm_cell_forward(const LstmForward<float>& p) {
  HWY_DYNAMIC_DISPATCH(lstm_cell_forward_lanes)(p);
}
void lstm_cell_forward(const LstmForward<double>& p) { naive::lstm_cell_forward(p); }

void lstm_cell_backward(const LstmBackward<float>& p) {
  HWY_DYNAMIC_DISPATCH(lstm_cell_backward_lanes)(p);
}
void lstm_cell_backward(const LstmBackward<double>& p) { naive::lstm_cell_backward(p); }

}  // namespace probmix::kernel
#endif  // HWY_ONCE
