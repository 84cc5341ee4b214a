// Responses that are known by an interval alone, through fused targets and the risk.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "probmix/base/error.hpp"
#include "probmix/mix/risk.hpp"
#include "probmix/mix/targets.hpp"
#include "support/cases.hpp"
#include "support/grad_check.hpp"
#include "support/tolerance.hpp"

namespace probmix::test {
namespace {

// The fused target of two intervals.
std::vector<double> fuse(const Family& family, std::string_view method, const MixOptions& options,
                         double lambda, const std::vector<double>& y_ij) {
  const TargetFusion fusion(family, find_method(method), options);
  Targets targets(1, fusion.atoms(), fusion.responses());
  const double uniform = 0.4;
  const float normal[] = {1.5F, -0.7F};
  const Index rows[] = {0, 1};
  const Index partner = 1;
  fusion({1, 1, {y_ij.data(), 2, 2}, rows, &partner, &lambda}, {&uniform, normal}, targets);
  return {targets.y(0, 0), targets.y(0, 1)};
}

using Bounds = std::vector<double>;

TEST(CensoredTargets, AMixIsWhatIsKnownOfTheStraightLine) {
  const Family family = with_censoring(make_family("gaussian"));
  for (const auto* const method : {"mix", "m-probmix"}) {
    const auto fused = [&](const Bounds& y) { return fuse(family, method, {}, 0.25, y); };
    EXPECT_EQ(fused({4, 4, 8, 8}), (Bounds{7, 7}));
    EXPECT_EQ(fused({4, 4, 8, INFINITY}), (Bounds{7, INFINITY}));
    EXPECT_EQ(fused({-INFINITY, 4, 8, 8}), (Bounds{-INFINITY, 7}));
    EXPECT_EQ(fused({-INFINITY, 4, 8, INFINITY}), (Bounds{-INFINITY, INFINITY}));
    EXPECT_EQ(fused({0, 4, 8, 12}), (Bounds{6, 10}));
    EXPECT_EQ(fuse(family, method, {}, 1, {4, 4, 8, INFINITY}), (Bounds{4, 4}));
    EXPECT_EQ(fuse(family, method, {}, 0, {4, 4, 8, INFINITY}), (Bounds{8, INFINITY}));
  }
}

TEST(CensoredTargets, LinearFusionPicksARowWithItsCensoring) {
  const Family family = with_censoring(make_family("gaussian"));
  const MixOptions linear{.pooling = Pooling::linear};
  EXPECT_EQ(fuse(family, "probmix", linear, 0.5, {4, 4, 8, INFINITY}), (Bounds{4, 4}));
  EXPECT_EQ(fuse(family, "probmix", linear, 0.3, {4, 4, 8, INFINITY}), (Bounds{8, INFINITY}));
}

TEST(CensoredTargets, NoiseMovesBothBoundsTogether) {
  for (const auto* const name : {"gaussian", "gamma"}) {
    const Family family = with_censoring(make_family(name));
    for (const Pooling pooling : {Pooling::linear, Pooling::log_linear}) {
      const MixOptions noisy{.beta = 0.2, .pooling = pooling};
      const Bounds known = fuse(family, "m-probmix", noisy, 0.7, {4, 4, 8, 8});
      EXPECT_EQ(known[0], known[1]) << name;
      const Bounds open = fuse(family, "m-probmix", noisy, 0.7, {4, INFINITY, 8, 8});
      EXPECT_EQ(open[0], known[0]) << name;
      EXPECT_EQ(open[1], INFINITY) << name;
    }
  }
}

TEST(CensoredRisk, LogLinearPoolingIsRefused) {
  const Family family = with_censoring(make_family("gaussian"));
  EXPECT_THROW(TargetFusion(family, find_method("probmix"), {}), UsageError);
  EXPECT_NO_THROW(TargetFusion(family, find_method("mix"), {}));
}

// Observed, censored on either side, and known by an interval; alone and pooled linearly.
TEST(CensoredRisk, GradientMatchesFiniteDifferences) {
  constexpr Index rows = 4;
  for (const auto* const name : {"gaussian", "student-t", "gamma", "poisson"}) {
    const Family family = with_censoring(make_family(name));
    Stream stream(3, Purpose::test);
    Matrix<double> out = random_matrix(rows, outputs(family), stream);
    Targets targets(rows, 1, 2);
    const Bounds y = {2, 2, -INFINITY, 1, 3, INFINITY, 1, 4};
    std::copy(y.begin(), y.end(), targets.y.data());
    std::fill_n(targets.weight.data(), rows, 1.0);
    const std::vector<Index> partner{2, 1, 0, 2};
    const std::vector<double> lambda{0.3, 0.8, 0.5, 0.6}, weight{1, 0.5, 2, 1};
    for (const bool fused : {false, true}) {
      SCOPED_TRACE(fmt::format("{} {}", name, fused));
      const Risk risk(family, Pooling::linear, Criterion::mean_log, 1);
      Risk::Scratch scratch(risk, rows);
      const auto value = [&](double* dout) {
        return risk(View<const double>(out.view()),
                    {rows, rows, weight.data(), fused, partner.data(), lambda.data()}, targets,
                    dout, scratch);
      };
      Matrix<double> dout(out.rows(), out.cols());
      EXPECT_TRUE(std::isfinite(value(dout.data())));
      const std::size_t n = to_size(out.rows() * out.cols());
      EXPECT_TRUE(
          gradient_matches([&] { return value(nullptr); }, {out.data(), n}, {dout.data(), n}));
    }
  }
}

}  // namespace
}  // namespace probmix::test
