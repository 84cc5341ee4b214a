// An arbitrary line of a results file, and an arbitrary description of a model's parts.
#include <cstdint>
#include <string>

#include "probmix/base/error.hpp"
#include "probmix/base/json_object.hpp"
#include "probmix/model/describe.hpp"
#include "probmix/sweep/run_record.hpp"

using namespace probmix;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  parse_run(text, true);
  parse_run(text, false);
  Json json;
  if (parse_json(text, json) != JsonFault::none || !json.is_object()) return 0;
  const auto attempt = [&](const auto& read) {
    try {
      read(JsonObject(json, "model"));
    } catch (const Error&) {
    }
  };
  attempt([](const JsonObject& object) { read_inputs(object); });
  attempt([](const JsonObject& object) { read_target(object); });
  attempt([](const JsonObject& object) { read_architecture(object); });
  return 0;
}
