#include "probmix/model/model.hpp"

#include <gtest/gtest.h>

#include "model/model_support.hpp"
#include "probmix/model/model_predictor.hpp"
#include "probmix/model/safetensors.hpp"
#include "support/message.hpp"
#include "support/temporary.hpp"

namespace probmix::test {
namespace {

class ModelFile : public InTemporaryDirectory {};

// With the description changed by edit(json).
template <class Edit>
std::string edited(const std::string& bytes, const Edit& edit) {
  TensorFile file = parse_safetensors(bytes, "m");
  Json json = parse_own_json(file.metadata.at("probmix"));
  edit(json);
  file.metadata["probmix"] = exact_json_text(json);
  return to_safetensors(file);
}

std::string fault_of(const std::string& bytes) {
  return message_of<Error>([&] { parse_model(bytes, "m.safetensors"); });
}

TEST_F(ModelFile, ComesBackAsItWas) {
  for (const Method& method : methods) {
    SCOPED_TRACE(method.name);
    FitOptions options = quick();
    options.method = method;
    options.train.epochs = 2;
    const Model model = fitted(houses(), options);
    const std::filesystem::path path = directory / "m.safetensors";
    save_model(model, path);
    const Model read_back = load_model(path);
    EXPECT_EQ(to_file(read_back), to_file(model));
    EXPECT_EQ(read_back.groups.front().networks, model.groups.front().networks);
    EXPECT_EQ(read_back.groups.front().method.name, model.groups.front().method.name);
    EXPECT_EQ(read_back.seed, model.seed);
    EXPECT_EQ(has_dropout(read_back.groups.front().architecture), method.drops);
    const Frame frame = houses(4, 2);
    const auto expected = predict(model, frame), found = predict(read_back, frame);
    for (std::size_t r = 0; r < found.size(); ++r) {
      EXPECT_EQ(found[r].mean(0), expected[r].mean(0));
    }
  }
}

TEST_F(ModelFile, OfOtherFamiliesAndNetworksComesBackToo) {
  FitOptions classes = quick({"town"});
  FitOptions several = quick({"y", "x"});
  FitOptions series = quick();
  series.series = {.window = 4, .horizon = 2};
  series.architecture.kind = ArchitectureKind::lstm;
  FitOptions attention = series;
  attention.architecture.kind = ArchitectureKind::transformer;
  FitOptions embedded = quick();
  embedded.embed_from = 2;
  FitOptions embedded_series = series;
  embedded_series.embed_from = 2;
  FitOptions encoded = embedded;
  encoded.encode = Encode::ple;
  FitOptions ensemble = encoded;
  ensemble.ensemble = 3;
  ensemble.family = "student-t";
  ensemble.mix.pooling = Pooling::linear;
  for (FitOptions options :
       {classes, several, series, attention, embedded, embedded_series, encoded, ensemble}) {
    options.train.epochs = 1;
    const Model model = fitted(houses(60), options);
    EXPECT_EQ(to_file(parse_model(to_file(model), "m")), to_file(model));
  }
}

TEST_F(ModelFile, ChecksItsMarginalDensity) {
  FitOptions options = quick();
  options.preset = Preset::standard;
  options.train.epochs = 2;
  const std::string good = to_file(fitted(houses(), options));
  ASSERT_EQ(fault_of(good), "no error");
  const auto with = [&](const auto& edit) {
    return fault_of(edited(good, [&](Json& j) { edit(j["marginal"]); }));
  };
  EXPECT_NE(with([](Json& m) { m["weight"] = 1; }).find("between 0 and 1, not 1"),
            std::string::npos);
  EXPECT_NE(with([](Json& m) { m["weight"] = 0; }).find("between 0 and 1, not 0"),
            std::string::npos);
  EXPECT_NE(with([](Json& m) { m["weight"] = -0.1; }).find("weight"), std::string::npos);
  EXPECT_NE(with([](Json& m) { m["outputs"] = {1, 1e9}; }).find("out of range"), std::string::npos);
  EXPECT_NE(with([](Json& m) { m["outputs"].push_back(0); }).find("the family needs"),
            std::string::npos);
  EXPECT_NE(with([](Json& m) { m = 3; }).find("marginal"), std::string::npos);
}

TEST_F(ModelFile, ChecksItsOutputLimits) {
  Model model = fitted(houses(), quick());
  const std::string good = to_file(model);
  EXPECT_EQ(parse_model(good, "m").groups.front().networks, model.groups.front().networks);
  EXPECT_NE(fault_of(edited(good, [](Json& j) { j["groups"][0]["output-limits"] = false; }))
                .find("tensors, but its description names"),
            std::string::npos);
  OutputLimits& limits = model.groups.front().networks.front().limits;
  ASSERT_EQ(limits.size(), 4u);
  std::swap(limits[1], limits[3]);
  EXPECT_NE(fault_of(to_file(model)).find("the limits of output 2 are"), std::string::npos);
  limits = {};
  EXPECT_TRUE(parse_model(to_file(model), "m").groups.front().networks.front().limits.empty());
}

TEST_F(ModelFile, DamageIsOneClearLine) {
  const std::string good = to_file(fitted(houses(), quick()));
  EXPECT_EQ(fault_of(""),
            "'m.safetensors' is not a readable model: it is shorter than 8 bytes; fetch or train "
            "it again");
  EXPECT_EQ(
      fault_of(good.substr(0, good.size() / 2)).find("not a readable model") == std::string::npos,
      false);
  EXPECT_EQ(
      fault_of(to_safetensors({})),
      "'m.safetensors' is a safetensors file, but not a probmix model: it has no description");
  const auto with = [&](const auto& edit) { return fault_of(edited(good, edit)); };
  EXPECT_EQ(with([](Json& j) { j["version"] = 8; }),
            "'m.safetensors' was written by a newer probmix (format 8, this one reads up to 7); "
            "update probmix");
  EXPECT_EQ(with([](Json& j) { j["format"] = "probmix checkpoint"; }),
            "'m.safetensors' holds 'probmix checkpoint', not a model");
  EXPECT_NE(with([](Json& j) {
              j["groups"][0]["network"]["hidden"] = {16, 9};
            }).find("shape or type"),
            std::string::npos);
  EXPECT_NE(with([](Json& j) {
              j["groups"][0]["network"]["hidden"] = {16, 8, 8};
            }).find("tensors"),
            std::string::npos);
  EXPECT_NE(with([](Json& j) { j["inputs"].erase(0); }).find("shape or type"), std::string::npos);
  EXPECT_NE(with([](Json& j) { j["groups"][0]["method"] = "best"; }).find("method"),
            std::string::npos);
  EXPECT_NE(with([](Json& j) { j["training"] = 3; }).find("training"), std::string::npos);
  EXPECT_NE(with([](Json& j) { j.erase("series"); }).find("series"), std::string::npos);
  EXPECT_NE(with([](Json& j) { j["series"]["window"] = 1 << 19; }), "no error");
  TensorFile file = parse_safetensors(good, "m");
  std::get<std::vector<float>>(file.tensors[1].values)[0] = NAN;
  EXPECT_NE(fault_of(to_safetensors(file)).find("not finite"), std::string::npos);
}

// Any truncated or altered file is either refused or read, and nothing worse.
TEST_F(ModelFile, NoDamageIsFatal) {
  FitOptions options = quick();
  options.train.epochs = 1;
  options.architecture.mlp.hidden = {4};
  const std::string good = to_file(fitted(houses(40), options));
  const auto try_it = [](const std::string& bytes) {
    try {
      parse_model(bytes, "m");
    } catch (const Error& error) {
      EXPECT_EQ(std::string_view(error.what()).find('\n'), std::string_view::npos);
    }
  };
  for (std::size_t size = 0; size < good.size(); size += 7) try_it(good.substr(0, size));
  Stream stream(3, Purpose::test);
  for (int k = 0; k < 2000; ++k) {
    std::string bytes = good;
    bytes[stream.below(static_cast<std::uint32_t>(bytes.size()))] =
        static_cast<char>(stream.below(256));
    try_it(bytes);
  }
}

TEST_F(ModelFile, NamesThatAreNotTextAreRefused) {
  const Frame frame = parse_frame("x,\xff\n1,2\n2,3\n3,5\n4,4\n5,9\n6,1\n", "t.csv");
  FitOptions options = quick({"x"});
  options.train.epochs = 1;
  EXPECT_EQ(message_of<Error>([&] { fitted(frame, options); }),
            "t.csv: the name of column '\\xff' is not UTF-8; save the table in UTF-8");
  Model model = fitted(houses(), quick());
  model.target.names = {"\xff"};
  EXPECT_EQ(message_of<Error>([&] { to_file(model); }),
            "a column or category has a name that is not UTF-8; save the table in UTF-8");
}

// A class is a position in a list: shifted or scaled, a sample would lie outside it.
TEST_F(ModelFile, ClassesAreNeitherShiftedNorScaled) {
  FitOptions options = quick({"town"});
  options.train.epochs = 1;
  const std::string good = to_file(fitted(houses(60), options));
  for (const char* const key : {"shift", "scale"}) {
    const std::string bad = edited(good, [&](Json& json) { json["target"][key] = {5}; });
    EXPECT_NE(fault_of(bad).find("classes have a shift of 0 and a scale of 1"), std::string::npos)
        << fault_of(bad);
  }
}

}  // namespace
}  // namespace probmix::test
