// Train a model on a table, save it, load it, and ask it about new rows.
#include <fmt/format.h>

#include <cmath>
#include <probmix/probmix.hpp>

using namespace probmix;

// y = sin(3x), with noise that grows with x.
Frame rides(Index rows, std::uint64_t seed) {
  Stream stream(seed, Purpose::data);
  std::vector<double> x, y;
  for (Index r = 0; r < rows; ++r) {
    x.push_back(2 * stream.uniform());
    y.push_back(std::sin(3 * x.back()) + 0.2 * x.back() * stream.normal());
  }
  return make_frame({{"x", std::move(x)}, {"y", std::move(y)}});
}

int main() {
  try {
    FitOptions options;
    options.targets = {"y"};
    options.method = find_method("m-probmix");
    save_model(fit_model(rides(500, 1), options), "rides.safetensors");

    const Model model = load_model("rides.safetensors");
    const Frame asked = make_frame({{"x", {0.2, 1.0, 1.8}}});
    for (const Predictive& density : predict(model, asked)) {
      fmt::print("{:6.3f} ± {:.3f}, 90 % between {:6.3f} and {:6.3f}\n", density.mean(0),
                 density.deviation(0), density.quantile(0, 0.05), density.quantile(0, 0.95));
    }
  } catch (const Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
