// Results files as a report reads them: merged, or refused with one line.
#include "probmix/sweep/read_results.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "probmix/base/error.hpp"
#include "support/message.hpp"
#include "support/temporary.hpp"

namespace probmix::test {
namespace {

RunRecord record(const std::string& method, int split, double nll, int epochs = 7) {
  return {.configuration = {{"dataset", "yacht"},
                            {"method", method},
                            {"split", split},
                            {"epochs", epochs}},
          .result = {{"test", {{"nll", nll}}}}};
}

class ReadResults : public InTemporaryDirectory {
 protected:
  std::filesystem::path file(const std::string& name, const std::string& text) const {
    write(name, text);
    return directory / name;
  }
  static std::string line(const RunRecord& r, const std::string& study = "uci") {
    return to_line(study, r) + "\n";
  }
  void expect_refused(const std::string& text, const std::string& words) const {
    const std::string message = message_of<Error>([&] { read_results({file("bad.jsonl", text)}); });
    EXPECT_NE(message.find(words), std::string::npos) << message;
    EXPECT_NE(message.find("bad.jsonl"), std::string::npos) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos);
  }
};

TEST_F(ReadResults, PutsFilesAndStudiesTogether) {
  RunRecord toy{.configuration = {{"method", "erm"}, {"run", 0}}};
  const auto a = file("a", line(record("erm", 0, 1)) + line(toy, "toy-regression"));
  const auto b = file("b", line(record("erm", 1, 2)) + line(record("erm", 0, 1)));
  const Results results = read_results({a, b});
  ASSERT_EQ(results.studies.size(), 2U);
  EXPECT_EQ(results.studies[0].study, "toy-regression");  // in the order of the layouts
  EXPECT_EQ(results.studies[1].study, "uci");
  EXPECT_EQ(results.studies[1].records.size(), 2U);  // the run that occurs twice counts once
  EXPECT_TRUE(results.remarks.empty());
}

TEST_F(ReadResults, RemarksWhatAReaderShouldKnow) {
  RunRecord old = record("mix", 0, 3);
  old.version = "0.0.1";
  const std::string good = line(record("erm", 0, 1)) + line(old);
  const auto cut = file("cut", good + line(record("erm", 1, 2)).substr(0, 50));
  const auto other = file("other", line(record("erm", 0, 99)));
  const Results results = read_results({cut, other});
  EXPECT_EQ(results.studies[0].records.size(), 2U);
  EXPECT_EQ(results.studies[0].records[0].result["test"]["nll"], 1);
  ASSERT_EQ(results.remarks.size(), 3U);
  EXPECT_NE(results.remarks[0].find("incomplete"), std::string::npos);
  EXPECT_NE(results.remarks[1].find("1 of 2 runs were made by another version"), std::string::npos);
  EXPECT_NE(results.remarks[2].find("with different results"), std::string::npos);
}

TEST_F(ReadResults, RefusesWhatIsNoRun) {
  const std::string good = line(record("erm", 0, 1));
  expect_refused("", "holds no finished run");
  expect_refused("method,nll\n", "line 1: not a run of a study");
  expect_refused(good + "{\"probmix\":2}\n", "line 2: the line is damaged");
  expect_refused(good + good.substr(0, 60) + "\n", "line 2: the line is damaged");
  expect_refused("{\"probmix\":4,\"study\":\"uci\"}\n", "the format is 4");
  expect_refused(line(record("erm", 0, 1), "mine"), "does not know the study \"mine\"");
  expect_refused(good + std::string(70, '[') + "\n", "nested");
  EXPECT_NE(message_of<Error>([&] { read_results({directory / "none.jsonl"}); }).find("none.jsonl"),
            std::string::npos);
}

TEST_F(ReadResults, RefusesOneRunTwiceUnderTwoNames) {
  RunRecord more = record("erm", 3, 1);
  more.configuration["clip"] = 1.0;
  const auto both = file("both", line(record("erm", 3, 1)) + line(more));
  const std::string message = message_of<Error>([&] { read_results({both}); });
  EXPECT_NE(message.find("both', line 1 and '"), std::string::npos) << message;
  EXPECT_NE(message.find("both', line 2 are two runs of erm (split 3)"), std::string::npos)
      << message;
}

TEST_F(ReadResults, RefusesRunsThatCannotBeCompared) {
  const std::string message = message_of<Error>(
      [&] { read_results({file("a", line(record("erm", 0, 1)) + line(record("mix", 0, 1, 8)))}); });
  EXPECT_NE(message.find("a', line 2 has epochs 8, but '"), std::string::npos) << message;
  EXPECT_NE(message.find("a', line 1 has 7: these runs"), std::string::npos) << message;
  // Other data sets may have other facts, and other methods other options.
  RunRecord other = record("mix", 0, 1);
  other.configuration["dataset"] = "energy";
  other.configuration["epochs"] = 8;
  other.configuration["pairing"] = "permutation";
  EXPECT_NO_THROW(read_results({file("b", line(record("erm", 0, 1)) + line(other))}));
  RunRecord nameless = record("erm", 0, 1);
  nameless.configuration.erase("method");
  EXPECT_THROW(read_results({file("c", line(nameless))}), Error);
}

TEST_F(ReadResults, RemarksAChoiceThatWasNotFinished) {
  const auto run = [](double alpha) {
    RunRecord r = record("mix", 0, 1);
    r.configuration["alpha"] = alpha;
    r.result["validation"] = {{"nll", alpha}};
    r.tuning = {{"alpha", {1.0, std::numeric_limits<double>::infinity()}}, {"repeats", {0}}};
    return r;
  };
  const std::string half = line(run(1));
  const Results killed = read_results({file("half", half)});
  ASSERT_EQ(killed.remarks.size(), 1U);
  EXPECT_NE(killed.remarks[0].find("uci: the choice of settings for yacht mix is unfinished"),
            std::string::npos);
  RunRecord other = run(2);
  other.configuration["alpha"] = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(read_results({file("whole", half + line(other))}).remarks.empty());
  std::string broken = half;
  broken.replace(broken.find("\"repeats\""), 9, "\"repeat\"");
  expect_refused(broken, "line 1: the line is damaged");
}

// Runs of format 1 do not record how the embedding is activated. They are read, with all methods
// together, but not mixed with present ones.
TEST_F(ReadResults, OlderRunsSayWhatTheirEmbeddingsWere) {
  const auto old = [](const char* method, int split) {
    std::string text = line(record(method, split, 1));
    text.erase(text.find(",\"check\""), 27);
    return text.replace(text.find(":3,"), 3, ":1,");
  };
  const Results results = read_results({file("old", old("erm", 0) + old("m-probmix", 0))});
  for (const RunRecord& run : results.studies[0].records) {
    EXPECT_EQ(run.configuration["embedding-mean"], "linear where random");
  }
  RunRecord now = record("m-probmix", 1, 1);
  now.configuration["embedding-mean"] = "activated";
  expect_refused(old("m-probmix", 0) + line(now), "has embedding-mean \"activated\"");
}

TEST(CheckExtends, RefusesOptionsThatTheStudyDoesNotVary) {
  RunRecord old = record("erm", 0, 1);
  old.place = "'r.jsonl', line 1";
  Json now = record("mix", 3, 1).configuration;
  const auto check = [&] {
    check_extends("uci", std::vector{old}, std::vector{StudyRun{now, {}}});
  };
  now["alpha"] = 1;
  EXPECT_NO_THROW(check());  // another method, split and α
  now["epochs"] = 9;
  EXPECT_EQ(message_of<UsageError>(check),
            "'r.jsonl', line 1 has epochs 7, but the new runs have 9: no report could compare "
            "them; choose another file (`out`)");
  now["dataset"] = "energy";
  EXPECT_NO_THROW(check());
}

}  // namespace
}  // namespace probmix::test
