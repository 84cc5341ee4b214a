// The layer that encodes numbers, and training on the differences along a path.
#include "probmix/nn/encoded_linear.hpp"

#include <gtest/gtest.h>

#include "nn/layer_harness.hpp"
#include "probmix/nn/architecture.hpp"
#include "probmix/nn/linear.hpp"
#include "probmix/train/optimiser.hpp"
#include "support/message.hpp"
#include "support/tolerance.hpp"

namespace probmix::test {
namespace {

const std::vector<NumberKnots> encoded = {{1, {-1.3F, -0.2F, 0.4F, 0.9F}}, {3, {-0.7F, 0.6F}}};

TEST(EncodedLinear, HasRightGradients) {
  for (const Activation activation : {Activation::tanh, Activation::silu, Activation::identity}) {
    EncodedLinear<double> layer(4, 3, {activation, 2}, encoded);
    expect_right_gradients(layer);
  }
}

// The usual encoding of x between knots: 1 for each bin below, the share of its own, 0 above.
std::vector<double> usual_encoding(const std::vector<float>& knots, double x) {
  std::vector<double> bins;
  for (std::size_t k = 1; k < knots.size(); ++k) {
    const double from = knots[k - 1], to = knots[k];
    bins.push_back(std::clamp((x - from) / (to - from), 0.0, 1.0));
  }
  return bins;
}

Matrix<double> with_usual_encoding(const Matrix<double>& x) {
  Matrix<double> wide(x.rows(), x.cols() + 4);
  for (Index r = 0; r < x.rows(); ++r) {
    std::copy_n(x.row(r), x.cols(), wide.row(r));
    Index at = x.cols();
    for (const NumberKnots& number : encoded) {
      for (const double bin : usual_encoding(number.knots, x(r, number.input))) {
        wide(r, at++) = bin;
      }
    }
  }
  return wide;
}

// Several steps of Adam on this layer and on a linear layer of encoded inputs end in the same
// place.
TEST(EncodedLinear, TrainsAsALinearLayerOfTheUsualEncoding) {
  constexpr Index rows = 30, outputs = 3;
  EncodedLinear<double> layer(4, outputs, {Activation::tanh, outputs}, encoded);
  Linear<double> usual(8, outputs, Activation::tanh);
  ParameterTable table, usual_table;
  layer.declare(table, "layer");
  usual.declare(usual_table, "usual");
  ASSERT_EQ(table.size(), usual_table.size());
  ASSERT_EQ(table.paths().size(), 2u);
  Stream stream(1, Purpose::test);
  const Matrix<double> x = random_matrix(rows, 4, stream);
  const Matrix<double> wide = with_usual_encoding(x);
  const Matrix<double> target = random_matrix(rows, outputs, stream);

  const auto size = static_cast<std::size_t>(table.size());
  std::vector<double> p(size), q(size);
  layer.initialise(p.data(), stream);
  const Index weight = table.entries()[0].offset, bias = table.entries()[1].offset,
              values = table.entries()[2].offset;
  const Index usual_weight = usual_table.entries()[0].offset,
              usual_bias = usual_table.entries()[1].offset;
  // The weights of a bin are the differences of the values at its knots.
  for (Index o = 0; o < outputs; ++o) {
    for (Index c = 0; c < 4; ++c)
      q[to_size(usual_weight + o * 8 + c)] = p[to_size(weight + o * 4 + c)];
    for (Index k = 0; k < 4; ++k) {
      const bool is_first = k == 0 || k == 3;  // of its column
      const double before = is_first ? 0 : p[to_size(values + (k - 1) * outputs + o)];
      q[to_size(usual_weight + o * 8 + 4 + k)] = p[to_size(values + k * outputs + o)] - before;
    }
    q[to_size(usual_bias + o)] = p[to_size(bias + o)];
  }

  OptimiserOptions options;
  options.learning_rate = 0.02;
  options.clip = 1;
  Optimiser<double> step(options, table), usual_step(options, usual_table);
  const auto train = [&](Layer<double>& of, const Matrix<double>& in, std::vector<double>& at,
                         Optimiser<double>& with) {
    std::vector<double> keep(to_size(rows * of.kept())), gradient(size);
    Matrix<double> y(rows, outputs), dy(rows, outputs);
    of.forward(at.data(), in.view(), y.view(), {keep.data(), nullptr});
    for (Index k = 0; k < rows * outputs; ++k) dy.data()[k] = y.data()[k] - target.data()[k];
    of.backward(at.data(), in.view(), y.view(), {keep.data(), nullptr}, dy.view(), nullptr,
                gradient.data());
    with(gradient.data(), at.data());
    return y;
  };
  for (int t = 0; t < 25; ++t) {
    const Matrix<double> y = train(layer, x, p, step);
    const Matrix<double> usual_y = train(usual, wide, q, usual_step);
    for (Index k = 0; k < rows * outputs; ++k) {
      ASSERT_NEAR(y.data()[k], usual_y.data()[k], 1e-7) << "step " << t;
    }
  }
}

TEST(EncodedLinear, RefusesKnotsThatDoNotFit) {
  const auto fault = [](const std::vector<NumberKnots>& knots) {
    return message_of<UsageError>([&] { check_knots(knots, 4); });
  };
  EXPECT_EQ(fault(encoded), "no error");
  EXPECT_NE(fault({{4, {0, 1}}}), "no error");
  EXPECT_NE(fault({{1, {0, 1}}, {1, {0, 1}}}), "no error");
  EXPECT_NE(fault({{1, {0}}}), "no error");
  EXPECT_EQ(fault({{1, {0, 1, 1}}}), "the knots of input 1 do not increase");
  EXPECT_NE(fault({{1, {0, std::numeric_limits<float>::quiet_NaN()}}}), "no error");
  EXPECT_NE(fault({{1, {0, std::numeric_limits<float>::infinity()}}}), "no error");
}

// Encoded inputs keep their place behind the embeddings of categories, at every step of a window.
TEST(EncodedLinear, FollowsEmbeddingsOfCategories) {
  Architecture architecture{.mlp = {.hidden = {6, 4}}};
  architecture.categories = {{1, 3, 2}};
  architecture.encoded = {{0, {-1, 0, 1}}, {4, {-2, 0, 2}}};
  const Family family = make_family("gaussian");
  const Network<double> network =
      make_network<double>(architecture, Embedding::gaussian_separate, 2, 5, family);
  const auto network_of = [&](const Architecture& a) {
    return make_network<double>(a, Embedding::point, 1, 5, family);
  };
  EXPECT_EQ(network.inputs(), 10);
  architecture.encoded = {{2, {-1, 0, 1}}};
  EXPECT_NE(message_of<UsageError>([&] { network_of(architecture); }), "no error");
}

}  // namespace
}  // namespace probmix::test
