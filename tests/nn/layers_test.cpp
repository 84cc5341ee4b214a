// Every layer: gradients against finite differences, float against double, the stated contracts.
#include <gtest/gtest.h>

#include <limits>

#include "probmix/nn/fork.hpp"
#include "probmix/nn/linear.hpp"
#include "probmix/nn/network.hpp"
#include "support/cases.hpp"
#include "support/grad_check.hpp"
#include "support/tolerance.hpp"

namespace probmix::test {
namespace {

constexpr Index rows = 5;

// Σ c ∘ y with fixed c, so that dy = c; buffers start as NaN so that reading one before writing it
// shows.
class LayerHarness {
 public:
  explicit LayerHarness(Layer<double>& layer) : layer_(layer) {
    ParameterTable table;
    layer.declare(table, "layer");
    Stream stream(1, Purpose::test);
    parameters.resize(static_cast<std::size_t>(table.size()));
    layer.initialise(parameters.data(), stream);
    for (double& p : parameters) p += 0.1 * stream.normal();
    x = random_matrix(rows, layer.inputs(), stream);
    c_ = random_matrix(rows, layer.outputs(), stream);
    keep_.assign(static_cast<std::size_t>(rows * layer.kept()), nan);
    scratch_.assign(static_cast<std::size_t>(rows * layer.scratch()), nan);
    y_ = Matrix<double>(rows, layer.outputs());
  }

  double loss() {
    std::fill(keep_.begin(), keep_.end(), nan);
    std::fill_n(y_.data(), y_.rows() * y_.cols(), nan);
    layer_.forward(parameters.data(), x.view(), y_.view(), {keep_.data(), scratch_.data()});
    std::fill(scratch_.begin(), scratch_.end(), nan);  // nothing in it may be relied on
    double sum = 0;
    for (Index k = 0; k < y_.rows() * y_.cols(); ++k) sum += c_.data()[k] * y_.data()[k];
    return sum;
  }

  void backward() {
    loss();
    Matrix<double> dy = c_;
    dx.assign(static_cast<std::size_t>(rows * layer_.inputs()), nan);
    gradient.assign(parameters.size(), 0.0);
    layer_.backward(parameters.data(), x.view(), y_.view(), {keep_.data(), scratch_.data()},
                    dy.view(), dx.data(), gradient.data());
  }

  static constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> parameters, dx, gradient;
  Matrix<double> x;

 private:
  Layer<double>& layer_;
  Matrix<double> c_, y_;
  std::vector<double> keep_, scratch_;
};

void expect_right_gradients(Layer<double>& layer) {
  LayerHarness harness(layer);
  harness.backward();
  const auto loss = [&] { return harness.loss(); };
  EXPECT_TRUE(gradient_matches(loss, harness.parameters, harness.gradient));
  const std::span<double> x(harness.x.data(), harness.dx.size());
  EXPECT_TRUE(gradient_matches(loss, x, harness.dx));
}

std::shared_ptr<Sequence<double>> two_layers(Activation activation) {
  auto layers = std::make_shared<Sequence<double>>(3);
  layers->add(std::make_shared<Linear<double>>(3, 7, activation));
  layers->add(std::make_shared<Linear<double>>(7, 4, Activation::identity));
  return layers;
}

class EveryActivation : public ::testing::TestWithParam<Activation> {};

TEST_P(EveryActivation, LinearHasRightGradients) {
  Linear<double> layer(3, 6, GetParam());
  expect_right_gradients(layer);
}

TEST_P(EveryActivation, SequenceHasRightGradients) {
  expect_right_gradients(*two_layers(GetParam()));
}

TEST_P(EveryActivation, ForkHasRightGradients) {
  Fork<double> layer(two_layers(GetParam()),
                     std::make_shared<Linear<double>>(3, 2, Activation::identity));
  expect_right_gradients(layer);
}

INSTANTIATE_TEST_SUITE_P(All, EveryActivation,
                         ::testing::Values(Activation::identity, Activation::relu,
                                           Activation::leaky_relu, Activation::elu,
                                           Activation::tanh, Activation::sigmoid,
                                           Activation::softplus, Activation::silu,
                                           Activation::gelu),
                         [](const auto& p) {
                           std::string name(activation_names[static_cast<std::size_t>(p.param)]);
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST(Linear, FreeOutputsDoNotDependOnX) {
  Linear<double> layer(3, 5, Activation::identity, 2);
  expect_right_gradients(layer);
  LayerHarness harness(layer);
  harness.loss();
  ParameterTable table;
  layer.declare(table, "layer");
  ASSERT_EQ(table.entries().size(), 2u);
  EXPECT_EQ(table.entries()[0].shape, (std::vector<Index>{3, 3}));
  EXPECT_EQ(table.entries()[1].shape, (std::vector<Index>{5}));
}

TEST(Linear, FloatAgreesWithDouble) {
  Linear<double> wide(20, 17, Activation::tanh);
  Linear<float> narrow(20, 17, Activation::tanh);
  ParameterTable table;
  wide.declare(table, "wide");
  ParameterTable other;
  narrow.declare(other, "narrow");
  ASSERT_EQ(table.size(), other.size());
  const auto n = static_cast<std::size_t>(table.size());
  std::vector<double> p(n);
  std::vector<float> q(n);
  Stream stream(2, Purpose::test);
  wide.initialise(p.data(), stream);
  std::copy(p.begin(), p.end(), q.begin());
  const Matrix<double> x = random_matrix(rows, 20, stream);
  Matrix<float> x_float(rows, 20);
  std::copy_n(x.data(), rows * 20, x_float.data());
  Matrix<double> y(rows, 17);
  Matrix<float> y_float(rows, 17);
  wide.forward(p.data(), x.view(), y.view(), {});
  narrow.forward(q.data(), x_float.view(), y_float.view(), {});
  for (Index k = 0; k < rows * 17; ++k) EXPECT_NEAR(y.data()[k], y_float.data()[k], float_rounding);
}

TEST(Sequence, EmptyIsTheIdentity) {
  Sequence<double> empty(3);
  expect_right_gradients(empty);
  LayerHarness harness(empty);
  harness.backward();
  EXPECT_EQ(empty.outputs(), 3);
}

TEST(Sequence, RefusesLayersThatDoNotFit) {
  Sequence<double> layers(3);
  EXPECT_THROW(layers.add(std::make_shared<Linear<double>>(4, 2, Activation::relu)), Error);
}

const Family gaussian = make_family("gaussian");

TEST(Mlp, HasTheStatedShapes) {
  const MlpOptions options{.hidden = {16, 8, 4}, .embedding_layer = 2};
  const auto point = make_mlp<double>(options, Embedding::point, 5, gaussian);
  EXPECT_EQ(point.encoder()->outputs(), 8);
  EXPECT_EQ(point.parameters().size(), 6 * 16 + 17 * 8 + 9 * 4 + 5 * 2);
  const auto random = make_mlp<double>(options, Embedding::gaussian, 5, gaussian);
  EXPECT_EQ(random.encoder()->outputs(), 16);
  EXPECT_EQ(random.embedding_width(), 8);
  const auto star = make_mlp<double>(options, Embedding::gaussian_separate, 5, gaussian);
  EXPECT_EQ(star.embedding_width(), 4);
  EXPECT_EQ(star.encoder()->outputs(), 8);
}

TEST(Mlp, RefusesWrongOptions) {
  EXPECT_THROW(make_mlp<float>({.hidden = {}}, Embedding::point, 1, gaussian), UsageError);
  EXPECT_THROW(
      make_mlp<float>({.hidden = {4}, .embedding_layer = 2}, Embedding::point, 1, gaussian),
      UsageError);
  for (const std::vector<Index>& hidden :
       {std::vector<Index>{4, 0}, {-1}, {1 << 30}, {65536, 65536}}) {
    EXPECT_THROW(make_mlp<float>({.hidden = hidden}, Embedding::point, 1, gaussian), UsageError);
  }
}

TEST(Network, ParametersAreDeterminedByTheSeed) {
  const auto network = make_mlp<float>({}, Embedding::point, 3, gaussian);
  EXPECT_EQ(network.initial_parameters(7), network.initial_parameters(7));
  EXPECT_NE(network.initial_parameters(7), network.initial_parameters(8));
}

}  // namespace
}  // namespace probmix::test
