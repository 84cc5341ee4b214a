// probmix reproduce illustration: the paper's example of two observations.
#include "probmix/paper/illustration.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "options.hpp"
#include "probmix/report/table.hpp"
#include "terminal.hpp"

namespace probmix::app {

namespace {

using Json = nlohmann::ordered_json;

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
  Table table;
  table.columns = {{"density"},
                   {"judged at y", Align::right},
                   {"mean", Align::right},
                   {"variance", Align::right},
                   {"NLL", Align::right}};
  const auto add = [&](const std::string& name, double y, const JudgedDensity& density) {
    table.add({name, fmt::format("{:.2f}", y), fmt::format("{:.2f}", density.mean),
               fmt::format("{:.2f}", density.variance), fmt::format("{:.2f}", density.nll)});
  };
  for (std::size_t p = 0; p < example.points.size(); ++p) {
    add(fmt::format("x = {}", example.x[p]), example.y[p], example.points[p]);
  }
  add("mix", example.target, example.mix);
  add("probmix", example.target, example.probmix);
  add("probmix, linear", example.target, example.probmix_linear);
  return fmt::format(
             "A perfect model of y = x³ + (½x² + 1) ε, and the density each method asks to "
             "explain\n"
             "the fused target of two observations (λ = {}):\n\n",
             example.lambda) +
         text_table(table);
}

}  // namespace

void add_illustration(CLI::App& reproduce) {
  CLI::App* const command =
      reproduce.add_subcommand("illustration", "Mixup and ProbMix on two observations");
  command->footer("Example:\n  probmix reproduce illustration --lambda 0.5");
  struct Options {
    double lambda = 0.8;
    bool json = false;
  };
  const auto options = std::make_shared<Options>();
  add_number(*command, "--lambda", options->lambda, "The mixing coefficient, from 0 to 1");
  add_flag(*command, "--json", options->json, "Print a JSON object");
  command->callback([options] {
    const Illustration example = illustrate(options->lambda);
    print(options->json ? to_json(example).dump(2) + "\n" : to_text(example));
  });
}

}  // namespace probmix::app
