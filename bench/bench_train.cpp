// bench_train: time and memory of whole trainings, many small ones or a large one.
#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <cstring>
#include <string>
#include <vector>

#include "options.hpp"
#include "probmix/base/error.hpp"
#include "probmix/base/parallel.hpp"
#include "program.hpp"
#include "run.hpp"
#include "terminal.hpp"

namespace {

using namespace probmix;
using namespace probmix::bench;

struct Options {
  StepSettings step;
  Index epochs = 10;
  Index runs = 1;
  bool json = false;
};

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

// FNV-1a over the bits of the trained parameters: same bits, same fingerprint.
std::uint64_t fingerprint(const std::vector<AlignedVector<float>>& models) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const AlignedVector<float>& model : models) {
    for (const float value : model) {
      std::uint32_t bits = 0;
      std::memcpy(&bits, &value, sizeof bits);
      hash = (hash ^ bits) * 0x100000001b3;
    }
  }
  return hash;
}

// Several runs get a thread each; a single run shares its rows among all threads.
Json train(const Options& options) {
  check_range("runs", options.runs, 1, 1'000'000);
  check_range("threads", options.step.threads, 1, 4096);
  const bool single = options.runs == 1;
  const Index threads = options.step.threads;
  const Problem problem(options.step, single ? threads : 1);
  TrainOptions training{.epochs = options.epochs,
                        .batch = problem.settings.batch,
                        .optimiser = problem.settings.optimiser,
                        .threads = single ? threads : 1};
  const Dataset<float> no_validation{{0, problem.data.x.cols()}, {0, problem.data.y.cols()}};
  std::vector<AlignedVector<float>> models(to_size(options.runs));
  const Stopwatch watch;
  parallel_for(options.runs, single ? 1 : threads, [&](Index run) {
    models[to_size(run)] =
        fit(problem.network, problem.family, problem.method, problem.settings.mix, training,
            problem.graph, problem.data, no_validation,
            derive_seed(options.step.seed, static_cast<std::uint64_t>(run)))
            .parameters;
  });
  const double seconds = watch.seconds();
  return {{"method", problem.settings.method},
          {"rows", problem.settings.rows},
          {"features", problem.settings.features},
          {"batch", problem.settings.batch},
          {"epochs", options.epochs},
          {"runs", options.runs},
          {"threads", threads},
          {"graph_seconds", problem.graph_seconds},
          {"graph_exact", problem.graph.is_exact()},
          {"seconds", seconds},
          {"seconds_per_epoch", seconds / static_cast<double>(options.epochs)},
          {"peak_megabytes", peak_megabytes()},
          {"fingerprint", fmt::format("{:016x}", fingerprint(models))}};
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App command("Time and memory of whole trainings, and a fingerprint of the models",
                   "bench_train");
  probmix::app::set_help(command);
  command.footer(
      "Examples:\n"
      "  bench_train --rows 222 --features 6 --runs 40 --epochs 1000 --threads 2\n"
      "  bench_train --rows 1000000 --features 20 --batch 1024 --method loc-probmix --epochs 2");
  add_step_options(command, options.step);
  app::add_number(command, "--epochs", options.epochs, "Epochs of a run");
  app::add_number(command, "--runs", options.runs, "Independent runs, of different seeds");
  app::add_flag(command, "--json", options.json, "Print a JSON object");
  return probmix::app::run(command, argc, argv, [&] {
    const Json json = train(options);
    app::print(options.json ? exact_json_text(json, 2) + "\n" : to_text(json));
  });
}
