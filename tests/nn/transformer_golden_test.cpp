// Transformers, outputs and all gradients, against PyTorch:
// tests/golden/make_transformer_golden.py.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "nn/trial.hpp"
#include "probmix/nn/transformer.hpp"
#include "support/golden.hpp"

namespace probmix::test {
namespace {

using nlohmann::json;

template <class Real>
void expect_golden(const json& entry, double tolerance) {
  const TransformerOptions options{
      .width = entry.at("width"),
      .heads = entry.at("heads"),
      .encoder_layers = entry.at("encoder_layers"),
      .decoder_layers = entry.at("decoder_layers"),
      .feedforward = entry.at("feedforward"),
      .activation = golden_choice<Activation>(entry, "activation", activation_names)};
  const Index steps = entry.at("steps");
  std::shared_ptr<Layer<Real>> layer;
  if (options.decoder_layers > 0) {
    layer = std::make_shared<Transformer<Real>>(options, steps);
  } else {
    layer = std::make_shared<TransformerEncoder<Real>>(options, steps, entry.at("last_norm"));
  }
  Trial<Real> run(layer, entry.at("rows"));
  const auto take = [&](const char* key, Real* to, std::size_t n) {
    ASSERT_EQ(entry.at(key).size(), n) << key;
    for (std::size_t k = 0; k < n; ++k) to[k] = entry.at(key).at(k).get<Real>();
  };
  take("parameters", run.parameters.data(), run.parameters.size());
  take("x", run.x.data(), run.dx.size());
  take("c", run.dy.data(), run.dx.size());
  run.forward();
  run.backward();
  const auto compare = [&](const char* key, const Real* got, std::size_t n) {
    ASSERT_EQ(entry.at(key).size(), n) << key;
    for (std::size_t k = 0; k < n; ++k) {
      const double expected = entry.at(key).at(k);
      EXPECT_NEAR(got[k], expected, tolerance * std::max(1.0, std::abs(expected)))
          << key << " " << k;
    }
  };
  compare("y", run.y.data(), run.dx.size());
  compare("dx", run.dx.data(), run.dx.size());
  compare("gradient", run.gradient.data(), run.gradient.size());
}

TEST(Transformer, AgreesWithPytorch) {
  const json document = read_golden("transformer_golden.json");
  ASSERT_EQ(document.at("cases").size(), 5U);
  for (const json& entry : document.at("cases")) {
    expect_golden<double>(entry, 1e-11);  // the same mathematics, a hundred operations deep
    expect_golden<float>(entry, 1e-4);
  }
}

}  // namespace
}  // namespace probmix::test
