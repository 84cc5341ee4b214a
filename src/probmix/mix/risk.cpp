#include "probmix/mix/risk.hpp"

#include <algorithm>

#include "probmix/base/error.hpp"
#include "probmix/mix/batched_risk.hpp"
#include "probmix/mix/scalar_risk.hpp"

namespace probmix {

namespace {

template <class F>
concept BatchedFamily = requires(const F& family) {
  batched_risk_memory(family, Index{});
};

Index memory_of(const Family& family, Index rows) {
  const auto batched = [&](const auto& f) -> Index {
    if constexpr (BatchedFamily<std::decay_t<decltype(f)>>) return batched_risk_memory(f, rows);
    return 0;
  };
  return std::max(scalar_risk_memory(family, rows), std::visit(batched, family));
}

}  // namespace

void throw_not_poolable(std::string_view family) {
  throw UsageError(fmt::format(
      "the {} density cannot be pooled log-linearly, as it has no natural parameters; use linear "
      "`pooling`, or a `method` that mixes inputs or embeddings (mix, m-mix, m-probmix)",
      family));
}

void check_poolable(const Family& family, Pooling pooling) {
  check_usage(pooling == Pooling::linear || !has_intervals(family),
              "densities of censored targets cannot be pooled log-linearly; use linear `pooling`, "
              "or a `method` that mixes inputs or embeddings (mix, m-mix, m-probmix)");
  if (pooling == Pooling::log_linear && !is_exponential(family)) {
    throw_not_poolable(family_name(family));
  }
}

Risk::Risk(const Family& family, Pooling pooling, Criterion criterion, int draws)
    : family_(family), pooling_(pooling), criterion_(criterion), draws_(draws) {}

Risk::Scratch::Scratch(const Risk& risk, Index max_rows)
    : max_rows_(max_rows), memory_(to_size(memory_of(risk.family_, max_rows))) {}

template <class Real>
double Risk::operator()(View<const Real> out, const Pairs& pairs, const TargetsView& targets,
                        Real* dout, Scratch& scratch) const {
  check(out.rows <= scratch.max_rows_, "a risk for {} rows was given {}", scratch.max_rows_,
        out.rows);
  const RiskCall<Real> call{pooling_, criterion_, draws_, out,
                            pairs,    targets,    dout,   scratch.memory_.data()};
  return std::visit(
      [&](const auto& family) {
        if constexpr (BatchedFamily<std::decay_t<decltype(family)>>) {
          if (has_batched_risk(family, call)) return batched_risk(family, call);
        }
        return scalar_risk(family_, call);
      },
      family_);
}

template double Risk::operator()(View<const float>, const Pairs&, const TargetsView&, float*,
                                 Scratch&) const;
template double Risk::operator()(View<const double>, const Pairs&, const TargetsView&, double*,
                                 Scratch&) const;

}  // namespace probmix
