// A density that a program supplies, complete in one file. It passes the suite of the library's own
// densities, agrees with SciPy (tests/golden/make_laplace_golden.py), and is trained by every
// method that can, evaluated, saved and loaded.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "family/density_suite.hpp"
#include "model/model_support.hpp"
#include "probmix/mix/risk.hpp"
#include "probmix/model/evaluation.hpp"
#include "probmix/model/model_predictor.hpp"
#include "support/allocations.hpp"
#include "support/cases.hpp"
#include "support/golden.hpp"
#include "support/message.hpp"
#include "support/temporary.hpp"

namespace probmix::test {
namespace {

// Laplace, p(y) = exp(−|y − m|/b) / 2b: φ = (m, b). Outputs: m, and b = positive(out_1).
struct Laplace {
  static constexpr std::string_view name = "laplace";
  static constexpr bool discrete = false;

  Positive positive{};

  static Laplace make(const FamilyOptions& options) {
    check_plain(name, options);
    check_floor(options.positive);
    return {options.positive};
  }

  std::string support_text() const { return "real numbers"; }
  int outputs() const { return 2; }
  int free_outputs() const { return 0; }
  int parameters() const { return 2; }
  int responses() const { return 1; }
  int classes() const { return 0; }
  int moments() const { return 1; }

  static Scaling scaling(const Spread& spread) { return standardised(spread); }

  bool in_support(const double* y) const { return std::isfinite(*y); }

  void link(const double* out, double* phi) const {
    phi[0] = out[0];
    phi[1] = positive.value(out[1]);
  }
  void link_backward(const double* out, const double* dphi, double* dout) const {
    dout[0] = dphi[0];
    dout[1] = dphi[1] * positive.derivative(out[1]);
  }

  double log_density(const double* phi, const double* y) const {
    return -std::log(2 * phi[1]) - std::abs(*y - phi[0]) / phi[1];
  }
  void add_gradient(double weight, const double* phi, const double* y, double* dphi) const {
    const double residual = *y - phi[0];
    const double sign = residual > 0 ? 1 : residual < 0 ? -1 : residual;  // NaN stays NaN
    dphi[0] += weight * sign / phi[1];
    dphi[1] += weight * (std::abs(residual) / phi[1] - 1) / phi[1];
  }

  void sample(const double* phi, Stream& stream, double* y) const {
    *y = quantile(phi, 0, stream.uniform());
  }
  void mean(const double* phi, double* m) const { *m = phi[0]; }
  void variance(const double* phi, double* v) const { *v = 2 * phi[1] * phi[1]; }

  double cdf(const double* phi, int, double y) const {
    const double z = (y - phi[0]) / phi[1];
    return z < 0 ? 0.5 * std::exp(z) : 1 - 0.5 * std::exp(-z);
  }
  double quantile(const double* phi, int, double u) const {
    return phi[0] + phi[1] * (u < 0.5 ? std::log(2 * u) : -std::log(2 * (1 - u)));
  }
  double crps(const double* phi, int, double y) const {
    const double distance = std::abs(y - phi[0]);
    return distance + phi[1] * std::exp(-distance / phi[1]) - 0.75 * phi[1];
  }
};

// An exponential family of the library under another name.
struct OwnGamma : Gamma {
  static constexpr std::string_view name = "own-gamma";
  static OwnGamma make(const FamilyOptions& options) { return {Gamma::make(options)}; }
};

FamilyOptions with_laplace(FamilyOptions options = {}) {
  options.custom = custom_density(Laplace{});
  return options;
}

}  // namespace

template <>
struct Cases<Laplace> {
  static std::vector<Point> points() {
    return {{{}, {0, 0}}, {{}, {-1.7, 2.3}}, {{}, {40, -3}}, {with_softplus(3e-3), {0.4, -1.5}}};
  }
  static std::vector<Point> extremes() { return {{{}, {3, -30}}, {{}, {-1e3, 16}}}; }
  static std::vector<double> valid() { return {0, -3.5, 1e300}; }
  static std::vector<double> invalid() { return {NAN, INFINITY, -INFINITY}; }
  static double jacobian(double) { return 1; }
};

// The same behind the pointer.
template <>
struct Cases<CustomDensity> : Cases<Laplace> {
  static std::vector<Point> wrapped(std::vector<Point> points) {
    for (Point& point : points) point.options = with_laplace(point.options);
    return points;
  }
  static std::vector<Point> points() { return wrapped(Cases<Laplace>::points()); }
  static std::vector<Point> extremes() { return wrapped(Cases<Laplace>::extremes()); }
};

namespace {

INSTANTIATE_TYPED_TEST_SUITE_P(Added, DensityTest, ::testing::Types<Laplace>);
INSTANTIATE_TYPED_TEST_SUITE_P(Custom, DensityTest, ::testing::Types<CustomDensity>);

static_assert(Density<Laplace> && !ExponentialFamily<Laplace> && !KernelFamily<Laplace>);
static_assert(Density<CustomDensity> && !ExponentialFamily<CustomDensity>);

TEST(AddedFamily, AgreesWithSciPy) {
  const nlohmann::json document = read_golden("laplace_golden.json");
  const Laplace laplace = Laplace::make({.positive = {.floor = document.at("floor")}});
  int rows = 0;
  for (const nlohmann::json& row : document.at("rows")) {
    SCOPED_TRACE(++rows);
    const auto near = [](double found, double expected) {
      EXPECT_NEAR(found, expected, golden * std::max(1.0, std::abs(expected)));
    };
    const std::vector<double> out = row.at("out");
    const double y = row.at("y");
    std::vector<double> phi(2), dphi(2), dout(2), moment(1);
    laplace.link(out.data(), phi.data());
    near(-laplace.log_density(phi.data(), &y), row.at("nll"));
    laplace.add_gradient(-1, phi.data(), &y, dphi.data());
    laplace.link_backward(out.data(), dphi.data(), dout.data());
    for (std::size_t k = 0; k < 2; ++k) near(dout[k], row.at("dout").at(k));
    laplace.mean(phi.data(), moment.data());
    near(moment[0], row.at("mean"));
    laplace.variance(phi.data(), moment.data());
    near(moment[0], row.at("variance"));
    near(laplace.crps(phi.data(), 0, y), row.at("crps"));
    for (const auto& at : row.at("cdf")) near(laplace.cdf(phi.data(), 0, at.at(0)), at.at(1));
    for (const auto& at : row.at("quantile")) {
      near(laplace.quantile(phi.data(), 0, at.at(0)), at.at(1));
    }
  }
  EXPECT_EQ(rows, 12);
}

TEST(AddedFamily, IsMadeByItsName) {
  const Family family = make_family("laplace", with_laplace());
  EXPECT_EQ(family_name(family), "laplace");
  EXPECT_FALSE(has_classes(family));
  EXPECT_FALSE(is_exponential(family));
  EXPECT_EQ(message_of<UsageError>([] { make_family("gaussian", with_laplace()); }),
            "the laplace density was handed in, but the family asked for is gaussian; name the "
            "family laplace");
  EXPECT_EQ(
      message_of<UsageError>([] { make_family("gamma", {.custom = custom_density(Gamma{})}); }),
      "a custom density needs its own name: gamma is one of the library's");
  EXPECT_EQ(message_of<UsageError>([] { make_family("laplace", with_laplace({.responses = 2})); }),
            "the laplace family models 1 response column, not 2");
}

constexpr Index pairs = 4;

// Four pairs with random outputs and targets, pooled linearly or single.
struct SmallRisk {
  SmallRisk(const Family& family, bool fused_, Pooling pooling = Pooling::linear,
            Criterion criterion = Criterion::mean_log)
      : fused(fused_), risk(family, pooling, criterion, 1), scratch(risk, pairs) {
    Stream stream(3, Purpose::test);
    out = random_matrix(pairs, outputs(family), stream);
    targets.y = random_data(family, 2 * pairs, 1, 4).y;
    for (Index b = 0; b < pairs; ++b) {
      targets.weight(b, 0) = 0.3;
      targets.weight(b, 1) = 0.7;
    }
  }
  double operator()(double* dout = nullptr) {
    const Pairs of{pairs, pairs, nullptr, fused, partner.data(), lambda.data()};
    return risk(View<const double>(out.view()), of, targets, dout, scratch);
  }

  bool fused;
  Risk risk;
  Risk::Scratch scratch;
  Matrix<double> out;
  Targets targets{pairs, 2, 1};
  std::vector<Index> partner{2, 1, 0, 2};
  std::vector<double> lambda{0.2, 0.9, 0.5, 0.6};
};

TEST(AddedFamily, RiskHasTheRightGradient) {
  const Family family = make_family("laplace", with_laplace());
  for (const bool fused : {false, true}) {
    for (const Criterion criterion : {Criterion::mean_log, Criterion::log_mean}) {
      SmallRisk risk(family, fused, Pooling::linear, criterion);
      std::vector<double> dout(static_cast<std::size_t>(2 * pairs), NAN);
      risk(dout.data());
      EXPECT_TRUE(gradient_matches([&] { return risk(); }, {risk.out.data(), dout.size()}, dout));
      const long before = allocations();
      risk(dout.data());
      EXPECT_EQ(allocations(), before);
    }
  }
}

// The gradient of log p summed over the targets is ∇A − T, gathered.
TEST(AddedFamily, AnExponentialFamilyBehindThePointerIsTheSame) {
  const Family behind = make_family("own-gamma", {.custom = custom_density(OwnGamma{})});
  for (const bool fused : {false, true}) {
    SmallRisk one(make_family("gamma"), fused);
    SmallRisk other(behind, fused);
    std::vector<double> dout(static_cast<std::size_t>(2 * pairs)), same(dout.size());
    EXPECT_NEAR(one(dout.data()), other(same.data()), double_rounding);
    for (std::size_t k = 0; k < dout.size(); ++k) EXPECT_NEAR(dout[k], same[k], double_rounding);
  }
}

constexpr const char* not_poolable =
    "the laplace density cannot be pooled log-linearly, as it has no natural parameters; use "
    "linear "
    "`pooling`, or a `method` that mixes inputs or embeddings (mix, m-mix, m-probmix)";

TEST(AddedFamily, IsNotPooledLogLinearly) {
  SmallRisk risk(make_family("laplace", with_laplace()), true, Pooling::log_linear);
  EXPECT_EQ(message_of<UsageError>([&] { risk(); }), not_poolable);
  SmallRisk single(make_family("laplace", with_laplace()), false, Pooling::log_linear);
  EXPECT_TRUE(std::isfinite(single()));
}

// y = 50 + 20 x + Laplace noise of scale 3.
Frame laplace_table(Index rows, std::uint64_t seed) {
  Stream stream(seed, Purpose::test);
  const double noise[] = {0, 3};
  std::string text = "x,y\n";
  for (Index r = 0; r < rows; ++r) {
    const double x = stream.normal();
    double e = 0;
    Laplace().sample(noise, stream, &e);
    text += fmt::format("{:.4f},{:.4f}\n", x, 50 + 20 * x + e);
  }
  return parse_frame(text, "laplace.csv");
}

FitOptions laplace_fit(std::string_view method) {
  FitOptions options = quick();
  options.family = "laplace";
  options.family_options = with_laplace(options.family_options);
  options.method = find_method(method);
  options.mix.pooling = Pooling::linear;
  options.train.epochs = 150;
  return options;
}

Evaluation evaluate(const Model& model, const Frame& frame) {
  InputOddities oddities;
  const Matrix<float> x = model.inputs.encode(frame, oddities);
  std::vector<Index> rows(to_size(frame.rows()));
  for (std::size_t r = 0; r < rows.size(); ++r) rows[r] = static_cast<Index>(r);
  ModelPredictor predictor(model, 1);
  Evaluator evaluator(model.target, predictor.members());
  evaluator.add(predictor.outputs(x.view()), model.target.encode(frame, rows).view());
  return evaluator.result();
}

// The noise alone has an NLL of 1 + log 6 = 2.79 and a CRPS of 3/4 · 3; a constant prediction, 4.5
// and 11.
TEST(AddedFamily, IsTrainedByEveryMethodThatCan) {
  const Frame train = laplace_table(300, 1);
  const Frame test = laplace_table(300, 2);
  for (const char* const name : {"erm", "mix", "m-mix", "m-probmix", "probmix", "loc-probmix"}) {
    SCOPED_TRACE(name);
    const Model model = fit_model(train, laplace_fit(name));
    const Evaluation found = evaluate(model, test);
    EXPECT_LT(found.nll, 3.3);
    EXPECT_LT(found.columns.front().crps, 3.5);
    EXPECT_GT(found.columns.front().crps, 1.5);
    EXPECT_LT(found.columns.front().pit.calibration_error(), 0.1);
    const std::vector<Predictive> densities = predict(model, test);
    ASSERT_EQ(std::ssize(densities), test.rows());
    const Predictive& density = densities.front();
    const double median = density.quantile(0, 0.5);
    EXPECT_NEAR(density.cdf(0, median), 0.5, 1e-9);  // by bisection if there are members
    EXPECT_TRUE(std::isfinite(density.log_density(0, median)));
  }
}

TEST(AddedFamily, LogLinearPoolingIsRefusedBeforeTraining) {
  const Family family = make_family("laplace", with_laplace());
  EXPECT_EQ(message_of<UsageError>([&] { TargetFusion(family, find_method("probmix"), {}); }),
            not_poolable);
  EXPECT_NO_THROW(TargetFusion(family, find_method("m-probmix"), {}));
  FitOptions options = laplace_fit("probmix");
  options.mix.pooling = Pooling::log_linear;
  EXPECT_EQ(message_of<UsageError>([&] { fit_model(laplace_table(40, 1), options); }),
            not_poolable);
  options = laplace_fit("m-probmix");
  options.mix.pooling = Pooling::log_linear;  // for the embeddings, which are Gaussian
  options.train.epochs = 1;
  EXPECT_NO_THROW(fit_model(laplace_table(40, 1), options));
  options.mix.beta = 0.1;
  options.mix.expectation = Expectation::exact;
  EXPECT_EQ(message_of<UsageError>([&] { fit_model(laplace_table(40, 1), options); }),
            "the exact expectation with beta > 0 needs an exponential family, which the laplace "
            "density is not; use the sampled expectation");
}

class AddedFamilyFile : public InTemporaryDirectory {};

TEST_F(AddedFamilyFile, IsLoadedWithItsDensity) {
  FitOptions options = laplace_fit("erm");
  options.train.epochs = 3;
  const Frame frame = laplace_table(60, 1);
  const Model model = fit_model(frame, options);
  const std::filesystem::path path = directory / "m.safetensors";
  save_model(model, path);
  const Model loaded = load_model(path, custom_density(Laplace{}));
  EXPECT_EQ(to_file(loaded), to_file(model));
  EXPECT_EQ(loaded.target.options.positive.floor, model.target.options.positive.floor);
  EXPECT_EQ(evaluate(loaded, frame).nll, evaluate(model, frame).nll);
  const std::string refused = fmt::format(
      "'{}', target: its density, 'laplace', is not built into the library; load it with the "
      "density that it was trained with",
      path.string());
  EXPECT_EQ(message_of<Error>([&] { load_model(path); }), refused);
  EXPECT_EQ(message_of<Error>([&] { load_model(path, custom_density(OwnGamma{})); }),
            refused + ", not with 'own-gamma'");
}

// As a program may load all its models with one call.
TEST_F(AddedFamilyFile, OtherModelsDoNotMind) {
  FitOptions options = quick();
  options.train.epochs = 1;
  const Model model = fit_model(laplace_table(60, 1), options);
  const std::filesystem::path path = directory / "m.safetensors";
  save_model(model, path);
  EXPECT_EQ(to_file(load_model(path, custom_density(Laplace{}))), to_file(model));
}

}  // namespace
}  // namespace probmix::test
