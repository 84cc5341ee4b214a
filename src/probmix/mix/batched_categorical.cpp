// The risk of categorical families. It only needs the weight of each class in a target.
#include <algorithm>

#include "probmix/kernel/categorical_risk.hpp"
#include "probmix/mix/batched_risk.hpp"

namespace probmix {

namespace {

using kernel::ClassTable;

template <class Real>
class CategoricalRisk {
 public:
  CategoricalRisk(const Categorical& family, const RiskCall<Real>& call)
      : classes_(family.c), rows_(call.out.rows), call_(call), carve_(call.memory) {}

  static Index memory(Index classes, Index rows) {
    return 5 * classes * rows + 3 * rows + 2 * classes * kernel::max_lanes;
  }

  double operator()() {
    const View<const Real>& out = call_.out;
    for (Index k = 0; k < classes_; ++k) {
      double* const column = phi_.of(k);
      for (Index r = 0; r < rows_; ++r) column[r] = out(r, k);
    }
    if (call_.wants_gradient()) std::fill_n(dphi_.data, classes_ * rows_, 0.0);
    const double loss = !call_.pairs.fused                     ? single()
                        : call_.pooling == Pooling::log_linear ? log_linear()
                                                               : linear();
    if (call_.wants_gradient()) {
      for (Index k = 0; k < classes_; ++k) {
        const double* const column = dphi_.of(k);
        Real* const dout = call_.dout + k;
        for (Index r = 0; r < rows_; ++r) dout[r * classes_] = static_cast<Real>(column[r]);
      }
    }
    return loss;
  }

 private:
  ClassTable table() { return {carve_.take(classes_ * rows_), rows_}; }
  ClassTable gradient() const { return {call_.wants_gradient() ? dphi_.data : nullptr, rows_}; }

  double single() {
    pack_targets(0, call_.draws);
    const Index n = call_.pairs.count * call_.draws;
    return kernel::categorical_single({classes_, n, c_}, phi_, gradient(), work_);
  }

  // loss(partners) for each draw, and dphi_j of it added to the partners' rows.
  template <class Loss>
  double for_draws(Loss loss) {
    const Pairs& pairs = call_.pairs;
    double sum = 0;
    for (Index k = 0; k < call_.draws; ++k) {
      pack_targets(k, k + 1);
      for (Index b = 0; b < pairs.count; ++b) lambda_[b] = pairs.lambda[b * call_.draws + k];
      sum += loss(kernel::ClassTargets{classes_, pairs.count, c_},
                  kernel::ClassPartners{pairs.partner, lambda_});
      if (!call_.wants_gradient()) continue;
      for (Index l = 0; l < classes_; ++l) scatter(dphi_j_.of(l), dphi_.of(l));
    }
    return sum;
  }

  void scatter(const double* from, double* to) const {
    const Pairs& pairs = call_.pairs;
    for (Index b = 0; b < pairs.count; ++b) to[pairs.partner[b]] += from[b];
  }

  double log_linear() {
    return for_draws([&](const auto& targets, const auto& partners) {
      return kernel::categorical_log_linear(targets, partners, phi_, gradient(), dphi_j_, work_);
    });
  }

  double linear() {
    const ClassTable p = table();
    double* const total = carve_.take(rows_);
    double* const total_j = carve_.take(rows_);
    kernel::log_softmax(classes_, rows_, phi_, phi_, p, work_);
    std::fill_n(total, rows_, 0.0);
    const double loss = for_draws([&](const auto& targets, const auto& partners) {
      const double sum =
          kernel::categorical_linear(targets, partners, phi_, gradient(), total, dphi_j_, total_j);
      if (call_.wants_gradient()) scatter(total_j, total);
      return sum;
    });
    if (call_.wants_gradient()) {
      kernel::categorical_linear_backward(classes_, rows_, p, total, dphi_, dphi_);
    }
    return loss;
  }

  // The targets of draws `first` up to `last` of all pairs, one after the other.
  void pack_targets(Index first, Index last) {
    const TargetsView& targets = call_.targets;
    const Index atoms = targets.atoms();
    for (Index k = 0; k < classes_; ++k) {
      std::fill_n(c_.of(k), call_.pairs.count * (last - first), 0.0);
    }
    Index item = 0;
    for (Index b = 0; b < call_.pairs.count; ++b) {
      const double share = call_.share(b);
      for (Index m = b * call_.draws + first; m < b * call_.draws + last; ++m, ++item) {
        for (Index a = 0; a < atoms; ++a) {
          const auto drawn = static_cast<Index>(targets.y.data[m * atoms + a]);
          c_.of(drawn)[item] += share * targets.weight(m, a);
        }
      }
    }
  }

  Index classes_;
  Index rows_;
  const RiskCall<Real>& call_;
  Carve carve_;
  ClassTable phi_ = table();
  ClassTable dphi_ = table();
  ClassTable dphi_j_ = table();  // of one draw, for the partners
  ClassTable c_ = table();       // weight of class k in target b
  double* lambda_ = carve_.take(rows_);
  double* work_ = carve_.take(2 * classes_ * kernel::max_lanes);
};

}  // namespace

Index batched_risk_memory(const Categorical& family, Index rows) {
  return CategoricalRisk<double>::memory(family.c, rows);
}

template <class Real>
double batched_risk(const Categorical& family, const RiskCall<Real>& call) {
  return CategoricalRisk<Real>(family, call)();
}

template double batched_risk(const Categorical&, const RiskCall<float>&);
template double batched_risk(const Categorical&, const RiskCall<double>&);

}  // namespace probmix
