// The paper's theorems as equalities of losses, gradients and whole trajectories of parameters.
#include <gtest/gtest.h>

#include "probmix/nn/linear.hpp"
#include "support/tolerance.hpp"
#include "train/step_support.hpp"

namespace probmix::test {
namespace {

constexpr double trajectory = 1e-10;  // 50 steps amplify the rounding of one

// x → linear → outputs: a generalised linear model with no hidden layer.
Network<double> linear_model(const Family& family) {
  const auto decoder = std::make_shared<Sequence<double>>(3);
  decoder->add(std::make_shared<Linear<double>>(3, outputs(family), Activation::identity,
                                                free_outputs(family)));
  return Network<double>(std::make_shared<Sequence<double>>(3), decoder, Embedding::point);
}

// Mixup of the outputs: the whole network is the encoder, and the decoder the identity.
Network<double> outputs_as_embedding(const Family& family) {
  const auto encoder = std::make_shared<Sequence<double>>(3);
  encoder->add(std::make_shared<Linear<double>>(3, 6, Activation::tanh));
  encoder->add(std::make_shared<Linear<double>>(6, outputs(family), Activation::identity,
                                                free_outputs(family)));
  return Network<double>(encoder, std::make_shared<Sequence<double>>(outputs(family)),
                         Embedding::point);
}

void expect_same_trajectories(StepCase& a, StepCase& b) {
  ASSERT_EQ(a.parameters.size(), b.parameters.size());
  const AlignedVector<double> start = a.parameters;
  ASSERT_EQ(start, b.parameters);
  a.descend(50, 0.05);
  b.descend(50, 0.05);
  double moved = 0;
  for (std::size_t k = 0; k < start.size(); ++k) {
    EXPECT_NEAR(a.parameters[k], b.parameters[k], trajectory);
    moved = std::max(moved, std::abs(a.parameters[k] - start[k]));
  }
  EXPECT_GT(moved, 0.01);  // or the comparison would say nothing
}

constexpr MixOptions mixing{.alpha = 1, .lambda_per = LambdaPer::pair};

// Trains both methods on the same network and data.
void expect_equivalent(const Family& family, std::string_view one, std::string_view other,
                       Network<double> (*make_network)(const Family&)) {
  SCOPED_TRACE(family_name(family));
  const Dataset<double> data = random_data(family, 9, 3, 11);
  StepCase a(family, one, mixing, make_network(family), data);
  StepCase b(family, other, mixing, make_network(family), data);
  expect_same_trajectories(a, b);
}

TEST(Theorem, ProbMixIsMixupOfLogits) {
  const Family family = make_family("categorical", {.classes = 3});
  expect_equivalent(family, "probmix", "m-mix", outputs_as_embedding);
}

TEST(Theorem, ProbMixIsMixupOfMeansUnderEqualVariance) {
  const Family family = make_family("gaussian", {.homoscedastic = true});
  expect_equivalent(family, "probmix", "m-mix", outputs_as_embedding);
}

// The paper states the theorem without the condition, but the proof needs it.
TEST(Theorem, ProbMixIsNotMixupOfMeansUnderUnequalVariance) {
  const Family family = make_family("gaussian");
  const Dataset<double> data = random_data(family, 9, 3, 11);
  StepCase probmix(family, "probmix", mixing, outputs_as_embedding(family), data);
  StepCase mixup(family, "m-mix", mixing, outputs_as_embedding(family), data);
  EXPECT_GT(std::abs(probmix.loss() - mixup.loss()), 1e-4);
}

TEST(Theorem, ProbMixIsMixupForLogisticRegression) {
  expect_equivalent(make_family("bernoulli"), "probmix", "mix", linear_model);
  expect_equivalent(make_family("categorical", {.classes = 3}), "probmix", "mix", linear_model);
}

TEST(Theorem, ProbMixIsMixupForLinearRegression) {
  const Family family = make_family("gaussian", {.responses = 2, .homoscedastic = true});
  expect_equivalent(family, "probmix", "mix", linear_model);
}

// The theorem's argument holds for every family whose outputs are its natural parameters.
TEST(Theorem, ProbMixIsMixupForPoissonRegression) {
  expect_equivalent(make_family("poisson"), "probmix", "mix", linear_model);
}

// M-ProbMix with homoscedastic embeddings and the mean propagated is manifold mixup.
TEST(Theorem, MProbMixIsManifoldMixup) {
  const Family family = make_family("gaussian");
  const Dataset<double> data = random_data(family, 9, 3, 11);
  const auto network = [&](Embedding embedding) {
    const bool random = embedding == Embedding::gaussian;
    const auto encoder = std::make_shared<Sequence<double>>(3);
    encoder->add(
        std::make_shared<Linear<double>>(3, random ? 12 : 6, Activation::identity, random ? 6 : 0));
    const auto decoder = std::make_shared<Sequence<double>>(6);
    decoder->add(std::make_shared<Linear<double>>(6, 5, Activation::tanh));
    decoder->add(std::make_shared<Linear<double>>(5, outputs(family), Activation::identity));
    return Network<double>(encoder, decoder, embedding);
  };
  MixOptions options = mixing;
  options.propagate_mean = true;
  StepCase probmix(family, "m-probmix", options, network(Embedding::gaussian), data);
  StepCase mixup(family, "m-mix", options, network(Embedding::point), data);

  // The same parameters, but for the six log-variances behind the encoder's means.
  const std::size_t encoder_means = 3 * 6 + 6;
  const auto without_variances = [&](const AlignedVector<double>& p) {
    AlignedVector<double> rest(p.begin(), p.begin() + encoder_means);
    rest.insert(rest.end(), p.begin() + encoder_means + 6, p.end());
    return rest;
  };
  const AlignedVector<double> start = without_variances(probmix.parameters);
  mixup.parameters = start;
  probmix.descend(50, 0.05);
  mixup.descend(50, 0.05);
  const AlignedVector<double> moved = without_variances(probmix.parameters);
  ASSERT_EQ(moved.size(), mixup.parameters.size());
  double distance = 0;
  for (std::size_t k = 0; k < moved.size(); ++k) {
    EXPECT_NEAR(moved[k], mixup.parameters[k], trajectory);
    distance = std::max(distance, std::abs(moved[k] - start[k]));
  }
  EXPECT_GT(distance, 0.01);  // or the comparison would say nothing
  for (std::size_t k = 0; k < 6; ++k) {
    EXPECT_NEAR(probmix.parameters[encoder_means + k], 0, trajectory);  // no gradient reaches them
  }
}

// The same for the shipped networks, whose log-variance depends on x: where it does not (its
// weights are 0), loss and gradient agree in everything that M-Mix has too.
TEST(Theorem, MProbMixIsManifoldMixupOnEveryNetwork) {
  const Family family = make_family("gaussian");
  const Index steps = 3, channels = 2;
  const Dataset<double> data = random_data(family, 9, steps * channels, 11);
  const Architecture mlp{.mlp = {.hidden = {7, 6, 5}, .embedding_layer = 2}};
  Architecture linear = mlp;
  linear.embedding_mean = EmbeddingMean::linear;
  Architecture smooth = mlp;
  smooth.mlp.activation = Activation::silu;
  Architecture lstm{.kind = ArchitectureKind::lstm,
                    .lstm = {.hidden = 4},
                    .head = {.embedding = 6, .hidden = {5}}};
  Architecture activated_lstm = lstm;
  activated_lstm.embedding_mean = EmbeddingMean::activated;
  const Architecture transformer{.kind = ArchitectureKind::transformer,
                                 .transformer = {.width = 4, .feedforward = 5},
                                 .head = {.embedding = 6, .hidden = {5}}};
  MixOptions options = mixing;
  options.propagate_mean = true;
  for (const Architecture& architecture :
       {mlp, linear, smooth, lstm, activated_lstm, transformer}) {
    SCOPED_TRACE(architecture_names[static_cast<std::size_t>(architecture.kind)]);
    const auto network = [&](Embedding embedding) {
      return make_network<double>(architecture, embedding, steps, channels, family);
    };
    StepCase probmix(family, "m-probmix", options, network(Embedding::gaussian), data);
    StepCase mixup(family, "m-mix", options, network(Embedding::point), data);
    const auto random = probmix.network.parameters().entries();
    const auto point = mixup.network.parameters().entries();
    ASSERT_EQ(random.size(), point.size());
    for (std::size_t k = 0; k < point.size(); ++k) {
      ASSERT_EQ(random[k].name, point[k].name);
      double* const from = probmix.parameters.data() + random[k].offset;
      std::copy_n(from, point[k].size(), mixup.parameters.data() + point[k].offset);
      // The log-variances follow the means.
      if (random[k].size() > point[k].size()) {
        std::fill(from + point[k].size(), from + random[k].size(), 0.0);
      }
    }
    EXPECT_NEAR(probmix.loss(0, true), mixup.loss(0, true), double_rounding * 10);
    for (std::size_t k = 0; k < point.size(); ++k) {
      for (Index i = 0; i < point[k].size(); ++i) {
        EXPECT_NEAR(probmix.gradient[to_size(random[k].offset + i)],
                    mixup.gradient[to_size(point[k].offset + i)], double_rounding * 100)
            << point[k].name << " " << i;
      }
    }
  }
}

// α → 0 with the complete graph: the step is ERM on rows drawn anew, each λ an end point.
TEST(Theorem, TinyAlphaIsErmOnResampledRows) {
  for (const std::string_view name : {"mix", "m-mix", "probmix"}) {
    for (const auto& [label, family] : family_cases()) {
      SCOPED_TRACE(std::string(name) + ", " + label);
      const MixOptions options{
          .alpha = 1e-32, .pooling = poolings(family).front(), .lambda_per = LambdaPer::pair};
      StepCase mixed(family, name, options);
      StepCase plain(family, "erm", {});
      const Draw<double>& draw = (*mixed.drawer)(4, mixed.batch);
      std::vector<Index> drawn;
      for (std::size_t b = 0; b < draw.lambda.size(); ++b) {
        const auto j = static_cast<std::size_t>(draw.partner[b]);
        drawn.push_back(draw.lambda[b] == 1 ? draw.rows[b] : draw.rows[j]);
      }
      plain.batch = drawn;
      const double loss = mixed.loss(4, true);
      EXPECT_NEAR(loss, plain.loss(0, true), double_rounding * std::max(1.0, std::abs(loss)));
      for (std::size_t k = 0; k < plain.gradient.size(); ++k) {
        EXPECT_NEAR(mixed.gradient[k], plain.gradient[k],
                    double_rounding * std::max(1.0, std::abs(plain.gradient[k])));
      }
    }
  }
}

// One λ per step: at α → 0 Mix and M-Mix are then the same method (the paper's table shows it).
TEST(Theorem, MixAndManifoldMixAgreeForTinyAlpha) {
  const Family family = make_family("gaussian");
  StepCase mix(family, "mix", {.alpha = 1e-32});
  StepCase manifold(family, "m-mix", {.alpha = 1e-32});
  expect_same_trajectories(mix, manifold);
}

}  // namespace
}  // namespace probmix::test
