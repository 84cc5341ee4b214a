// Ensembles, variants with weights, trials, and checkpoints of all of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "model/model_support.hpp"
#include "probmix/base/atomic_file.hpp"
#include "probmix/base/checked_line.hpp"
#include "probmix/model/checkpoint.hpp"
#include "probmix/model/evaluation.hpp"
#include "probmix/model/fit_model.hpp"
#include "probmix/model/model_predictor.hpp"
#include "probmix/options/candidates.hpp"
#include "probmix/options/option.hpp"
#include "probmix/options/trial.hpp"
#include "support/message.hpp"
#include "support/temporary.hpp"

namespace probmix::test {
namespace {

FitOptions small_ensemble() {
  FitOptions options = quick();
  options.ensemble = 5;
  options.train.epochs = 4;
  return options;
}

TEST(Ensemble, LearnsFromAllRowsAndHoldsOutEachOnce) {
  const Prepared data = prepare(houses(103), small_ensemble());
  ASSERT_EQ(data.splits.size(), 5u);
  std::vector<Index> held(103), learned(103);
  for (const Split& split : data.splits) {
    for (const Index k : split.validation) ++held[to_size(k)];
    for (const Index k : split.train) ++learned[to_size(k)];
    EXPECT_NEAR(static_cast<double>(split.validation.size()), 20.6, 1);
  }
  EXPECT_EQ(std::ranges::count(held, 1), 103);
  EXPECT_EQ(std::ranges::count(learned, 4), 103);
}

TEST(Ensemble, KeepsGroupsTogether) {
  FitOptions options = small_ensemble();
  options.series.group = "town";
  const Frame frame = houses(103);
  const FrameColumn& town = frame.column("town");
  const Prepared data = prepare(frame, options);
  for (const Split& split : data.splits) {
    std::set<std::int32_t> held, learned;
    for (const Index k : split.validation) held.insert(town.codes[to_size(k)]);
    for (const Index k : split.train) learned.insert(town.codes[to_size(k)]);
    for (const std::int32_t group : held) EXPECT_FALSE(learned.contains(group));
  }
}

TEST(Ensemble, IsTheSameWhateverTheThreads) {
  FitOptions options = small_ensemble();
  options.encode = Encode::ple;
  const std::string one = to_file(fit_model(houses(), options));
  for (const Index threads : {2, 3, 8}) {
    options.train.threads = threads;
    EXPECT_EQ(to_file(fit_model(houses(), options)), one) << threads;
  }
}

TEST(Ensemble, PredictsTheMixtureOfItsNetworks) {
  for (const char* const method : {"probmix", "m-probmix"}) {
    FitOptions options = small_ensemble();
    options.method = find_method(method);
    const Model whole = fitted(houses(), options);
    ASSERT_EQ(whole.networks(), 5);
    const Frame later = houses(30, 2);
    const std::vector<Predictive> mixed = predict(whole, later);
    std::vector<double> mean(30), density(30);
    for (const TrainedNetwork& network : whole.groups.front().networks) {
      Model single = whole;
      single.groups.front().networks = {network};
      const std::vector<Predictive> one = predict(single, later);
      for (std::size_t r = 0; r < 30; ++r) {
        mean[r] += one[r].mean(0) / 5;
        density[r] += std::exp(one[r].log_density(0, 20)) / 5;
      }
    }
    for (std::size_t r = 0; r < 30; ++r) {
      EXPECT_NEAR(mixed[r].mean(0), mean[r], 1e-9 * std::abs(mean[r]));
      EXPECT_NEAR(std::exp(mixed[r].log_density(0, 20)), density[r], 1e-9 * density[r]);
    }
  }
}

// A network that diverged keeps its best epoch, and is not trained again when the rest resumes.
TEST(Ensemble, SavesThatANetworkDiverged) {
  FitOptions options = small_ensemble();
  options.method = find_method("m-probmix");
  options.train.optimiser.kind = OptimiserKind::gradient_descent;
  options.train.optimiser.learning_rate = 1;
  options.train.epochs = 30;
  ModelFit fit(houses(), options);
  fit.finish();
  ASSERT_GT(fit.diverged().size(), 0u);
  EXPECT_NE(fit.diverged().front().find("keeping the best epoch so far"), std::string::npos);
  ModelFit later(houses(), options);
  for (const Index k : fit.changed()) {
    const std::string bytes = to_checkpoint(fit.state(k), Json::object());
    later.restore(parse_checkpoint(bytes, "checkpoint", Json::object()), k);
  }
  EXPECT_TRUE(later.done());
  EXPECT_EQ(later.epochs(), fit.epochs());
  EXPECT_EQ(to_file(later.model()), to_file(fit.model()));
}

TEST(Ensemble, PartsAreOfTheSizeOfTheValidationShare) {
  FitOptions options = small_ensemble();
  options.validation = 0.1;
  const Prepared data = prepare(houses(100), options);
  for (const Split& split : data.splits) EXPECT_EQ(split.validation.size(), 10u);
}

// Quick trainings of the default preset: two variants, and for `heavy` three families.
FitOptions small_pool() {
  FitOptions options = small_ensemble();
  options.preset = Preset::standard;
  options.method = find_method("probmix");
  options.train.patience = 5;
  return options;
}

// y is positive and skewed, so that gamma and lognormal are rivals.
Frame heavy(Index rows = 120, std::uint64_t seed = 1) {
  Stream stream(seed, Purpose::test);
  std::string text = "x,y\n";
  for (Index r = 0; r < rows; ++r) {
    const double x = stream.normal();
    text += fmt::format("{:.4f},{:.4f}\n", x, 10 * std::exp(0.5 * x + 0.5 * stream.normal()));
  }
  return parse_frame(text, "heavy.csv");
}

TEST(Pool, MixesTheVariantsByTheirWeights) {
  FitOptions options = small_pool();
  options.train.epochs = 40;
  const Model model = fitted(houses(), options);
  ASSERT_EQ(model.training["candidates"].size(), 2u);
  EXPECT_EQ(model.training["candidates"][1]["name"], "encode none");
  ASSERT_EQ(model.groups.size(), 2u);
  EXPECT_FALSE(model.groups[0].architecture.encoded.empty());
  EXPECT_TRUE(model.groups[1].architecture.encoded.empty());
  EXPECT_NEAR(model.groups[0].weight + model.groups[1].weight, 1, 1e-12);
  const Frame later = houses(10, 2);
  const std::vector<Predictive> mixed = predict(model, later);
  std::vector<double> mean(10);
  for (const NetworkGroup& group : model.groups) {
    Model single = model;
    single.groups = {group};
    single.marginal = {};
    const std::vector<Predictive> one = predict(single, later);
    const double weight = (1 - model.marginal.weight) * group.weight;
    for (std::size_t r = 0; r < 10; ++r) mean[r] += weight * one[r].mean(0);
  }
  Model constant = model;
  constant.groups.clear();
  const std::vector<Predictive> marginal = predict(constant, later);
  for (std::size_t r = 0; r < 10; ++r) mean[r] += model.marginal.weight * marginal[r].mean(0);
  for (std::size_t r = 0; r < 10; ++r) {
    EXPECT_NEAR(mixed[r].mean(0), mean[r], 1e-9 * std::abs(mean[r]));
    const double data = mixed[r].data_deviation(0), between = mixed[r].model_deviation(0);
    EXPECT_NEAR(std::hypot(data, between), mixed[r].deviation(0), 1e-9);
    EXPECT_GT(between, 0);
  }
}

// Where the networks are sure and wrong, the density of a plausible value is still not almost zero.
TEST(Pool, HasAFloorUnderItsDensities) {
  FitOptions options = small_pool();
  options.train.epochs = 20;
  Model model = fitted(houses(), options);
  EXPECT_GE(model.marginal.weight, MarginalShare::least);
  EXPECT_EQ(model.training["marginal-weight"], model.marginal.weight);
  Model networks = model, constant = model;
  networks.marginal = {};
  constant.groups.clear();
  const Frame far = parse_frame("x,town,day,y\n40,Gent,2024-01-01,\n-40,Gent,2024-01-01,\n", "far");
  const auto all = predict(model, far), sure = predict(networks, far),
             flat = predict(constant, far);
  EXPECT_EQ(flat[0].mean(0), flat[1].mean(0));
  EXPECT_NEAR(flat[0].mean(0), 60, 10);
  for (std::size_t r = 0; r < 2; ++r) {
    for (const double y : {-200.0, 20.0, 60.0, 150.0}) {
      const double w = model.marginal.weight;
      const double expected =
          (1 - w) * std::exp(sure[r].log_density(0, y)) + w * std::exp(flat[r].log_density(0, y));
      EXPECT_NEAR(all[r].log_density(0, y), std::log(expected), 1e-9);
    }
  }
  options.preset = Preset::fast;
  EXPECT_TRUE(fitted(houses(), options).marginal.outputs.empty());
}

TEST(Pool, ReadsBackWhatItWrote) {
  const Model model = fitted(houses(), small_pool());
  const std::string bytes = to_file(model);
  const Model again = parse_model(bytes, "pool.safetensors");
  EXPECT_EQ(to_file(again), bytes);
  ASSERT_EQ(again.groups.size(), model.groups.size());
  const Frame later = houses(5, 2);
  const std::vector<Predictive> one = predict(model, later), two = predict(again, later);
  for (std::size_t r = 0; r < 5; ++r) EXPECT_EQ(one[r].mean(0), two[r].mean(0));
}

TEST(Pool, LargeTablesHaveFewerVariants) {
  EXPECT_EQ(candidates({}, 4999).size(), 4u);
  EXPECT_EQ(candidates({}, 5000).size(), 2u);
  EXPECT_EQ(candidates({.preset = Preset::best}, 5000).size(), 8u);
  EXPECT_EQ(candidates({.preset = Preset::fast}, 10).size(), 1u);
}

// Only options that were not given are varied.
TEST(Pool, LeavesGivenOptionsAlone) {
  FitOptions options = small_pool();
  options.encode = Encode::none;
  EXPECT_EQ(prepare(houses(), options).candidates.size(), 1u);
  options = small_pool();
  options.preset = Preset::best;
  options.method = find_method("erm");
  for (const FitOptions& candidate : prepare(houses(), options).candidates) {
    EXPECT_EQ(candidate.method->name, "erm");
  }
  options = small_pool();
  options.validation = 0;
  options.train.patience = 0;
  const Prepared blind = prepare(heavy(), options);
  EXPECT_EQ(blind.candidates.size(), 1u);
  EXPECT_EQ(blind.responses.size(), 1u);
}

TEST(Pool, HeldOutRowsChooseTheFamily) {
  const FitOptions options = small_pool();
  ModelFit fit(heavy(), options);
  ASSERT_EQ(fit.data().responses.size(), 3u);
  EXPECT_EQ(fit.data().responses[0].target.family, "student-t");
  EXPECT_EQ(fit.data().responses[1].target.family, "gamma");
  EXPECT_EQ(fit.needed(), 2 * 2 + 2 * 5);  // if no variant drops out
  fit.finish();
  EXPECT_NE(fit.choice().find("better than"), std::string::npos) << fit.choice();
  // As if it had been asked for.
  FitOptions given = options;
  given.family = fit.target().family;
  const Model chosen = fit.model(), asked = fitted(heavy(), given);
  ASSERT_EQ(chosen.groups.size(), asked.groups.size());
  for (std::size_t g = 0; g < chosen.groups.size(); ++g) {
    EXPECT_EQ(chosen.groups[g].networks, asked.groups[g].networks);
    EXPECT_EQ(chosen.groups[g].weight, asked.groups[g].weight);
  }
}

TEST(Pool, IsTheSameWhateverTheThreads) {
  FitOptions options = small_pool();
  const std::string one = to_file(fit_model(heavy(), options));
  for (const Index threads : {2, 3}) {
    options.train.threads = threads;
    EXPECT_EQ(to_file(fit_model(heavy(), options)), one) << threads;
  }
}

// A rival that cannot be trained is left out.
TEST(Pool, DoesWithoutAFamilyThatDiverges) {
  FitOptions options = small_pool();
  options.train.optimiser.learning_rate = 1e30;
  for (const Index threads : {1, 2, 8}) {
    options.train.threads = threads;
    ModelFit fit(heavy(), options);
    EXPECT_THROW({ fit.finish(); },
                 Diverged);  // all of them
    EXPECT_FALSE(fit.diverged().empty());
  }
}

class CheckpointFile : public InTemporaryDirectory {
 protected:
  // A training that stopped after this many epochs and then went on, with other threads, from its
  // files.
  Model resumed(const Frame& frame, FitOptions options, Index stop) const {
    const std::filesystem::path folder = directory / fmt::format("{}", stop);
    {
      ModelFit fit(frame, options);
      const Checkpoint checkpoint(folder, fit.identity());
      for (Index e = 0; e < stop && !fit.done(); ++e) fit.run_epoch();
      // The decisions are saved first, so they may be all that was saved, or, if they were not
      // saved before either, all that is missing.
      if (stop % 3 != 1) checkpoint.save(fit.search(), fit.search_identity());
      for (const Index k : fit.changed()) {
        if (stop % 3 != 2 || k % 2 == 0) checkpoint.save(fit.state(k), k);
      }
    }
    options.train.threads = 1 + stop % 3;
    ModelFit fit(frame, options);
    const Checkpoint checkpoint(folder, fit.identity());
    if (auto search = checkpoint.load_search(fit.search_identity())) fit.resume(std::move(*search));
    for (Index k = 0; k < fit.networks(); ++k) {
      if (const auto state = checkpoint.load(k)) fit.restore(*state, k);
    }
    fit.finish();
    return fit.model();
  }
};

// Stopped after any epoch, a training that resumes from the file ends with the same model.
TEST_F(CheckpointFile, GoesOnBitForBit) {
  for (const char* const name : {"probmix", "loc-m-probmix", "mc-dropout"}) {
    FitOptions options = quick();
    options.method = find_method(name);
    options.train.epochs = 6;
    if (options.method->drops) {
      options.train.optimiser.weight_decay = 0.1;
      options.train.schedule.kind = Schedule::cosine;
      options.train.average = 0.9;
      options.select_by = SelectBy::mixture;
    }
    const Frame frame = houses();
    const std::string whole = to_file(fitted(frame, options));
    for (Index stop = 0; stop <= 6; ++stop) {
      const std::filesystem::path folder = directory / fmt::format("{}{}", name, stop);
      {
        ModelFit fit(frame, options);
        for (Index e = 0; e < stop; ++e) fit.run_epoch();
        Checkpoint(folder, fit.identity()).save(fit.state());
      }
      ModelFit fit(frame, options);
      const auto state = Checkpoint(folder, fit.identity()).load();
      ASSERT_TRUE(state.has_value());
      fit.restore(*state);
      fit.finish();
      EXPECT_EQ(to_file(fit.model()), whole) << name << ", stopped after " << stop;
    }
  }
}

// Networks that are done, in training and not begun.
TEST_F(CheckpointFile, OfAnEnsembleGoesOnBitForBit) {
  FitOptions options = small_ensemble();
  options.train.threads = 2;
  const Frame frame = houses();
  const std::string whole = to_file(fitted(frame, options));
  for (Index stop = 0; stop <= 12; ++stop) {
    EXPECT_EQ(to_file(resumed(frame, options, stop)), whole) << "stopped after " << stop;
  }
}

// Stopped while the family is chosen, and after.
TEST_F(CheckpointFile, OfAPoolGoesOnBitForBit) {
  FitOptions options = small_pool();
  const Frame frame = heavy();
  const std::string whole = to_file(fitted(frame, options));
  for (Index stop = 0; stop <= 70; stop += 7) {
    EXPECT_EQ(to_file(resumed(frame, options, stop)), whole) << "stopped after " << stop;
  }
}

TEST_F(CheckpointFile, HasOneWriter) {
  const Checkpoint first(directory, Json::object());
  const std::string fault = message_of<Error>([&] { Checkpoint(directory, Json::object()); });
  EXPECT_NE(fault.find("another process is writing it"), std::string::npos) << fault;
}

TEST_F(CheckpointFile, OfAnotherTrainingIsRefused) {
  const Frame frame = houses();
  const FitOptions options = quick();
  const ModelFit fit(frame, options);
  Checkpoint(directory, fit.identity()).save(fit.state());
  const std::string file = (directory / "checkpoint.safetensors").string();
  const auto fault = [&](const Frame& table, const FitOptions& other) {
    const ModelFit another(table, other);
    return message_of<Error>([&] { Checkpoint(directory, another.identity()).load(); });
  };
  FitOptions other = options;
  other.mix.alpha = 0.2;
  EXPECT_EQ(fault(frame, other),
            "'" + file +
                "' is a checkpoint of another training: 'alpha' is 0.1 there and 0.2 here; give "
                "the same data and options, or another directory");
  EXPECT_NE(fault(houses(120, 2), options).find("of another training"), std::string::npos);
  other = options;
  other.train.epochs = 50;  // may be extended
  EXPECT_EQ(fault(frame, other), "no error");
  other.train.schedule.kind = Schedule::cosine;  // not if they determine the learning rate
  const ModelFit falling(frame, other);
  other.train.epochs = 60;
  const ModelFit longer(frame, other);
  EXPECT_NE(falling.identity(), longer.identity());
  write("checkpoint.safetensors", "nonsense");
  const std::string damaged = "'" + file + "' is a damaged checkpoint; remove it to start over";
  EXPECT_EQ(fault(frame, options), damaged);
  std::filesystem::remove(file);
  std::filesystem::create_symlink("/dev/zero", file);  // without end: no more of it is read
  EXPECT_EQ(fault(frame, options), damaged);
}

FitOptions small_search() {
  FitOptions options = small_pool();
  options.encode = Encode::none;
  options.trials = 4;
  return options;
}

TEST(Trial, VariesOnlyWhatWasNotGiven) {
  FitOptions given{.targets = {"y"}, .method = find_method("probmix"), .fixed = {"alpha"}};
  given.train.optimiser.learning_rate = 0.003;
  std::set<std::string> different;
  for (Index number = 0; number < 30; ++number) {
    const FitOptions options = trial(given, 1000, number, false);
    EXPECT_NO_THROW(check_options(options)) << number;
    EXPECT_EQ(options.method->name, "probmix");
    EXPECT_EQ(options.train.optimiser.learning_rate, 0.003);
    EXPECT_EQ(options.mix.alpha, 0.1);
    EXPECT_EQ(options.mix.pooling, Pooling::linear);
    EXPECT_EQ(configuration_of(options), configuration_of(trial(given, 1000, number, false)));
    different.insert(exact_json_text(configuration_of(options)));
  }
  EXPECT_GT(different.size(), 25u);
  // What is given does not change what is drawn for the others.
  given.fixed.clear();
  const int neighbours = trial(given, 1000, 3, false).mix.neighbours;
  given.fixed = {"neighbours"};
  given.mix.neighbours = neighbours;
  given.train.optimiser.learning_rate.reset();
  FitOptions other = trial(given, 1000, 3, false);
  other.train.optimiser.learning_rate = 0.003;
  given.train.optimiser.learning_rate = 0.003;
  EXPECT_EQ(configuration_of(other), configuration_of(trial(given, 1000, 3, false)));
}

// Four trials: a network of each, a second one of two, the last three of one.
TEST(Trial, TheBestJoinsTheMixture) {
  ModelFit fit(houses(), small_search());
  EXPECT_EQ(fit.needed(), 5 + 4 + 2 + 3);
  fit.finish();
  Index trained = 0;
  std::vector<Index> networks(5);  // of the variant and the trials
  for (Index k = 0; k < fit.networks(); ++k) {
    if (!fit.done(k)) continue;
    ++trained;
    ++networks[to_size(k / 5)];
  }
  EXPECT_EQ(trained, fit.needed());
  EXPECT_EQ(networks.front(), 5);
  std::ranges::sort(networks);
  EXPECT_EQ(networks, (std::vector<Index>{1, 1, 2, 5, 5}));
  // What has all networks is weighed; its first network was among the best two.
  const Model model = fit.model();
  ASSERT_EQ(model.training["candidates"].size(), 2u);
  EXPECT_TRUE(model.training["candidates"][1]["name"].get<std::string>().starts_with("trial "));
  std::vector<double> nlls;
  Index winner = -1;
  for (Index c = 1; c <= 4; ++c) {
    const FitResult<float>& first = fit.progress(5 * c);
    nlls.push_back(first.history[to_size(first.best_epoch - 1)].validation_nll);
    if (fit.done(5 * c + 4)) winner = c;
  }
  ASSERT_GE(winner, 1);
  EXPECT_LE(std::ranges::count_if(nlls, [&](double n) { return n < nlls[to_size(winner - 1)]; }),
            1);
}

TEST(Trial, AreTheSameWhateverTheThreads) {
  FitOptions options = small_search();
  const std::string one = to_file(fit_model(houses(), options));
  for (const Index threads : {2, 3}) {
    options.train.threads = threads;
    EXPECT_EQ(to_file(fit_model(houses(), options)), one) << threads;
  }
}

TEST_F(CheckpointFile, OfASearchGoesOnBitForBit) {
  const FitOptions options = small_search();
  const Frame frame = houses();
  ModelFit uninterrupted(frame, options);
  Index epochs = 0;
  for (; !uninterrupted.done(); ++epochs) uninterrupted.run_epoch();
  const std::string whole = to_file(uninterrupted.model());
  for (Index stop = 3; stop <= epochs; stop += std::max<Index>(1, epochs / 20)) {
    EXPECT_EQ(to_file(resumed(frame, options, stop)), whole) << "stopped after " << stop;
  }
}

// More trials may be asked for later.
TEST_F(CheckpointFile, OfASearchTakesMoreTrials) {
  FitOptions options = small_search();
  const Model whole = fitted(houses(), options);
  options.trials = 1;
  ModelFit fit(houses(), options);
  const Checkpoint checkpoint(directory, fit.identity());
  fit.finish();
  for (const Index k : fit.changed()) checkpoint.save(fit.state(k), k);
  options.trials = 4;
  ModelFit longer(houses(), options);
  EXPECT_EQ(longer.identity(), fit.identity());
  for (Index k = 0; k < longer.networks(); ++k) {
    if (const auto state = checkpoint.load(k)) longer.restore(*state, k);
  }
  EXPECT_GT(longer.epochs(), 0);
  while (!longer.done()) longer.run_epoch();
  const Model model = longer.model();
  ASSERT_EQ(model.groups.size(), whole.groups.size());
  for (std::size_t g = 0; g < model.groups.size(); ++g) {
    EXPECT_EQ(model.groups[g].networks, whole.groups[g].networks);
    EXPECT_EQ(model.groups[g].weight, whole.groups[g].weight);
  }
}

TEST_F(CheckpointFile, KnowsTheSearch) {
  const Json identity = {{"alpha", 0.1}}, trials = {{"epochs", 10}};
  const Checkpoint checkpoint(directory, identity);
  EXPECT_FALSE(checkpoint.load_search(trials));
  const SearchProgress search{.seconds = 12.5,
                              .family = FamilyChoice{1, "gamma"},
                              .brackets = {{{0, 1}, {1}}, {{2, 3, 4}}},
                              .failed = {{0, 0}, {1, 3}}};
  checkpoint.save(search, trials);
  const auto found = checkpoint.load_search(trials);
  ASSERT_TRUE(found && found->family);
  EXPECT_EQ(found->seconds, search.seconds);
  EXPECT_EQ(found->family->response, 1);
  EXPECT_EQ(found->family->text, "gamma");
  EXPECT_EQ(found->brackets, search.brackets);
  EXPECT_EQ(found->failed, search.failed);
  const Json other = {{"epochs", 20}};
  EXPECT_NE(message_of<Error>([&] { checkpoint.load_search(other); }).find("'epochs' is 10 there"),
            std::string::npos);
  EXPECT_NO_THROW(checkpoint.load_search(Json::object()));  // without trials they do not matter
}

TEST_F(CheckpointFile, OfAnotherSearchOrADamagedOneIsRefused) {
  {
    const Checkpoint checkpoint(directory, {{"alpha", 0.1}});
    checkpoint.save(SearchProgress(), {});
  }
  {
    const Checkpoint checkpoint(directory, {{"alpha", 0.2}});
    EXPECT_NE(message_of<Error>([&] { checkpoint.load_search({}); }).find("of another training"),
              std::string::npos);
    const Checkpoint another(directory / "long", {{"alpha", std::string(5000, 'a')}});
    another.save(SearchProgress(), {});
    std::filesystem::copy_file(directory / "long" / "search.json", directory / "search.json",
                               std::filesystem::copy_options::overwrite_existing);
    EXPECT_LT(message_of<Error>([&] { checkpoint.load_search({}); }).size(), 500u);
  }
  const Checkpoint checkpoint(directory, Json::object());
  const Json sound = {{"identity", Json::object()},
                      {"trials", Json::object()},
                      {"seconds", 1},
                      {"spent", 0},
                      {"family", 0},
                      {"choice", ""},
                      {"brackets", {{{0}}}},
                      {"failed", Json::array()}};
  const auto fault = [&](const std::string& text) {
    write_file_atomically(directory / "search.json", text);
    return message_of<Error>([&] { checkpoint.load_search({}); });
  };
  const auto with_line = [](const Json& json) { return with_checksum(exact_json_text(json)) + "\n"; };
  const std::string line = with_line(sound);
  EXPECT_EQ(fault(line), "no error");
  std::vector<std::string> damaged = {"",
                                      "\n",
                                      "[]\n",
                                      "{}\n",
                                      "{\n",
                                      exact_json_text(sound) + "\n",
                                      with_checksum(std::string(100'000, '[') + "]") + "\n"};
  for (std::size_t k = 0; k < line.size(); ++k) {
    for (int bit = 0; bit < 8; ++bit) {
      damaged.push_back(line);
      damaged.back()[k] = static_cast<char>(damaged.back()[k] ^ (1 << bit));
    }
  }
  for (const auto& [key, values] :
       std::map<std::string, std::vector<Json>>{{"seconds", {-1, 1e300, "1", nullptr}},
                                                {"family", {-1, 1e9, 0.5, "0"}},
                                                {"choice", {1}},
                                                {"brackets", {0, {0}, {{0}}, {{{0.5}}}, {{{"0"}}}}},
                                                {"failed", {0, {0}, {{0}}, {{0, 1, 2}}}}}) {
    for (const Json& value : values) {
      Json other = sound;
      other[key] = value;
      damaged.push_back(with_line(other));
    }
    Json other = sound;
    other.erase(key);
    damaged.push_back(with_line(other));
  }
  for (const std::string& text : damaged) {
    EXPECT_NE(fault(text).find("is a damaged checkpoint; remove it to start over"),
              std::string::npos)
        << text.substr(0, 200);
  }
}

// What it decided stays, though there would be no time for it now.
TEST_F(CheckpointFile, OfABudgetKeepsItsTrials) {
  FitOptions options = small_search();
  options.trials = 0;
  options.budget = 10'000;
  ModelFit fit(houses(), options);
  while (!fit.done() && fit.search().brackets.size() < 4) fit.run_epoch();
  SearchProgress search = fit.search();
  search.seconds = 9'999;
  fit.resume(search);
  EXPECT_TRUE(fit.done());
  const Model model = fit.model();
  EXPECT_EQ(model.training["candidates"].size(), 3u);  // the variant and two winners
  const Checkpoint checkpoint(directory, fit.identity());
  for (const Index k : fit.changed()) checkpoint.save(fit.state(k), k);
  for (int again = 0; again < 2; ++again) {
    ModelFit later(houses(), options);
    later.resume(search);
    for (Index k = 0; k < later.networks(); ++k) {
      if (const auto state = checkpoint.load(k)) later.restore(*state, k);
    }
    EXPECT_TRUE(later.done());
    EXPECT_EQ(to_file(later.model()), to_file(model));
  }
}

// Trials that cannot be trained are left out: exact expectations of a pool of densities need β = 0.
TEST(Trial, DoesWithoutWhatDoesNotFit) {
  FitOptions options = small_search();
  options.trials = 9;
  options.mix.expectation = Expectation::exact;
  ModelFit fit(houses(), options);
  fit.finish();
  ASSERT_FALSE(fit.diverged().empty());
  EXPECT_NE(fit.diverged().front().find("going on without it"), std::string::npos)
      << fit.diverged().front();
  EXPECT_EQ(fit.model().training["candidates"].size(), 2u);
}

// Once its time is up a training ends with what it has, as often as it is resumed.
TEST(Budget, EndsATraining) {
  FitOptions options = small_pool();
  options.budget = 1000;
  options.train.epochs = 100'000;
  options.train.patience = 0;
  ModelFit fit(houses(), options);
  for (int e = 0; e < 3; ++e) fit.run_epoch();
  EXPECT_FALSE(fit.done());
  fit.resume({.seconds = 999});
  EXPECT_TRUE(fit.is_time_up());
  EXPECT_TRUE(fit.done());
  EXPECT_EQ(fit.model().groups.size(), 1u);
}

}  // namespace
}  // namespace probmix::test
