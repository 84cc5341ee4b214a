#include "probmix/sweep/results_file.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "support/message.hpp"
#include "support/temporary.hpp"

namespace probmix::test {
namespace {

namespace fs = std::filesystem;
using Limits = std::numeric_limits<double>;

class ResultsFileTest : public InTemporaryDirectory {
 protected:
  ResultsFileTest() : path(directory / "stocks.jsonl") {}

  std::string message() const {
    return message_of<Error>([&] { ResultsFile file(path, "stocks"); });
  }
  std::vector<RunRecord> records() const { return ResultsFile(path, "stocks").records(); }

  // The file is refused for these reasons, and left untouched.
  void expect_refused(const std::string& content, const std::string& words) const {
    write(path, content);
    expect_message(message(), path, words);
    EXPECT_EQ(read(path), content);
  }

  fs::path path;
};

// Of format 2, which has no checksums, so that single values can be changed.
const std::string start =
    R"({"probmix":2,"study":"stocks","version":")" + build_version() + R"(",)";
const std::string first = start + R"("configuration":{"seed":1},"status":"done",)"
                                  R"("result":{"nll":0.5},"message":"","seconds":2.0})"
                                  "\n";
const std::string second = start + R"("configuration":{"seed":2},"status":"diverged",)"
                                   R"("result":null,"message":"step 3: \"NaN\"","seconds":1.5})"
                                   "\n";

TEST_F(ResultsFileTest, IsOneObjectALine) {
  {
    ResultsFile file(path, "stocks");
    EXPECT_TRUE(file.records().empty());
    file.append({.configuration = {{"seed", 1}}, .result = {{"nll", 0.5}}, .seconds = 2});
    file.append({.configuration = {{"seed", 2}},
                 .status = RunStatus::diverged,
                 .message = "step 3: \"NaN\"",
                 .seconds = 1.5});
  }
  std::string lines = read(path);
  for (std::size_t at; (at = lines.find(",\"check\":\"")) != lines.npos;) lines.erase(at, 27);
  for (std::size_t at; (at = lines.find("\"probmix\":3")) != lines.npos;) lines[at + 10] = '2';
  EXPECT_EQ(lines, first + second);
  const auto found = records();
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].configuration, Json({{"seed", 1}}));
  EXPECT_EQ(found[0].status, RunStatus::done);
  EXPECT_EQ(found[0].result, Json({{"nll", 0.5}}));
  EXPECT_EQ(found[0].seconds, 2);
  EXPECT_EQ(found[1].status, RunStatus::diverged);
  EXPECT_TRUE(found[1].result.is_null());
  EXPECT_EQ(found[1].message, "step 3: \"NaN\"");
}

TEST_F(ResultsFileTest, NumbersSurviveBitForBit) {
  std::vector<double> values = {0.0,
                                -0.0,
                                0.1,
                                1e22,
                                1e23,
                                -1.5,
                                Limits::min(),
                                Limits::max(),
                                Limits::denorm_min(),
                                Limits::epsilon(),
                                Limits::infinity(),
                                -Limits::infinity(),
                                Limits::quiet_NaN(),
                                1.0 / 3,
                                2.0};
  std::uint64_t bits = 1;
  for (int i = 0; i < 20'000; ++i) {
    bits = bits * 6364136223846793005u + 1442695040888963407u;
    const auto value = std::bit_cast<double>(bits);
    if (!std::isnan(value)) values.push_back(value);
  }
  {
    ResultsFile file(path, "stocks");
    file.append({.configuration = {{"alpha", Limits::infinity()}},
                 .result = {{"values", values}, {"id", {{"nll", Limits::quiet_NaN()}}}}});
  }
  EXPECT_EQ(parse_own_json(read(path))["result"]["values"][10], "Infinity");
  const RunRecord found = records().at(0);
  EXPECT_EQ(found.configuration["alpha"].get<double>(), Limits::infinity());
  EXPECT_TRUE(std::isnan(found.result["id"]["nll"].get<double>()));
  const Json& read_back = found.result["values"];
  ASSERT_EQ(read_back.size(), values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    ASSERT_TRUE(read_back[i].is_number_float()) << values[i];
    ASSERT_EQ(std::bit_cast<std::uint64_t>(read_back[i].get<double>()),
              std::bit_cast<std::uint64_t>(values[i]))
        << values[i];
  }
}

TEST_F(ResultsFileTest, IntegersAndTextSurvive) {
  const Json result = {{"large", std::numeric_limits<std::uint64_t>::max()},
                       {"small", std::numeric_limits<std::int64_t>::min()},
                       {"text", "λ\n\"\\\x01"},
                       {"none", nullptr},
                       {"yes", true},
                       {"empty", Json::array()}};
  {
    ResultsFile file(path, "stocks");
    file.append({.configuration = Json::object(), .result = result});
    file.append({.configuration = Json::object(),
                 .status = RunStatus::diverged,
                 .message = "\xff is not UTF-8"});
  }
  EXPECT_EQ(exact_json_text(records().at(0).result),
            exact_json_text(result));  // dump: the order of keys as well
  EXPECT_EQ(records().at(1).message, "\uFFFD is not UTF-8");
}

TEST_F(ResultsFileTest, RefusesTextThatStandsForANumber) {
  ResultsFile file(path, "stocks");
  const std::string expected = "the string \"NaN\" of a run would be read back as a number";
  EXPECT_EQ(message_of<Error>([&] { file.append({.result = {{"a", {"NaN"}}}}); }), expected);
  EXPECT_EQ(message_of<Error>([&] { run_identity({{"a", "NaN"}}); }), expected);
  EXPECT_EQ(read(path), "");
}

TEST_F(ResultsFileTest, ReadBackIsWhatTheFileGives) {
  const RunRecord record{.configuration = {{"alpha", Limits::infinity()}, {"seed", -3}},
                         .result = {{"nll", -Limits::infinity()}, {"count", 3}},
                         .message = "\xff",
                         .seconds = 0.25,
                         .version = "0.0.9"};
  {
    ResultsFile file(path, "stocks");
    file.append(record);
  }
  const RunRecord from_file = records().at(0);
  const RunRecord direct = as_read_back(record);
  EXPECT_EQ(direct.configuration, from_file.configuration);
  EXPECT_EQ(direct.result, from_file.result);
  EXPECT_EQ(direct.message, from_file.message);
  EXPECT_EQ(direct.seconds, from_file.seconds);
  EXPECT_EQ(direct.version, from_file.version);
}

TEST(RunIdentity, IsThatOfKeysAndValues) {
  const Json a = {{"seed", 1}, {"model", {{"width", 3}, {"depth", 2}}}};
  const Json reordered = {{"model", {{"depth", 2}, {"width", 3}}}, {"seed", 1}};
  EXPECT_EQ(run_identity(a), run_identity(reordered));
  EXPECT_NE(run_identity(a), run_identity({{"seed", 2}, {"model", a["model"]}}));
  EXPECT_NE(run_identity({{"a", 0.1}}), run_identity({{"a", std::nextafter(0.1, 1)}}));
  EXPECT_NE(run_identity({{"a", Limits::infinity()}}), run_identity({{"a", -Limits::infinity()}}));
  EXPECT_EQ(run_identity({{"a", 1u}}), run_identity({{"a", 1}}));
}

TEST_F(ResultsFileTest, ALastLineCutAnywhereIsRemoved) {
  for (const std::string& before : {std::string(), first}) {
    for (std::size_t size = 0; size < second.size(); ++size) {
      write(path, before + second.substr(0, size));
      ASSERT_EQ(records().size(), before.empty() ? 0u : 1u) << size;
      ASSERT_EQ(read(path), before) << size;
    }
  }
}

TEST_F(ResultsFileTest, RefusesOtherFiles) {
  const std::string no_results = "line 1: not a run of a study, so this is not a results file";
  expect_refused("date,price\n2020-01-01,3\n", no_results);
  expect_refused("\n", no_results);
  expect_refused("[1]\n", no_results);
  expect_refused("{\"probmix\":2}\n", no_results);
  expect_refused(std::string("\0\xff\n", 3), no_results);
  const std::string no_end = "the last line is incomplete and not a run of the study \"stocks\"; ";
  expect_refused("a note", "line 1: " + no_end);
  expect_refused(first + "a note", "line 2: " + no_end);
  expect_refused(R"({"probmix":2,"study":"stones")", "line 1: " + no_end);
  expect_refused(R"({"probmix":4,"study)", "line 1: " + no_end);
}

TEST_F(ResultsFileTest, RefusesDamagedLines) {
  const std::string damaged = "line 2: the line is damaged; delete it to repeat its run";
  for (std::size_t size = 0; size + 1 < second.size(); ++size) {  // each cut, but with an end
    expect_refused(first + second.substr(0, size) + "\n" + first, damaged);
  }
  for (const char* key : {"configuration", "status", "result", "message", "seconds"}) {
    Json line = parse_own_json(second);
    line.erase(key);
    expect_refused(first + exact_json_text(line) + "\n" + first, damaged);
    if (std::string(key) == "result") continue;  // may be anything
    line[key] = Json::array({"done"});
    expect_refused(first + exact_json_text(line) + "\n" + first, damaged);
  }
  Json line = parse_own_json(second);
  line["status"] = "fine";
  expect_refused(first + exact_json_text(line) + "\n", damaged);
  // The truncated last line also stays while another line is damaged.
  expect_refused(first + "x\n" + second.substr(0, 50), damaged);
}

TEST_F(ResultsFileTest, RefusesOtherFormatsAndStudies) {
  Json line = parse_own_json(second);
  line["probmix"] = 4;
  expect_refused(first + exact_json_text(line) + "\n",
                 "line 2: the format is 4, but this version of probmix reads formats up to 3; use "
                 "the version that wrote it, or choose another path");
  line["probmix"] = 1;
  expect_refused(first + exact_json_text(line) + "\n",
                 "line 2: an older version of probmix made this run, with other inputs and scores");
  line = parse_own_json(second);
  line["study"] = "to\ny";
  expect_refused(
      first + exact_json_text(line) + "\n",
      R"(line 2: the run belongs to the study "to\ny", not to "stocks"; choose another)");
  expect_refused(exact_json_text(line) + "\n" + first, "line 1: the run belongs to the study");
}

TEST_F(ResultsFileTest, ReadsLinesOfAnyVersionAndOfNone) {
  Json other = parse_own_json(first);
  other["version"] = "9.8.7";
  Json none = parse_own_json(first);
  none.erase("version");
  write(path, first + exact_json_text(other) + "\n" + exact_json_text(none) + "\n");
  const auto found = records();
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].version, build_version());
  EXPECT_EQ(found[1].version, "9.8.7");
  EXPECT_EQ(found[2].version, "");
  EXPECT_EQ(run_identity(found[1].configuration), run_identity(found[0].configuration));
  other["version"] = 2;
  expect_refused(first + exact_json_text(other) + "\n", "line 2: the line is damaged");
}

// `depth` nested arrays.
std::string nested(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

TEST_F(ResultsFileTest, RefusesWhatIsNestedTooDeep) {
  const std::string message =
      "nested more than 64 deep or have more than 4096 keys, so this is not a run; delete the "
      "line, "
      "or choose";
  const auto line = [](const std::string& configuration, const std::string& result) {
    return start + "\"configuration\":" + configuration + R"(,"status":"done","result":)" + result +
           R"(,"message":"","seconds":1.0})" + "\n";
  };
  for (const std::size_t depth : {64u, 1000u, 300'000u}) {
    expect_refused(first + line("{}", nested(depth)), "line 2: objects and arrays are " + message);
    expect_refused(line(R"({"a":)" + nested(depth - 1) + "}", "1"), "line 1: objects and arrays");
    expect_refused(first + std::string(depth + 1, '[') + "\n" + first, message);
  }
  std::string objects = "1";
  for (int i = 0; i < 64; ++i) objects = R"({"a":)" + objects + "}";
  expect_refused(line("{}", objects), message);
  write(path, line("{}", nested(63)) + line("{}", "\"" + std::string(1000, '[') + "\""));
  EXPECT_EQ(exact_json_text(records().at(0).result), nested(63));
}

TEST_F(ResultsFileTest, WritesNothingThatItWouldNotRead) {
  {
    ResultsFile file(path, "stocks");
    file.append({.configuration = Json::object(), .result = parse_own_json(nested(63))});
    EXPECT_EQ(message_of<Error>([&] { file.append({.result = parse_own_json(nested(64))}); }),
              "objects and arrays of a run are nested more than 63 deep");
  }
  EXPECT_EQ(records().size(), 1u);
}

TEST_F(ResultsFileTest, EveryFlippedBitIsNoticed) {
  ResultsFile(path, "stocks").append({.configuration = {{"seed", 1}}, .result = {{"nll", 0.5}}});
  const std::string good = read(path);
  for (std::size_t k = 0; k + 1 < good.size(); ++k) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string bad = good;
      bad[k] = static_cast<char>(bad[k] ^ (1 << bit));
      write(path, bad);
      EXPECT_NE(message(), "no error") << k << " " << bit;
    }
  }
}

TEST_F(ResultsFileTest, IsLocked) {
  ResultsFile file(path, "stocks");
  expect_message(message(), path, "another process is writing it");
}

}  // namespace
}  // namespace probmix::test
