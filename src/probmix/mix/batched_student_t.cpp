// The risk of Student's t densities of one response.
#include <algorithm>

#include "probmix/kernel/student_t_risk.hpp"
#include "probmix/mix/batched_risk.hpp"
#include "probmix/mix/packed_targets.hpp"

namespace probmix {

namespace {

// The rows' densities, the gradients they gather, and what partners gain from one draw.
struct TRows {
  TRows(Carve& carve, Index rows)
      : mean(carve.take(rows)),
        precision(carve.take(rows)),
        slope(carve.take(rows)),
        peak(carve.take(rows)),
        freedom{carve.take(rows), carve.take(rows), carve.take(rows), carve.take(rows)} {
    for (double*& array : gathered) array = carve.take(rows);
    for (double*& array : gained) array = carve.take(rows);
  }
  static constexpr Index arrays = 16;

  double *mean, *precision, *slope, *peak;
  kernel::FreedomColumns freedom;
  double* gathered[4];  // pull, dprecision, dfreedom, share: as in kernel::StudentTRows
  double* gained[4];
};

template <class Real>
class StudentTRisk {
 public:
  StudentTRisk(const StudentT& family, const RiskCall<Real>& call)
      : family_(family),
        call_(call),
        carve_(call.memory),
        at_(carve_, call.out.rows),
        targets_(call, carve_) {}

  double operator()() {
    link();
    const double loss = call_.pairs.fused ? pooled_loss() : single_loss();
    if (call_.wants_gradient()) link_backward();
    return loss;
  }

 private:
  static constexpr kernel::GaussianColumns columns = {3, 0, 1};

  void link() {
    const Index n = call_.out.rows;
    double* const s = at_.gained[0];  // free until the first loss
    kernel::gaussian_split(columns, call_.out.data, at_.mean, s, n);
    const Positive& positive = family_.positive;
    kernel::gaussian_link(
        {positive.kind == Positive::Kind::softplus, positive.floor, exp_tangent_from}, s,
        at_.precision, at_.slope, n);
    double* const w = at_.gained[0];
    for (Index r = 0; r < n; ++r) w[r] = static_cast<double>(call_.out(r, 2));
    kernel::student_t_freedom({StudentT::smallest_freedom, StudentT::freedom_unit}, w, at_.freedom,
                              n);
    kernel::gaussian_log_precision(at_.precision, at_.peak, n);
    for (Index r = 0; r < n; ++r) at_.peak[r] = at_.freedom.constant[r] + 0.5 * at_.peak[r];
    if (!call_.wants_gradient()) return;
    for (double* const array : at_.gathered) std::fill_n(array, n, 0.0);
  }

  void link_backward() {
    const Index n = call_.out.rows;
    const auto& [pull, dprecision, dfreedom, share] = at_.gathered;
    kernel::gaussian_join(columns, {at_.precision, pull, at_.slope, dprecision}, call_.dout, n);
    for (Index r = 0; r < n; ++r) {
      const double dnu = dfreedom[r] - share[r] * at_.freedom.constant_slope[r];
      call_.dout[3 * r + 2] = static_cast<Real>(dnu * at_.freedom.slope[r]);
    }
  }

  kernel::StudentTRows rows() const {
    const auto& [pull, dprecision, dfreedom, share] = at_.gathered;
    return {at_.mean,
            at_.precision,
            at_.freedom.freedom,
            at_.peak,
            call_.wants_gradient() ? pull : nullptr,
            dprecision,
            dfreedom,
            share};
  }

  double single_loss() {
    double loss = 0;
    for (Index a = 0; a < call_.targets.atoms(); ++a) {
      loss += kernel::student_t_single(rows(), targets_.atom(0, a, targets_.all_draws()));
    }
    return loss;
  }

  double pooled_loss() {
    const auto& [pull, dprecision, dfreedom, share] = at_.gained;
    double loss = 0;
    for (Index k = 0; k < call_.draws; ++k) {
      const kernel::StudentTPartners partners{call_.pairs.partner, targets_.lambda(k), pull,
                                              dprecision,          dfreedom,           share};
      for (Index a = 0; a < call_.targets.atoms(); ++a) {
        loss += kernel::student_t_linear(rows(), targets_.atom(0, a, {k, k + 1}), partners);
        if (call_.wants_gradient()) scatter();
      }
    }
    return loss;
  }

  void scatter() {
    for (std::size_t g = 0; g < std::size(at_.gathered); ++g) {
      double* const to = at_.gathered[g];
      const double* const from = at_.gained[g];
      for (Index b = 0; b < call_.pairs.count; ++b) to[call_.pairs.partner[b]] += from[b];
    }
  }

  const StudentT& family_;
  const RiskCall<Real>& call_;
  Carve carve_;
  TRows at_;
  PackedTargets<Real> targets_;
};

}  // namespace

Index batched_risk_memory(const StudentT&, Index rows) {
  return (TRows::arrays + PackedTargets<double>::arrays) * rows;
}

template <class Real>
double batched_risk(const StudentT& family, const RiskCall<Real>& call) {
  return StudentTRisk<Real>(family, call)();
}

template double batched_risk(const StudentT&, const RiskCall<float>&);
template double batched_risk(const StudentT&, const RiskCall<double>&);

}  // namespace probmix
