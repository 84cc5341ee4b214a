// The one list of options: complete, consistent, and unchanged by a round trip through files.
#include "probmix/options/option.hpp"

#include <gtest/gtest.h>

#include <set>

#include "probmix/base/error.hpp"
#include "support/message.hpp"

namespace probmix::test {
namespace {

const Option& option(std::string_view name) { return *find_option(name); }

TEST(Options, HaveDistinctNamesAndAWordOfHelp) {
  std::set<std::string_view> names;
  for (const Option& one : fit_option_list()) {
    SCOPED_TRACE(one.name);
    EXPECT_TRUE(names.insert(one.name).second);
    if (!one.alias.empty()) {
      EXPECT_TRUE(names.insert(one.alias).second);
    }
    EXPECT_FALSE(one.help.empty());
    EXPECT_FALSE(one.help.ends_with('.'));
    EXPECT_FALSE(one.group.empty());
    EXPECT_EQ(find_option(one.name), &one);
    EXPECT_EQ(one.kind == Option::Kind::choice, !one.choices.empty());
  }
  EXPECT_EQ(find_option("date-column"), find_option("time"));
  EXPECT_EQ(find_option("no-such-option"), nullptr);
}

// No two options write to the same place: setting one changes no other, except those whose default
// depends on it.
TEST(Options, ReadBackWhatTheySet) {
  for (const Option& one : fit_option_list()) {
    SCOPED_TRACE(one.name);
    FitOptions options;
    const Json before = one.get(options);
    Json value;
    switch (one.kind) {
      case Option::Kind::flag:
        value = true;
        break;
      case Option::Kind::whole:
        value = 7;
        break;
      case Option::Kind::real:
        value = 0.25;
        break;
      case Option::Kind::choice:
        value = one.choices.back() == before ? one.choices.front() : one.choices.back();
        break;
      case Option::Kind::wholes:
        value = {3, 4};
        break;
      case Option::Kind::name:
        value = "a";
        break;
      case Option::Kind::names:
        value = {"a", "b"};
        break;
    }
    ASSERT_NO_THROW(one.check(value));
    one.set(options, value);
    EXPECT_EQ(one.get(options), value);
    EXPECT_NE(value, before);
    for (const Option& other : fit_option_list()) {
      if (&other == &one || one.name == "arch") continue;
      EXPECT_EQ(other.get(options), other.get(FitOptions())) << other.name;
    }
  }
}

TEST(Options, RefuseWhatIsOutOfRangeAndSayWhatIsAccepted) {
  const auto refusal = [](std::string_view name, const Json& value) {
    return message_of<UsageError>([&] { option(name).check(value); });
  };
  EXPECT_EQ(refusal("alpha", 0.0), "`alpha` must be a number greater than 0, not 0");
  EXPECT_EQ(refusal("alpha", std::nan("")), "`alpha` must be a number greater than 0, not nan");
  EXPECT_NO_THROW(option("alpha").check(std::numeric_limits<double>::infinity()));
  EXPECT_EQ(refusal("beta", -1), "`beta` must be a number of at least 0, not -1");
  EXPECT_EQ(refusal("beta", std::numeric_limits<double>::infinity()),
            "`beta` must be a number of at least 0, not inf");
  EXPECT_EQ(refusal("validation", 1.0), "`validation` must be a number from 0 to below 1, not 1");
  EXPECT_EQ(refusal("lstm-layers", 65),
            "`lstm-layers` must be a whole number from 1 to 64, not 65");
  EXPECT_EQ(refusal("epochs", 2.5),
            "`epochs` must be a whole number from 1 to 1000000000, not 2.5");
  EXPECT_EQ(refusal("pooling", "both"), "unknown `pooling` 'both'; accepted: log-linear, linear");
  EXPECT_EQ(refusal("pooling", 3), "`pooling` must be one of log-linear, linear, not 3");
  EXPECT_EQ(refusal("hidden", Json({8, 0})),
            "`hidden` must be at most 64 whole numbers from 1 to 65536, not 8,0");
  EXPECT_EQ(refusal("hidden", Json(std::vector<int>(65, 1))).substr(0, 40),
            "`hidden` must be at most 64 whole number");
}

TEST(Options, ThatContradictEachOtherAreRefused) {
  const auto refusal = [](const FitOptions& options) {
    return message_of<UsageError>([&] { check_options(options); });
  };
  EXPECT_NE(refusal({}).find("`target`"), std::string::npos);
  FitOptions options{.targets = {"y"}};
  EXPECT_NO_THROW(check_options(options));
  options.validation = 0;
  EXPECT_NO_THROW(check_options(options));  // patience follows by itself
  options.train.patience = 5;
  EXPECT_NE(refusal(options).find("`patience` 0"), std::string::npos);
  options = {.targets = {"y"}, .architecture = {.kind = ArchitectureKind::lstm}};
  EXPECT_NE(refusal(options).find("`window`"), std::string::npos);
  options = {.targets = {"y"}, .series = {.time = "t", .group = "g"}};
  EXPECT_NE(refusal(options).find("`group`"), std::string::npos);
  options = {.targets = {"y"}, .method = find_method("mc-dropout")};
  EXPECT_NO_THROW(check_options(options));
  options.architecture.mlp.dropout = 0;
  EXPECT_NE(refusal(options).find("`dropout` above 0"), std::string::npos);
  options.series.window = 3;
  options.architecture = {.kind = ArchitectureKind::lstm, .lstm = {.layers = 1, .dropout = 0.5}};
  options.encode = Encode::none;
  EXPECT_NE(refusal(options).find("`lstm-layers` above 1"), std::string::npos);
  options.architecture.lstm.layers = 2;
  EXPECT_NO_THROW(check_options(options));
  options = {.targets = {"y"}, .mix = {.alpha = -1}};
  EXPECT_NE(refusal(options).find("`alpha`"), std::string::npos);
}

TEST(Options, ThatDependOnOthersAreFilledIn) {
  const FitOptions mlp = resolved({});
  EXPECT_EQ(mlp.train.optimiser.learning_rate, 0.005);
  EXPECT_EQ(mlp.encode, Encode::ple);
  EXPECT_EQ(mlp.ensemble, 5);
  EXPECT_FALSE(mlp.train.patience.has_value());  // depends on the rows
  EXPECT_EQ(mlp.architecture.embedding_mean, EmbeddingMean::activated);
  EXPECT_EQ(mlp.validation_rows, ValidationRows::random);
  const FitOptions lstm = resolved(
      {.series = {.window = 3}, .validation = 0, .architecture = {.kind = ArchitectureKind::lstm}});
  EXPECT_EQ(lstm.train.optimiser.learning_rate, 0.0005);
  EXPECT_EQ(lstm.encode, Encode::none);
  EXPECT_EQ(resolved(lstm, 1000).train.patience, 0);
  EXPECT_EQ(lstm.architecture.embedding_mean, EmbeddingMean::linear);
  EXPECT_EQ(lstm.validation_rows, ValidationRows::last);
  FitOptions chosen;
  chosen.train.patience = 7;
  chosen.select_by = SelectBy::mixture;
  chosen.members = 9;
  EXPECT_EQ(resolved(chosen).train.patience, 7);
  EXPECT_EQ(resolved(chosen).train.selection_members, 0);  // no random embedding
  chosen.method = find_method("m-probmix");
  EXPECT_EQ(resolved(chosen).train.selection_members, 9);
  EXPECT_EQ(configuration_of(resolved(chosen)), configuration_of(chosen));
  EXPECT_EQ(mlp.architecture.mlp.dropout, 0);
  chosen.method = find_method("mc-dropout");
  EXPECT_EQ(resolved(chosen).train.selection_members, 9);
  EXPECT_EQ(resolved(chosen).architecture.mlp.dropout, 0.1);
  EXPECT_EQ(configuration_of(chosen).at("dropout"), 0.1);
}

// A falling learning rate has an end, and is followed to it.
TEST(Options, OfSchedulesAreFilledIn) {
  const FitOptions falling = resolved({}, 1000);
  EXPECT_EQ(falling.train.schedule.kind, Schedule::plateau);
  EXPECT_EQ(falling.train.epochs, 1000);
  EXPECT_EQ(falling.train.schedule.warm_up, 0);
  EXPECT_EQ(resolved({.preset = Preset::fast}).train.schedule.kind, Schedule::constant);
  // There is no plateau without rows that show it, or without patience.
  EXPECT_EQ(resolved({.validation = 0}).train.schedule.kind, Schedule::constant);
  EXPECT_EQ(resolved({.train = {.patience = 0}}).train.schedule.kind, Schedule::constant);
  FitOptions impatient{.targets = {"y"}, .train = {.patience = 0}};
  impatient.train.schedule.kind = Schedule::plateau;
  EXPECT_THROW(check_options(impatient), UsageError);
  for (const Schedule kind : {Schedule::cosine, Schedule::one_cycle}) {
    FitOptions options;
    options.train.schedule.kind = kind;
    EXPECT_EQ(resolved(options).train.schedule.warm_up, kind == Schedule::cosine ? 0 : 0.3);
    EXPECT_EQ(resolved(options, 200).train.epochs, 500);
    EXPECT_EQ(resolved(options, 100'000).train.epochs, 50);
    EXPECT_EQ(resolved(options, 1000).train.patience, 0);
    EXPECT_EQ(configuration_of(options).at("epochs"), "default");
    options.train.epochs = 70;
    options.train.patience = 9;
    EXPECT_EQ(resolved(options, 1000).train.epochs, 70);
    EXPECT_EQ(resolved(options, 1000).train.patience, 9);
  }
}

// The defaults identify the runs that they identified before these options existed.
TEST(Options, OfOptimisersAreNamedOnlyWhereTheyHaveAnEffect) {
  const Json configuration = configuration_of(FitOptions{.preset = Preset::fast});
  for (const char* const name : {"weight-decay", "schedule", "warm-up", "average", "dropout"}) {
    EXPECT_FALSE(configuration.contains(name)) << name;
  }
  EXPECT_EQ(configuration.at("epochs"), 1000);
}

TEST(Options, ThatDependOnTheRowsAreFilledIn) {
  const FitOptions small = resolved({}, 200), large = resolved({}, 100'000);
  EXPECT_EQ(small.train.batch, 32);
  EXPECT_EQ(small.train.patience, 150);
  EXPECT_EQ(small.bins, 16);
  EXPECT_EQ(large.train.batch, 256);
  EXPECT_EQ(large.train.patience, 15);
  EXPECT_EQ(large.bins, 64);
  EXPECT_EQ(configuration_of(resolved(small, 100'000)), configuration_of(small));
  const FitOptions fast = resolved({.preset = Preset::fast}, 100'000);
  EXPECT_EQ(fast.ensemble, 1);
  EXPECT_EQ(fast.encode, Encode::none);
  EXPECT_EQ(fast.train.batch, 128);
  EXPECT_EQ(fast.train.patience, 300);
}

TEST(Options, OfNetworksSurviveAFile) {
  for (const ArchitectureKind kind :
       {ArchitectureKind::mlp, ArchitectureKind::lstm, ArchitectureKind::transformer}) {
    FitOptions options;
    options.architecture.kind = kind;
    for (const Option& one : fit_option_list()) {
      if (one.group != option_group::networks || one.kind != Option::Kind::whole) continue;
      one.set(options, 3);
    }
    const Json json = configuration_of(options, option_group::networks);
    FitOptions read;
    read_options(JsonObject(json, "file"), option_group::networks, read);
    EXPECT_EQ(configuration_of(read, option_group::networks), json);
    for (const auto& [key, value] : json.items()) {
      Json damaged = json;
      damaged[key] = Json::object();
      FitOptions ignored;
      const std::string said = message_of<Error>(
          [&] { read_options(JsonObject(damaged, "file"), option_group::networks, ignored); });
      EXPECT_TRUE(said.starts_with("file: " + key + " must be ")) << said;
      damaged.erase(key);
      EXPECT_THROW(read_options(JsonObject(damaged, "file"), option_group::networks, ignored),
                   Error);
    }
  }
}

TEST(Spelling, IsThatOfTheFace) {
  const auto spell = [](std::string_view name) { return "--" + std::string(name); };
  EXPECT_EQ(with_spelling("give `learning-rate` or `beta1`, not `Other one`", spell),
            "give --learning-rate or --beta1, not `Other one`");
  EXPECT_EQ(with_spelling("a ` alone, `` and `x", spell), "a ` alone, `` and `x");
  EXPECT_EQ(with_spelling("", spell), "");
}

TEST(CheckOptions, GroupsAreNotDividedByTheLastRows) {
  FitOptions options;
  options.targets = {"y"};
  options.series.group = "g";
  options.validation_rows = ValidationRows::last;
  EXPECT_THROW(check_options(options), UsageError);
  options.series.window = 3;  // of a series, the latest windows
  EXPECT_NO_THROW(check_options(options));
}

}  // namespace
}  // namespace probmix::test
