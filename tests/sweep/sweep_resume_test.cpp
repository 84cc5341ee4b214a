// A study that is killed at any moment and resumed gives the same records as an uninterrupted one.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <thread>

#include "sweep/sweep_support.hpp"

namespace probmix::test {
namespace {

class ResumeTest : public SweepInDirectory {
 protected:
  ResumeTest() {
    const auto file = directory / "undisturbed";
    expected = text_of(ListSweep("s", example_runs(runs), file).run(example_run, 1));
    expected_lines = sorted_lines(file);
  }

  // Nothing is left to do, or the study is finished now; the file holds every run once.
  void expect_complete(const ListSweep::Execute& execute = example_run) {
    ListSweep sweep("s", example_runs(runs), path);
    EXPECT_EQ(text_of(sweep.run(execute, 2)), expected);
    EXPECT_EQ(sorted_lines(path), expected_lines);
  }

  // The sweep in a separate process, which exits with 0 when the study is complete.
  pid_t start(
      Index threads, const ListSweep::Execute& execute,
      const std::function<void()>& finished = [] {}) {
    const pid_t child = ::fork();
    if (child != 0) return child;
    try {
      ListSweep("s", example_runs(runs), path).run(execute, threads, finished);
    } catch (...) {
      ::_exit(1);
    }
    ::_exit(0);
  }

  static int status_of(pid_t child) {
    int status = -1;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    return status;
  }

  static constexpr int runs = 12;
  std::string expected;
  std::vector<std::string> expected_lines;
};

TEST_F(ResumeTest, CutAtEveryByteOfTheLastLine) {
  const std::string whole = read(directory / "undisturbed");
  const std::size_t last_line = whole.rfind('\n', whole.size() - 2) + 1;
  for (std::size_t size = last_line; size < whole.size(); ++size) {
    SCOPED_TRACE(size);
    write(path, whole.substr(0, size));
    std::atomic<int> executed = 0;
    expect_complete([&](const Json& configuration) {
      ++executed;
      return example_run(configuration);
    });
    ASSERT_EQ(executed, 1);
  }
}

TEST_F(ResumeTest, KilledWithinARun) {
  const pid_t child = start(2, [](const Json& configuration) {
    if (configuration["seed"] == 6) ::kill(::getpid(), SIGKILL);
    return example_run(configuration);
  });
  EXPECT_EQ(status_of(child), SIGKILL);
  EXPECT_GE(ListSweep("s", example_runs(runs), path).done(),
            5u);  // 0, ..., 5 but for one under way
  expect_complete();
}

TEST_F(ResumeTest, KilledAfterEveryRun) {
  for (std::size_t k = 0; k < runs; ++k) {
    EXPECT_EQ(ListSweep("s", example_runs(runs), path).done(), k);
    const pid_t child = start(1, example_run, [] { ::kill(::getpid(), SIGKILL); });
    ASSERT_EQ(status_of(child), SIGKILL);
  }
  expect_complete(never);
}

TEST_F(ResumeTest, InterruptedLosesOnlyTheRunsUnderWay) {
  const pid_t child = start(1, [](const Json& configuration) {
    std::signal(SIGINT, SIG_DFL);  // a process in the background ignores it
    if (configuration["seed"] == 6) std::raise(SIGINT);
    return example_run(configuration);
  });
  EXPECT_EQ(status_of(child), SIGINT);
  EXPECT_EQ(ListSweep("s", example_runs(runs), path).done(), 6u);
  expect_complete();
}

// The kills hit runs, writes and syncs alike; the delays grow, so that the study ends.
TEST_F(ResumeTest, KilledAtAnyTime) {
  int kills = 0;
  for (auto delay = std::chrono::microseconds(100);; delay += delay / 8) {
    const pid_t child = start(2, [](const Json& configuration) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      return example_run(configuration);
    });
    std::this_thread::sleep_for(delay);
    ::kill(child, SIGKILL);
    const int status = status_of(child);
    if (status == 0) break;
    ASSERT_EQ(status, SIGKILL);
    ++kills;
  }
  EXPECT_GT(kills, 0);
  expect_complete(never);
}

}  // namespace
}  // namespace probmix::test
