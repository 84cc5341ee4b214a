// bench_step: the cost of one training step, and how close its products come to oneDNN's.
#include <cmath>
#include <filesystem>
#include <string>

#include "dump.hpp"
#include "measure.hpp"
#include "options.hpp"
#include "probmix/base/atomic_file.hpp"
#include "probmix/base/error.hpp"
#include "program.hpp"
#include "run.hpp"
#include "terminal.hpp"
#include "training_step.hpp"

namespace {

using namespace probmix;
using namespace probmix::bench;

struct Options {
  StepSettings step;
  Blocks blocks;
  bool json = false;
  std::filesystem::path dump;
};

Json to_json(const StepSettings& s, const Measured& found) {
  const double gflops = 1e-9 * found.flops / found.seconds;
  const double sgemm_gflops = 1e-9 * found.flops / found.sgemm_seconds;
  return {{"arch", architecture_names[static_cast<std::size_t>(s.network.kind)]},
          {"method", s.method},
          {"rows", s.rows},
          {"steps", s.steps},
          {"features", s.features},
          {"bins", s.bins},
          {"hidden",
           s.network.kind == ArchitectureKind::mlp ? s.network.mlp.hidden : s.network.head.hidden},
          {"family", s.family},
          {"batch", s.batch == 0 ? s.rows : s.batch},
          {"rows_in_play", found.rows_in_play},
          {"threads", s.threads},
          {"us_per_step", 1e6 * found.seconds},
          {"us_per_step_best", 1e6 * found.best_seconds},
          {"cpu_us_per_step", 1e6 * found.cpu_seconds},
          {"flops_per_step", std::llround(found.flops)},
          {"gflops", gflops},
          {"sgemm_threads", 1},
          {"sgemm_gflops", sgemm_gflops},
          {"fraction_of_sgemm", gflops / sgemm_gflops},
          {"cpu_fraction_of_sgemm", found.sgemm_cpu_seconds / found.cpu_seconds},
          {"allocations_per_step", found.allocations}};
}

void add_options(CLI::App& app, Options& options) {
  add_step_options(app, options.step);
  app::add_number(app, "--blocks", options.blocks.number,
                  "Blocks of steps, of which the median is taken");
  app::add_number(app, "--seconds", options.blocks.seconds, "Shortest time of a block");
  app::add_flag(app, "--json", options.json, "Print a JSON object");
  app.add_option_function<std::string>(
         "--dump",
         [&](const std::string& text) {
           // CLI11 takes the next argument, even if it is an option.
           check_usage(!text.empty() && text[0] != '-', "--dump needs a file, not '{}'", text);
           options.dump = text;
         },
         "Measure nothing; write data, parameters, draw, loss and gradient of the first step")
      ->type_name("FILE");
}

void run(const Options& options) {
  if (options.dump.empty()) {
    const Json json = to_json(options.step, measure(options.step, options.blocks));
    app::print(options.json ? exact_json_text(json, 2) + "\n" : to_text(json));
    return;
  }
  app::check_writable(options.dump);
  TrainingStep training(options.step);
  write_file_atomically(options.dump, dump_first_step(training));
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App command("Time, arithmetic rate and heap allocations of one training step", "bench_step");
  probmix::app::set_help(command);
  command.footer(
      "Examples:\n"
      "  bench_step --rows 8592 --features 16 --method m-probmix\n"
      "  bench_step --arch mlp --rows 222 --features 6 --hidden 128,32 --method erm --json\n"
      "  bench_step --arch lstm --rows 283 --steps 42 --features 4\n"
      "  bench_step --rows 64 --dump step.json");
  add_options(command, options);
  return probmix::app::run(command, argc, argv, [&] { run(options); });
}
