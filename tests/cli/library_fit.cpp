// Fits a model through the library, for the test that compares it with the command line:
//   library_fit TABLE MODEL ARCHITECTURE METHOD
#include <string>

#include "probmix/probmix.hpp"

int main(int count, char** arguments) {
  using namespace probmix;
  if (count != 5) return 2;
  FitOptions options;
  options.targets = {"rides"};
  options.train.epochs = 1;
  options.ensemble = 2;
  options.method = find_method(arguments[4]);
  const std::string architecture = arguments[3];
  if (architecture != "table") {
    options.series = {.window = 5, .horizon = 1, .time = "date"};
    options.architecture.kind = static_cast<ArchitectureKind>(
        check_choice("architecture", architecture, architecture_names));
  }
  save_model(fit_model(read_frame(arguments[1]), options), arguments[2]);
}
