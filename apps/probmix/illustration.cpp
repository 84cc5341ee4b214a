// probmix reproduce illustration: the paper's example of two observations.
#include "probmix/paper/illustration.hpp"

#include <fmt/format.h>

#include "commands.hpp"
#include "options.hpp"
#include "probmix/base/atomic_file.hpp"
#include "probmix/base/json.hpp"
#include "probmix/report/study/illustration_page.hpp"
#include "terminal.hpp"

namespace probmix::app {

namespace {

Json to_json(const JudgedDensity& density) {
  return {{"mean", density.mean}, {"variance", density.variance}, {"nll", density.nll}};
}

Json to_json(const Illustration& example) {
  Json points = Json::array();
  for (std::size_t p = 0; p < example.points.size(); ++p) {
    Json point = {{"x", example.x[p]}, {"y", example.y[p]}};
    point.update(to_json(example.points[p]));
    points.push_back(point);
  }
  return {{"mix", to_json(example.mix)},
          {"probmix", to_json(example.probmix)},
          {"probmix_linear", to_json(example.probmix_linear)},
          {"points", points},
          {"lambda", example.lambda},
          {"target", example.target}};
}

std::string to_text(const Illustration& example) {
  return fmt::format(
             "A perfect model of y = x³ + (½x² + 1) ε, and the density that each method asks to\n"
             "explain the fused target of two observations (λ = {}):\n\n",
             example.lambda) +
         text_table(report::illustration_table(example));
}

}  // namespace

void add_illustration(CLI::App& reproduce) {
  CLI::App* const command =
      reproduce.add_subcommand("illustration", "Mixup and ProbMix on two observations");
  command->footer(
      "Examples:\n"
      "  probmix reproduce illustration --lambda 0.5\n"
      "  probmix reproduce illustration --page illustration.html");
  struct Options {
    double lambda = 0.8;
    bool json = false;
    std::filesystem::path page;  // empty: none
  };
  const auto options = std::make_shared<Options>();
  add_number(*command, "--lambda", options->lambda, "The mixing coefficient, from 0 to 1");
  add_flag(*command, "--json", options->json, "Print a JSON object");
  add_file(*command, "--page", options->page, "Also write a page with the densities (HTML)");
  command->callback([options] {
    if (!options->page.empty()) check_writable(options->page);
    const Illustration example = illustrate(options->lambda);
    print(options->json ? exact_json_text(to_json(example), 2) + "\n" : to_text(example));
    if (options->page.empty()) return;
    write_file_atomically(options->page, report::illustration_page(example));
    say("report: " + options->page.string());
  });
}

}  // namespace probmix::app
