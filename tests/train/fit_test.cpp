// Training: determinism, selection, early stopping, divergence and bad data.
#include "probmix/train/fit.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "probmix/metric/scores.hpp"
#include "probmix/nn/architecture.hpp"
#include "support/allocations.hpp"
#include "support/cases.hpp"
#include "support/message.hpp"
#include "support/tolerance.hpp"

namespace probmix::test {
namespace {

Dataset<float> to_float(const Dataset<double>& data) {
  Dataset<float> copy{Matrix<float>(data.x.rows(), data.x.cols()), data.y};
  std::copy_n(data.x.data(), data.x.rows() * data.x.cols(), copy.x.data());
  return copy;
}

struct FitCase {
  explicit FitCase(std::string_view method_name = "m-probmix",
                   std::string_view family_name = "gaussian")
      : family(make_family(family_name)),
        method(find_method(method_name)),
        train(to_float(random_data(family, 60, 3, 1))),
        validation(to_float(random_data(family, 20, 3, 2))),
        network(make_mlp<float>({.hidden = {16, 8}}, method.embedding, 3, family)) {}

  FitResult<float> operator()(std::uint64_t seed = 1) const {
    return fit(network, family, method, mix, options, make_graph(method, mix, train.x), train,
               validation, seed);
  }

  Family family;
  const Method& method;
  MixOptions mix;
  TrainOptions options{.epochs = 30};
  Dataset<float> train, validation;
  Network<float> network;
};

TEST(Fit, SameSeedSameBits) {
  for (const Method& method : methods) {
    FitCase c(method.name);
    for (const Index batch : {0, 16}) {
      c.options.batch = batch;
      const FitResult<float> a = c();
      EXPECT_EQ(a.parameters, c().parameters) << method.name;
      EXPECT_NE(a.parameters, c(2).parameters) << method.name;
    }
  }
}

// Stopped after any epoch and resumed by another Trainer, the result is the same.
TEST(Fit, GoesOnFromAnyStateBitForBit) {
  const std::vector<TrainOptions> variants = {
      {.epochs = 8},
      {.epochs = 8, .batch = 16},
      {.epochs = 8, .optimiser = {.kind = OptimiserKind::gradient_descent}},
      {.epochs = 8, .select_best = false},
      {.epochs = 8, .batch = 16, .optimiser = {.weight_decay = 0.1}, .average = 0.9},
      {.epochs = 8, .batch = 16, .schedule = {Schedule::cosine, 0.2}, .average = 0.5, .threads = 2},
      {.epochs = 8, .schedule = {Schedule::one_cycle}},
      {.epochs = 8, .patience = 2, .threads = 2},
      {.epochs = 30, .batch = 16, .schedule = {Schedule::plateau}, .average = 0.5, .patience = 3}};
  for (const char* const method : {"erm", "loc-m-probmix"}) {
    for (const TrainOptions& options : variants) {
      FitCase c(method);
      c.options = options;
      const Graph graph = make_graph(c.method, c.mix, c.train.x);
      const auto make = [&] {
        return Trainer<float>(c.network, c.family, c.method, c.mix, c.options, graph, c.train,
                              c.validation, 1);
      };
      const FitResult<float> whole = c();
      for (Index stop = 0; stop <= c.options.epochs; ++stop) {
        Trainer<float> first = make();
        for (Index e = 0; e < stop && !first.done(); ++e) first.run_epoch();
        Trainer<float> second = make();
        second.restore(first.state());
        while (!second.done()) second.run_epoch();
        const FitResult<float> resumed = second.result();
        EXPECT_EQ(resumed.parameters, whole.parameters) << method << ", after " << stop;
        EXPECT_EQ(resumed.best_epoch, whole.best_epoch);
        ASSERT_EQ(resumed.history.size(), whole.history.size());
        for (std::size_t e = 0; e < whole.history.size(); ++e) {
          EXPECT_EQ(resumed.history[e].loss, whole.history[e].loss);
          EXPECT_EQ(resumed.history[e].validation_nll, whole.history[e].validation_nll);
        }
      }
    }
  }
}

// After each fall of the rate it goes on from the best epoch.
TEST(Fit, OnAPlateauTheRateFalls) {
  FitCase c;
  c.options = {.epochs = 1000,
               .batch = 16,
               .optimiser = {.learning_rate = 0.05},
               .schedule = {Schedule::plateau},
               .patience = 10};
  const FitResult<float> falling = c();
  c.options.schedule = {};
  const FitResult<float> constant = c();
  ASSERT_LT(constant.history.size(), 1000u);
  ASSERT_GT(falling.history.size(), constant.history.size());
  const auto nll = [](const FitResult<float>& fit, std::size_t e) {
    return fit.history[e].validation_nll;
  };
  // The same until patience has run out for the first time.
  for (std::size_t e = 0; e < constant.history.size(); ++e) {
    EXPECT_EQ(nll(falling, e), nll(constant, e));
  }
  // Then a step that is a fifth as large, from the best epoch: close to it, unlike the last one.
  const double best = nll(constant, to_size(constant.best_epoch - 1));
  const double last = nll(constant, constant.history.size() - 1);
  EXPECT_LT(std::abs(nll(falling, constant.history.size()) - best), std::abs(last - best));
  EXPECT_LE(nll(falling, to_size(falling.best_epoch - 1)), best);
}

TEST(Fit, RefusesTheStateOfAnotherTraining) {
  FitCase c;
  const Graph graph = make_graph(c.method, c.mix, c.train.x);
  const auto make = [&](const TrainOptions& options) {
    return Trainer<float>(c.network, c.family, c.method, c.mix, options, graph, c.train,
                          c.validation, 1);
  };
  Trainer<float> trainer = make(c.options);
  trainer.run_epoch();
  trainer.run_epoch();
  const TrainingState<float> good = trainer.state();
  EXPECT_NO_THROW(make(c.options).restore(good));
  EXPECT_THROW(make({.epochs = 1}).restore(good), Error);                // already more epochs
  EXPECT_THROW(make({.epochs = 30, .batch = 16}).restore(good), Error);  // other steps
  EXPECT_THROW(
      make({.epochs = 30, .optimiser = {.kind = OptimiserKind::gradient_descent}}).restore(good),
      Error);
  TrainingState<float> bad = good;
  bad.parameters.pop_back();
  EXPECT_THROW(make(c.options).restore(bad), Error);
  bad = good;
  ++bad.optimiser.steps;
  EXPECT_THROW(make(c.options).restore(bad), Error);
  bad = good;
  bad.kept.best_epoch = 3;
  EXPECT_THROW(make(c.options).restore(bad), Error);
  EXPECT_THROW(make({.epochs = 30, .average = 0.9}).restore(good), Error);
}

TEST(Fit, TheNumberOfThreadsDoesNotMatter) {
  FitCase c("probmix");
  c.train = to_float(random_data(c.family, 600, 3, 1));  // several shares
  c.options = {.epochs = 3,
               .batch = 300,
               .optimiser = {.weight_decay = 0.1},
               .schedule = {Schedule::one_cycle},
               .average = 0.9};
  const FitResult<float> one = c();
  c.options.threads = 3;
  EXPECT_EQ(c().parameters, one.parameters);
}

// Each step moves the average by the rule, and the average is what is validated and kept.
TEST(Fit, AveragesParametersOverTheSteps) {
  FitCase c("erm");
  c.options = {.epochs = 12, .average = 0.5, .patience = 0};  // one step per epoch
  const Graph graph = make_graph(c.method, c.mix, c.train.x);
  Trainer<float> trainer(c.network, c.family, c.method, c.mix, c.options, graph, c.train,
                         c.validation, 1);
  Predictor<float> predict(c.network, 0);
  Matrix<float> out(c.validation.rows(), 2);
  const AlignedVector<float> start = trainer.state().parameters;
  std::vector<double> average(start.begin(), start.end());
  for (int t = 0; !trainer.done(); ++t) {
    trainer.run_epoch();
    const TrainingState<float> state = trainer.state();
    const double decay = std::min(0.5, (1.0 + t) / (10 + t));
    for (std::size_t k = 0; k < average.size(); ++k) {
      average[k] = decay * average[k] + (1 - decay) * static_cast<double>(state.parameters[k]);
      EXPECT_NEAR(static_cast<double>(state.average[k]), average[k], float_rounding);
    }
    EXPECT_NE(state.average, state.parameters);
    predict(state.average.data(), c.validation.x.view(), 1, 0, out.view());
    const Scores scores = score(c.family, View<const float>(out.view()), 1, c.validation.y.view());
    EXPECT_EQ(state.kept.history.back().validation_nll, scores.nll);
    if (state.kept.best_epoch == std::ssize(state.kept.history)) {
      EXPECT_EQ(state.kept.parameters, state.average);
    }
  }
  EXPECT_GT(trainer.progress().best_epoch, 1);
}

TEST(Fit, StepsAllocateNothing) {
  FitCase c("probmix");
  const auto in_an_epoch = [&](Index batch) {
    c.options = {.epochs = 2,
                 .batch = batch,
                 .optimiser = {.weight_decay = 0.1},
                 .schedule = {Schedule::cosine, 0.2},
                 .average = 0.9};
    const Graph graph = make_graph(c.method, c.mix, c.train.x);
    Trainer<float> trainer(c.network, c.family, c.method, c.mix, c.options, graph, c.train,
                           c.validation, 1);
    const long before = allocations();
    trainer.run_epoch();
    return allocations() - before;
  };
  EXPECT_EQ(in_an_epoch(6), in_an_epoch(30));  // ten steps as two
}

// The first step of a cosine with warm-up is as short as that of a smaller rate.
TEST(Fit, TheScheduleScalesTheLearningRate) {
  FitCase c("erm");
  const auto first_epoch = [&](const TrainOptions& options) {
    c.options = options;
    const Graph graph = make_graph(c.method, c.mix, c.train.x);
    Trainer<float> trainer(c.network, c.family, c.method, c.mix, c.options, graph, c.train,
                           c.validation, 1);
    trainer.run_epoch();
    return trainer.state().parameters;
  };
  EXPECT_EQ(first_epoch({.epochs = 20, .schedule = {Schedule::cosine, 0.2}}),
            first_epoch({.epochs = 20, .optimiser = {.learning_rate = 0.005 / 4}}));
  EXPECT_NE(first_epoch({.epochs = 20, .schedule = {Schedule::cosine, 0.2}}),
            first_epoch({.epochs = 40, .schedule = {Schedule::cosine, 0.2}}));
}

TEST(Fit, LearnsTheMean) {
  FitCase c("erm");
  for (Index r = 0; r < c.train.rows(); ++r) c.train.y(r, 0) = 2 * c.train.x(r, 0) - 1;
  for (Index r = 0; r < c.validation.rows(); ++r) {
    c.validation.y(r, 0) = 2 * c.validation.x(r, 0) - 1;
  }
  c.options.epochs = 400;
  const FitResult<float> result = c();
  // The responses' own law, N(−1, 4), has an NLL of ½ log(2π e 4) = 2.1.
  EXPECT_GT(result.history.front().validation_nll, 2);
  EXPECT_LT(result.history[static_cast<std::size_t>(result.best_epoch - 1)].validation_nll, 0.5);
}

TEST(Fit, KeepsTheBestEpoch) {
  FitCase c;
  const FitResult<float> result = c();
  double best = std::numeric_limits<double>::infinity();
  for (const Epoch& epoch : result.history) best = std::min(best, epoch.validation_nll);
  EXPECT_EQ(result.history[static_cast<std::size_t>(result.best_epoch - 1)].validation_nll, best);

  // Training for exactly that long, and keeping the last parameters, gives the same model.
  c.options.epochs = result.best_epoch;
  c.options.select_best = false;
  EXPECT_EQ(c().parameters, result.parameters);
}

// The epoch may be chosen by the NLL of the mixture over draws of a random embedding, as used in
// prediction; a point embedding has no draws.
TEST(Fit, MaySelectByTheMixture) {
  FitCase c("m-probmix");
  const FitResult<float> by_mean = c();
  c.options.selection_members = 50;
  const FitResult<float> by_mixture = c();
  ASSERT_EQ(by_mean.history.size(), by_mixture.history.size());
  for (std::size_t e = 0; e < by_mean.history.size(); ++e) {
    EXPECT_EQ(by_mean.history[e].loss, by_mixture.history[e].loss);  // the training is the same
    EXPECT_NE(by_mean.history[e].validation_nll, by_mixture.history[e].validation_nll);
  }
  EXPECT_EQ(c().parameters, by_mixture.parameters);
  FitCase point("probmix");
  const FitResult<float> plain = point();
  point.options.selection_members = 50;
  EXPECT_EQ(point().history.back().validation_nll, plain.history.back().validation_nll);
}

TEST(Fit, StopsEarly) {
  FitCase c("erm");
  c.options = {.epochs = 2000, .optimiser = {.learning_rate = 0.05}, .patience = 5};
  const FitResult<float> result = c();
  EXPECT_EQ(static_cast<Index>(result.history.size()), result.best_epoch + 5);
}

// At least so long, at most as long as the patience, in between twice what the best epoch took.
TEST(Fit, WaitsLessLongAfterAnEarlyBestEpoch) {
  for (const Index least : {3, 40}) {
    FitCase c("erm");
    c.options = {.epochs = 2000,
                 .optimiser = {.learning_rate = 0.05},
                 .patience = 100,
                 .least_patience = least};
    const FitResult<float> result = c();
    const Index waited = std::ssize(result.history) - result.best_epoch;
    EXPECT_EQ(waited, std::clamp<Index>(2 * result.best_epoch, least, 100)) << result.best_epoch;
    EXPECT_LT(waited, 100);
  }
}

TEST(Fit, WorksWithoutValidationRows) {
  FitCase c;
  c.validation = {};
  EXPECT_EQ(c().best_epoch, 30);
}

TEST(Fit, ClippingBoundsTheStep) {
  FitCase c("erm");
  c.options = {
      .epochs = 1,
      .optimiser = {.kind = OptimiserKind::gradient_descent, .learning_rate = 1, .clip = 1e-3},
      .select_best = false};
  const FitResult<float> result = c();
  const AlignedVector<float> start = c.network.initial_parameters(1);
  double squares = 0;
  for (std::size_t k = 0; k < start.size(); ++k) {
    squares += std::pow(static_cast<double>(result.parameters[k]) - start[k], 2);
  }
  EXPECT_NEAR(std::sqrt(squares), 1e-3, 1e-6);  // rounding of parameters near 1 in float
}

TEST(Fit, SaysWhenTrainingDiverges) {
  FitCase c("erm");
  c.options.optimiser = {.kind = OptimiserKind::gradient_descent, .learning_rate = 1e30};
  const std::string message = message_of<Diverged>([&] { c(); });
  EXPECT_NE(message.find("training diverged in epoch"), std::string::npos) << message;
  EXPECT_NE(message.find("lower the learning rate"), std::string::npos) << message;
}

TEST(Fit, SaysWhenNoEpochCouldBeSelected) {
  FitCase c("erm");
  c.validation.y(0, 0) = 1e300;  // its square overflows
  const std::string message = message_of<Diverged>([&] { c(); });
  EXPECT_NE(message.find("validation NLL was not finite in any of 30 epochs"), std::string::npos)
      << message;
}

TEST(Fit, SaysWhenTheLastStepOverflows) {
  FitCase c("erm");
  c.validation = {};
  c.options = {.epochs = 1,
               .optimiser = {.kind = OptimiserKind::gradient_descent, .learning_rate = 1e300}};
  EXPECT_NE(message_of<Diverged>([&] { c(); }).find("parameters are not finite"),
            std::string::npos);
}

TEST(Fit, NamesTheFeatureThatIsNotFinite) {
  FitCase c;
  c.train.x(4, 1) = std::numeric_limits<float>::infinity();
  EXPECT_EQ(message_of<Error>([&] { c(); }),
            "training data: row 5, feature 2 is inf; features must be finite numbers");
}

TEST(Fit, NamesTheResponseOutsideOfTheSupport) {
  FitCase gamma("erm", "gamma");
  gamma.train.y(6, 0) = -1.5;
  EXPECT_NE(message_of<Error>([&] {
              gamma();
            }).find("training data: row 7, response -1.5 is outside the support of the gamma"),
            std::string::npos);
  FitCase poisson("erm", "poisson");
  poisson.validation.y(0, 0) = 2.5;
  EXPECT_NE(message_of<Error>([&] { poisson(); }).find("validation data: row 1, response 2.5"),
            std::string::npos);
}

TEST(Fit, RefusesWhatDoesNotFitTogether) {
  FitCase features;
  features.train = to_float(random_data(features.family, 60, 4, 1));
  EXPECT_THROW(features(), UsageError);
  FitCase family;
  family.network = make_mlp<float>({}, family.method.embedding, 3, make_family("poisson"));
  EXPECT_THROW(family(), UsageError);
  FitCase embedding;
  embedding.network = make_mlp<float>({}, Embedding::point, 3, embedding.family);
  EXPECT_THROW(embedding(), UsageError);
}

// Rows of an edge list that reaches only the first half: the other half does not matter.
TEST(Fit, FollowsTheEdgesOfTheUser) {
  FitCase c("probmix");
  std::vector<Edge> edges;
  for (Index i = 0; i < 30; ++i) edges.push_back({i, (i + 1) % 30, 1.0 + static_cast<double>(i)});
  const Graph graph = Graph::edges(60, edges);
  const auto train = [&](const Dataset<float>& data) {
    return fit(c.network, c.family, c.method, c.mix, c.options, graph, data, c.validation, 1)
        .parameters;
  };
  Dataset<float> changed = c.train;
  for (Index r = 30; r < 60; ++r) changed.y(r, 0) += 100;
  EXPECT_EQ(train(c.train), train(changed));
  changed.y(0, 0) += 100;
  EXPECT_NE(train(c.train), train(changed));
}

TEST(Fit, RefusesWrongOptions) {
  FitCase c;
  const auto refuses = [&](const TrainOptions& options) {
    FitCase changed;
    changed.options = options;
    EXPECT_THROW(changed(), UsageError);
  };
  refuses({.epochs = 0});
  refuses({.batch = -1});
  refuses({.optimiser = {.learning_rate = 0}});
  refuses({.optimiser = {.weight_decay = -1}});
  refuses({.schedule = {Schedule::cosine, 1}});
  refuses({.average = 1});
  refuses({.epochs = {}});
  refuses({.optimiser = {.learning_rate = std::numeric_limits<double>::infinity()}});
  refuses({.optimiser = {.clip = -1}});
  refuses({.patience = -1});
  refuses({.select_best = false, .patience = 5});
  refuses({.optimiser = {.beta1 = 1}});
  refuses({.optimiser = {.beta2 = 2}});
  refuses({.optimiser = {.epsilon = -1}});
}

}  // namespace
}  // namespace probmix::test
