#include "probmix/paper/illustration.hpp"

#include <cmath>

#include "probmix/base/error.hpp"
#include "probmix/mix/density.hpp"
#include "probmix/train/step.hpp"

namespace probmix {

namespace {

// The perfect model as a layer without parameters: x → (µ, log σ²).
class Truth final : public Layer<double> {
 public:
  Index inputs() const override { return 1; }
  Index outputs() const override { return 2; }
  void declare(ParameterTable&, const std::string&) override {}
  void initialise(double*, Stream&) const override {}
  void forward(const double*, View<const double> x, View<double> y, Memory<double>) const override {
    for (Index r = 0; r < x.rows; ++r) {
      y(r, 0) = std::pow(x(r, 0), 3);
      y(r, 1) = 2 * std::log(deviation(x(r, 0)));
    }
  }
  void backward(const double*, View<const double> x, View<const double>, Memory<double>,
                View<double> dy, double* dx, double*) const override {
    for (Index r = 0; dx != nullptr && r < x.rows; ++r) {
      dx[r] = 3 * x(r, 0) * x(r, 0) * dy(r, 0) + 2 * x(r, 0) / deviation(x(r, 0)) * dy(r, 1);
    }
  }

 private:
  static double deviation(double x) { return 0.5 * x * x + 1; }
};

const Gaussian gaussian{.d = 1, .homoscedastic = false, .positive = {Positive::Kind::exp, 0}};

Network<double> true_network() {
  const auto decoder = std::make_shared<Sequence<double>>(1);
  decoder->add(std::make_shared<Truth>());
  return Network<double>(std::make_shared<Sequence<double>>(1), decoder, Embedding::point);
}

// A method's training loss on the single pair (1, 2) with the example's λ.
double step_loss(const Network<double>& network, const Illustration& example, const Method& method,
                 Pooling pooling) {
  MixOptions options;
  options.pooling = pooling;
  options.target_pooling = Pooling::log_linear;
  Matrix<double> x(2, 1);
  for (Index r = 0; r < 2; ++r) x(r, 0) = example.x[static_cast<std::size_t>(r)];

  Draw<double> draw;
  draw.pairs = 1;
  draw.rows = {0, 1};
  draw.partner = {method.site == Site::none ? 0 : 1};
  draw.weight = {1};
  draw.lambda = {example.lambda};
  draw.site_lambda = {example.lambda};
  const TargetFusion fusion(gaussian, method, options);
  draw.targets = Targets(1, fusion.atoms(), fusion.responses());
  fusion(
      {1, 1, {example.y.data(), 2, 1}, draw.rows.data(), draw.partner.data(), draw.lambda.data()},
      {}, draw.targets);

  Team alone(1);
  Step<double> step(network, gaussian, method, options, 1, alone);
  return step(nullptr, x, draw, nullptr);
}

JudgedDensity judge(const double* phi, double nll) {
  JudgedDensity judged{0, 0, nll};
  gaussian.mean(phi, &judged.mean);
  gaussian.variance(phi, &judged.variance);
  return judged;
}

}  // namespace

Illustration illustrate(double lambda) {
  check_probability("lambda", lambda);
  Illustration example;
  example.lambda = lambda;
  const auto& [x_1, x_2] = example.x;
  const auto& [y_1, y_2] = example.y;
  example.target = lambda * y_1 + (1 - lambda) * y_2;
  const Network<double> network = true_network();

  // Natural parameters of the densities at both inputs and at the mixed one.
  Matrix<double> x(3, 1);
  x(0, 0) = x_1;
  x(1, 0) = x_2;
  const Index partner = 1;
  mix_forward(Embedding::point, {{0, 1}, 1, &partner, &lambda, nullptr},
              View<const double>(x.view()), View<double>{x.row(2), 1, 1});
  Matrix<double> out(3, 2);
  network.decoder()->forward(nullptr, x.view(), out.view(), {});
  Matrix<double> phi(4, gaussian.parameters());
  for (Index r = 0; r < 3; ++r) gaussian.link(out.row(r), phi.row(r));
  pool_log_linear(lambda, phi.row(0), phi.row(1), gaussian.parameters(), phi.row(3));

  for (std::size_t p = 0; p < example.points.size(); ++p) {
    Illustration alone = example;
    alone.lambda = p == 0 ? 1 : 0;
    example.points[p] =
        judge(phi.row(static_cast<Index>(p)),
              step_loss(network, alone, find_method("probmix"), Pooling::log_linear));
  }
  example.mix =
      judge(phi.row(2), step_loss(network, example, find_method("mix"), Pooling::log_linear));
  example.probmix =
      judge(phi.row(3), step_loss(network, example, find_method("probmix"), Pooling::log_linear));

  // The moments of the mixture λ p_1 + (1−λ) p_2.
  const auto& [a, b] = example.points;
  const double mean = lambda * a.mean + (1 - lambda) * b.mean;
  example.probmix_linear = {mean,
                            lambda * a.variance + (1 - lambda) * b.variance +
                                lambda * (1 - lambda) * (a.mean - b.mean) * (a.mean - b.mean),
                            step_loss(network, example, find_method("probmix"), Pooling::linear)};
  return example;
}

}  // namespace probmix
