#include "probmix/model/describe.hpp"

#include <gtest/gtest.h>

#include "probmix/base/error.hpp"
#include "support/message.hpp"

namespace probmix::test {
namespace {

Inputs example_inputs() {
  return Inputs({{"rooms", NumberInput{2.5, 1.5, true, true}},
                 {"town", CategoryInput{{"Gent", "Ypres"}, true, false}},
                 {"sold", DateInput{1.6e9, 3e6, true, true, false, true}}});
}

Target example_target() {
  return {.names = {"price", "area"},
          .family = "gaussian",
          .options = {.responses = 2,
                      .homoscedastic = true,
                      .positive = {Positive::Kind::softplus, 1e-3}},
          .shift = {1.5, 2},
          .scale = {0.5, 3}};
}

Target mixture_target() {
  return {.names = {"price"},
          .family = "gaussian-mixture",
          .options = {.components = 5},
          .shift = {1},
          .scale = {2}};
}

Target class_target() {
  return {.names = {"kind"},
          .family = "categorical",
          .options = {.classes = 3},
          .shift = {0},
          .scale = {1},
          .classes = {"a", "b", "c"}};
}

std::vector<Architecture> architectures() {
  Architecture mlp;
  mlp.mlp = {.hidden = {7, 5}, .embedding_layer = 2, .activation = Activation::tanh};
  Architecture lstm{.kind = ArchitectureKind::lstm};
  lstm.lstm = {.layers = 2, .hidden = 9, .dropout = 0.25, .forget_bias = 0.5};
  lstm.head = {.embedding = 11, .hidden = {}, .activation = Activation::gelu};
  Architecture transformer{.kind = ArchitectureKind::transformer};
  transformer.transformer = {.width = 8,
                             .heads = 4,
                             .encoder_layers = 1,
                             .decoder_layers = 0,
                             .feedforward = 6,
                             .dropout = 0.1,
                             .activation = Activation::gelu};
  transformer.head.hidden = {3};
  Architecture dropping = mlp;
  dropping.mlp.dropout = 0.2;
  return {mlp, dropping, lstm, transformer};
}

Inputs inputs_from(const Json& columns) {
  const Json model = {{"inputs", columns}};
  return read_inputs({model, "m"});
}

TEST(Describe, InputsComeBack) {
  const Json json = describe(example_inputs());
  const Inputs read = inputs_from(json);
  EXPECT_EQ(describe(read), json);
  EXPECT_EQ(read.names(), example_inputs().names());
}

TEST(Describe, TargetsComeBack) {
  for (const Target& target : {example_target(), class_target(), mixture_target()}) {
    const Json json = describe(target);
    const Target read = read_target({json, "m"});
    EXPECT_EQ(describe(read), json);
    EXPECT_EQ(read.options.responses, target.options.responses);
    EXPECT_EQ(read.options.classes, target.options.classes);
  }
}

TEST(Describe, ArchitecturesComeBack) {
  for (const Architecture& architecture : architectures()) {
    const Json json = describe(architecture);
    EXPECT_EQ(describe(read_architecture({json, "m"})), json);
  }
}

// Calls read(json) with each value in turn removed or replaced: it throws an Error of one line, or
// succeeds.
template <class Read>
void expect_safe(const Json& good, const Read& read) {
  EXPECT_NO_THROW(read(good));
  const std::vector<Json> wrong = {nullptr,
                                   true,
                                   -1,
                                   0,
                                   1e300,
                                   1.5,
                                   "",
                                   "x",
                                   Json::array(),
                                   Json::object(),
                                   Json::array({1, "x"}),
                                   18446744073709551615ULL,
                                   Json::array({-5}),
                                   Json::array({1e308})};
  for (const auto& [key, value] : good.items()) {
    Json without = good;
    without.erase(key);
    // Older models have no limits, and an mlp without dropout does not mention it.
    const bool is_mlp = good.value("arch", "") == "mlp";
    if (key != "low" && key != "least" && !(is_mlp && key == "dropout")) {
      const std::string message = message_of<Error>([&] { read(without); });
      EXPECT_NE(message.find("'" + key + "' is missing"), std::string::npos) << message;
    }
    for (const Json& bad : wrong) {
      Json changed = good;
      changed[key] = bad;
      try {
        read(changed);
      } catch (const Error& error) {
        EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
      }
    }
  }
}

TEST(Describe, WhatIsReadIsChecked) {
  for (const Json& column : describe(example_inputs())) {
    expect_safe(column, [](const Json& json) { inputs_from(Json::array({json})); });
  }
  for (const Target& target : {example_target(), class_target()}) {
    expect_safe(describe(target), [](const Json& json) { read_target({json, "m"}); });
  }
  for (const Architecture& architecture : architectures()) {
    expect_safe(describe(architecture), [](const Json& json) { read_architecture({json, "m"}); });
  }
}

TEST(Describe, ErrorsNameThePlace) {
  Json columns = describe(example_inputs());
  columns[1]["levels"] = {"a", "a"};
  EXPECT_EQ(message_of<Error>([&] { inputs_from(columns); }),
            "m, inputs 2: level 'a' appears twice");
  columns = describe(example_inputs());
  columns[0]["scale"] = 0;
  EXPECT_EQ(message_of<Error>([&] { inputs_from(columns); }).substr(0, 40),
            "m, inputs 1: 'scale' must be a number fr");
  columns[0]["kind"] = "colour";
  EXPECT_EQ(
      message_of<Error>([&] { inputs_from(columns); }),
      "m, inputs 1: 'kind' must be one of number, date, category, but it is '\\\"colour\\\"'");
  EXPECT_EQ(message_of<Error>([&] { inputs_from(Json::array()); }), "m: there are no inputs");
  Json target = describe(class_target());
  target["classes"] = {"a"};
  EXPECT_EQ(message_of<Error>([&] {
              read_target({target, "m"});
            }),
            "m: 1 classes do not fit the categorical family");
}

}  // namespace
}  // namespace probmix::test
