#include "probmix/sweep/sweep.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <limits>
#include <thread>

#include "support/message.hpp"
#include "sweep/sweep_support.hpp"

namespace probmix::test {
namespace {

class SweepTest : public SweepInDirectory {};

TEST_F(SweepTest, RecordsAreInTheOrderOfTheList) {
  const auto records = ListSweep("s", example_runs(10), "").run(example_run, 2);
  ASSERT_EQ(records.size(), 10u);
  for (std::size_t k = 0; k < records.size(); ++k) {
    const Json configuration = example_runs(10)[k];
    EXPECT_EQ(records[k].configuration, configuration);
    EXPECT_EQ(records[k].status, k == 4 ? RunStatus::diverged : RunStatus::done);
    EXPECT_EQ(records[k].message, k == 4 ? "diverged at step \uFFFD" : "");
    if (k == 4) {
      EXPECT_TRUE(records[k].result.is_null());
    } else {
      EXPECT_EQ(exact_json_text(records[k].result), exact_json_text(example_run(configuration)));
    }
    EXPECT_GE(records[k].seconds, 0);
  }
  EXPECT_TRUE(std::filesystem::is_empty(directory));
}

TEST_F(SweepTest, SameRecordsForAnyThreadsWithAndWithoutAFile) {
  const std::string expected = text_of(ListSweep("s", example_runs(40), "").run(example_run, 1));
  for (const Index threads : {1, 2, 5}) {
    const auto file = directory / std::to_string(threads);
    EXPECT_EQ(text_of(ListSweep("s", example_runs(40), "").run(example_run, threads)), expected);
    EXPECT_EQ(text_of(ListSweep("s", example_runs(40), file).run(example_run, threads)), expected);
    EXPECT_EQ(text_of(ListSweep("s", example_runs(40), file).run(never, threads)), expected);
    EXPECT_EQ(sorted_lines(file), sorted_lines(directory / "1"));
  }
}

TEST_F(SweepTest, RunsOnSeveralThreads) {
  std::atomic<int> started = 0;
  const auto wait_for_both = [&](const Json&) {
    using Clock = std::chrono::steady_clock;
    const auto limit = Clock::now() + std::chrono::seconds(20);
    for (++started; started < 2 && Clock::now() < limit;) std::this_thread::yield();
    return Json(started == 2);
  };
  const auto records = ListSweep("s", example_runs(2), "").run(wait_for_both, 2);
  EXPECT_EQ(records[0].result, true);  // the second run began before the first had ended
}

TEST_F(SweepTest, CountsRuns) {
  std::atomic<int> finished = 0;
  {
    ListSweep sweep("s", example_runs(6), path);
    EXPECT_EQ(sweep.total(), 6u);
    EXPECT_EQ(sweep.done(), 0u);
    sweep.run(example_run, 2, [&] { ++finished; });
    EXPECT_EQ(sweep.done(), 6u);
    EXPECT_EQ(finished, 6);  // the diverged one as well
  }
  finished = 0;
  ListSweep sweep("s", example_runs(9), path);
  EXPECT_EQ(sweep.total(), 9u);
  EXPECT_EQ(sweep.done(), 6u);
  sweep.run(example_run, 2, [&] { ++finished; });
  EXPECT_EQ(finished, 3);
}

TEST_F(SweepTest, EmptyListsAreStudies) {
  EXPECT_TRUE(ListSweep("s", {}, path).run(never, 2).empty());
  EXPECT_EQ(read(path), "");
}

TEST_F(SweepTest, ExtendedAndPartialStudiesShareAFile) {
  const auto whole = text_of(ListSweep("s", example_runs(12), "").run(example_run, 1));
  ListSweep("s", example_runs(5), path).run(example_run, 1);
  const std::string before = read(path);
  EXPECT_EQ(text_of(ListSweep("s", example_runs(12), path).run(example_run, 2)), whole);
  EXPECT_TRUE(read(path).starts_with(before));
  const std::string after = read(path);
  const auto part = text_of(ListSweep("s", example_runs(5), "").run(example_run, 1));
  EXPECT_EQ(text_of(ListSweep("s", example_runs(5), path).run(never, 1)), part);
  EXPECT_EQ(read(path), after);  // the runs that were not asked for are left alone
}

TEST_F(SweepTest, TheOrderOfKeysDoesNotMatter) {
  ListSweep("s", {{{"a", 1}, {"b", 2}}}, path).run([](const Json&) { return Json(3); }, 1);
  const auto records = ListSweep("s", {{{"b", 2}, {"a", 1}}}, path).run(never, 1);
  EXPECT_EQ(records.at(0).result, 3);
  EXPECT_EQ(exact_json_text(records.at(0).configuration), R"({"b":2,"a":1})");
}

TEST_F(SweepTest, TheFirstOfTwoEqualRunsCounts) {
  {
    ResultsFile file(path, "s");
    file.append({.configuration = {{"seed", 1}}, .result = "first"});
    file.append({.configuration = {{"seed", 1}}, .result = "second"});
  }
  EXPECT_EQ(ListSweep("s", {{{"seed", 1}}}, path).run(never, 1).at(0).result, "first");
}

TEST_F(SweepTest, RunsOfAnotherVersionAreNotRepeated) {
  ResultsFile(path, "s").append(
      {.configuration = {{"seed", 1}}, .result = "old", .version = "0.0.9"});
  ListSweep sweep("s", {{{"seed", 1}}, {{"seed", 2}}}, path);
  EXPECT_EQ(sweep.done(), 1u);
  const auto records = sweep.run([](const Json&) { return Json("new"); }, 1);
  EXPECT_EQ(records.at(0).version, "0.0.9");
  EXPECT_EQ(records.at(1).version, build_version());
}

TEST_F(SweepTest, RefusesEqualConfigurationsAndOthersThanObjects) {
  const std::vector<Json> twice = {
      {{"a", 1}, {"b", 2}}, {{"a", 2}, {"b", 2}}, {{"b", 2}, {"a", 1}}};
  EXPECT_EQ(message_of<Error>([&] { ListSweep("s", twice, "").run(never, 1); }),
            R"(runs 0 and 2 of the study have the same configuration {"a":1,"b":2})");
  EXPECT_EQ(message_of<Error>([&] { ListSweep("s", {Json(3)}, "").run(never, 1); }),
            "run 0 of the study: its configuration is not an object");
  EXPECT_THROW(ListSweep("s", example_runs(1), "").run(never, 0), UsageError);
}

TEST_F(SweepTest, OtherExceptionsStopTheSweepAndKeepWhatIsFinished) {
  const auto stopping = [](auto exception) {
    return [exception](const Json& configuration) {
      if (configuration["seed"] == 7) throw exception;
      return example_run(configuration);
    };
  };
  {
    ListSweep sweep("s", example_runs(10), path);
    EXPECT_THROW(sweep.run(stopping(UsageError("wrong")), 1), UsageError);
    EXPECT_EQ(sweep.done(), 7u);
    EXPECT_THROW(sweep.run(stopping(Error("the disk is full")), 1), Error);
    EXPECT_EQ(sweep.done(), 7u);
    EXPECT_THROW(sweep.run(stopping(std::bad_alloc()), 2), std::bad_alloc);
  }
  ListSweep sweep("s", example_runs(10), path);
  EXPECT_GE(sweep.done(), 7u);
  EXPECT_EQ(text_of(sweep.run(example_run, 1)),
            text_of(ListSweep("s", example_runs(10), "").run(example_run, 1)));
}

// Not `diverged`: the program is wrong, not the run.
TEST_F(SweepTest, ResultsThatCannotBeWrittenStopTheSweep) {
  ListSweep sweep("s", example_runs(2), path);
  EXPECT_THROW(sweep.run([](const Json&) { return Json("NaN"); }, 1), Error);
  EXPECT_EQ(sweep.done(), 0u);
  EXPECT_EQ(read(path), "");
}

TEST_F(SweepTest, AFullDiskStopsTheSweep) {
  {
    ListSweep sweep("s", example_runs(10), path);
    const FileSizeLimit limit(700);  // a few lines
    EXPECT_THROW(sweep.run(example_run, 1), Error);
    EXPECT_GT(sweep.done(), 0u);
    EXPECT_LT(sweep.done(), 10u);
    EXPECT_EQ(sorted_lines(path).size(), sweep.done());
  }
  EXPECT_EQ(text_of(ListSweep("s", example_runs(10), path).run(example_run, 2)),
            text_of(ListSweep("s", example_runs(10), "").run(example_run, 1)));
}

}  // namespace
}  // namespace probmix::test
