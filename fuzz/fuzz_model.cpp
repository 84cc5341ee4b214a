// An arbitrary model file: if it can be read, it must also predict and be written again.
#include <cstdint>
#include <string>

#include "probmix/base/error.hpp"
#include "probmix/model/checkpoint.hpp"
#include "probmix/model/model_predictor.hpp"

using namespace probmix;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    parse_checkpoint(bytes, "checkpoint", Json::object());
  } catch (const Error&) {
  }
  try {
    const Model model = parse_model(bytes, "model");
    if (model.members > 50) return 0;
    to_file(model);
    ModelPredictor predict(model, 1);
    const Matrix<float> x(1, model.series.window * model.inputs.width());
    predict.outputs(x.view());
    const Predictive density = predict.density(0);
    if (model.target.has_classes()) {
      density.probabilities();
    } else {
      density.quantile(0, 0.5);
    }
  } catch (const Error&) {
  }
  return 0;
}
