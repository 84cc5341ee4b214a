#include "probmix/model/model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "probmix/base/atomic_file.hpp"
#include "probmix/base/error.hpp"
#include "probmix/base/printable.hpp"
#include "probmix/data/byte_source.hpp"
#include "probmix/model/describe.hpp"
#include "probmix/model/safetensors.hpp"
#include "probmix/nn/limits.hpp"
#include "probmix/train/predictor.hpp"

namespace probmix {
namespace {

constexpr std::string_view description_key = "probmix";
constexpr std::string_view format_name = "probmix model";
constexpr int format_version = 4;  // 3: with a checksum; 4: several networks
constexpr std::size_t largest_description = std::size_t{2} << 20;  // a quarter of a header

Json describe(const SeriesShape& shape) {
  return {{"window", shape.window},
          {"horizon", shape.horizon},
          {"time", shape.time},
          {"group", shape.group}};
}

SeriesShape read_shape(const JsonObject& json) {
  return {.window = json.integer("window", 1, SeriesShape::longest),
          .horizon = json.integer("horizon", 0, SeriesShape::longest),
          .time = json.text("time"),
          .group = json.text("group")};
}

// Checks that the description is of a model, in a format that this version reads.
void check_format(const JsonObject& json, const std::string& file) {
  check(json.text("format") == format_name, "'{}' holds {}, not a model", file,
        in_quotes(json.text("format")));
  const long long version = json.integer("version", 1, std::numeric_limits<int>::max());
  check(version <= format_version,
        "'{}' was written by a newer probmix (format {}, this one reads up to {}); update probmix",
        file, version, format_version);
}

// Fills in what files of format 1 lack: their random embeddings have linear means.
void complete_old_description(Json& description) {
  if (!description.is_object() || description.value("version", Json()) != 1) return;
  const auto network = description.find("network");
  if (network == description.end() || !network->is_object()) return;
  const Json method = description.value("method", Json());
  const bool is_random = method.is_string() && method.get_ref<const std::string&>().find(
                                                   "m-probmix") != std::string::npos;
  const bool is_linear = is_random || network->value("arch", Json()) != "mlp";
  const auto mean = is_linear ? EmbeddingMean::linear : EmbeddingMean::activated;
  (*network)["embedding-mean"] = embedding_mean_names[static_cast<std::size_t>(mean)];
}

}  // namespace

Network<float> Model::network() const {
  return make_network<float>(architecture, method.embedding, series.window, inputs.width(),
                             target.make());
}

Json description_of(const Model& model) {
  return {{"format", format_name},
          {"version", format_version},
          {"made-by", model.made_by},
          {"target", describe(model.target)},
          {"method", model.method.name},
          {"networks", model.networks.size()},
          {"members", model.members},
          {"seed", model.seed},
          {"series", describe(model.series)},
          {"network", describe(model.architecture)},
          {"inputs", describe(model.inputs)},
          {"training", model.training}};
}

std::string description_text(const Model& model) {
  std::string text;
  try {
    text = description_of(model).dump();  // names stay unaltered, so that a model finds its columns
  } catch (const Json::exception&) {
    throw Error("a column or category has a name that is not UTF-8; save the table in UTF-8");
  }
  check(text.size() <= largest_description,
        "the names of columns and categories take {} bytes, over a model's limit of {}; leave out "
        "columns of long texts",
        text.size(), largest_description);
  return text;
}

namespace {

// The name of a tensor in a file: as in the network or, in an ensemble, after the network's number.
std::string tensor_name(const Model& model, std::size_t network, const Parameter& parameter) {
  return model.networks.size() == 1 ? parameter.name
                                    : fmt::format("{}/{}", network + 1, parameter.name);
}

}  // namespace

std::string to_file(const Model& model) {
  TensorFile file{.metadata = {{std::string(description_key), description_text(model)}}};
  const Network<float> network = model.network();
  for (std::size_t k = 0; k < model.networks.size(); ++k) {
    const AlignedVector<float>& parameters = model.networks[k];
    check(std::ssize(parameters) == network.parameters().size(),
          "the network has {} parameters, but the model holds {}", network.parameters().size(),
          parameters.size());
    for (const Parameter& parameter : network.parameters().entries()) {
      const auto first = parameters.begin() + parameter.offset;
      file.tensors.push_back({.name = tensor_name(model, k, parameter),
                              .shape = parameter.shape,
                              .values = std::vector<float>(first, first + parameter.size())});
    }
  }
  return to_safetensors(file);
}

namespace {

// The model without its parameters.
Model parse_description(const Metadata& metadata, const std::string& name, bool has_digest,
                        std::shared_ptr<const AnyDensity> custom) {
  const auto found = metadata.find(std::string(description_key));
  check(found != metadata.end(),
        "'{}' is a safetensors file, but not a probmix model: it has no description", name);
  Json description;
  check(parse_json(found->second, description) == JsonFault::none,
        "'{}': its description is not valid JSON; fetch or train it again", name);
  complete_old_description(description);
  const JsonObject json(description, fmt::format("'{}'", name));
  check_format(json, name);
  check(has_digest || json.integer("version", 1, format_version) < 3,
        "'{}' is damaged: it lacks its checksum; fetch or train it again", name);
  Model model{.inputs = read_inputs(json),
              .target = read_target(json.object("target"), std::move(custom)),
              .series = read_shape(json.object("series")),
              .architecture = read_architecture(json.object("network")),
              .method = methods[json.choice("method", method_names)],
              .members = json.integer("members", 0, most_members),
              .seed = static_cast<std::uint64_t>(
                  json.integer("seed", 0, std::numeric_limits<long long>::max())),
              .training = Json::object(),
              .made_by = json.text("made-by")};
  model.architecture.encoded = model.inputs.encoded();
  model.networks.resize(
      to_size(json.has("networks") ? json.integer("networks", 1, limits::networks) : 1));
  json.object("training");  // throws unless it is an object
  model.training = description.at("training");
  return model;
}

Model parse_checked(std::string_view bytes, const std::string& name,
                    std::shared_ptr<const AnyDensity> custom) {
  const TensorFile file = parse_safetensors(bytes, name);
  Model model = parse_description(file.metadata, name, file.has_digest, std::move(custom));
  const Network<float> network = model.network();
  const auto parameters = network.parameters().entries();
  check(file.tensors.size() == model.networks.size() * parameters.size(),
        "'{}' has {} tensors, but its description names {}; fetch or train it again", name,
        file.tensors.size(), model.networks.size() * parameters.size());
  const auto values_of = [&](std::size_t k, const Parameter& parameter) -> const auto& {
    return file.values<float>(tensor_name(model, k, parameter), parameter.shape);
  };
  for (std::size_t k = 0; k < model.networks.size(); ++k) {
    for (const Parameter& parameter : parameters)
      values_of(k, parameter);  // throws if it is absent
  }
  for (std::size_t k = 0; k < model.networks.size(); ++k) {
    AlignedVector<float>& all = model.networks[k];
    all.resize(to_size(network.parameters().size()));  // at most what the file holds
    for (const Parameter& parameter : parameters) {
      const std::vector<float>& values = values_of(k, parameter);
      check(std::ranges::all_of(values, [](float value) { return std::isfinite(value); }),
            "'{}': tensor {} has numbers that are not finite; fetch or train it again", name,
            in_quotes(tensor_name(model, k, parameter)));
      std::ranges::copy(values, all.begin() + parameter.offset);
    }
  }
  return model;
}

// What read() returns; a UsageError it throws is a fault of the file, not of who reads it.
template <class Read>
auto reading(const std::string& name, const Read& read) {
  try {
    return read();
  } catch (const UsageError& error) {
    throw Error(fmt::format("'{}': {}; fetch or train it again", name, error.what()));
  }
}

}  // namespace

Model parse_model(std::string_view bytes, const std::string& name,
                  std::shared_ptr<const AnyDensity> custom) {
  return reading(name, [&] { return parse_checked(bytes, name, custom); });
}

void save_model(const Model& model, const std::filesystem::path& path) {
  const std::string bytes = to_file(model);
  parse_model(bytes, printable(path.string()), model.target.options.custom);  // as its readers will
  write_file_atomically(path, bytes);
}

Model load_model(const std::string& path, std::shared_ptr<const AnyDensity> custom) {
  const auto accept = [&](const Metadata& metadata, std::size_t bytes) {
    reading(path, [&] {
      const Model model = parse_description(metadata, path, metadata.contains("digest"), custom);
      const std::size_t expected =
          model.networks.size() * to_size(model.network().parameters().size()) * sizeof(float);
      check(bytes <= expected,
            "'{}' has {} bytes of numbers, but its description names {}; fetch or train it again",
            path, bytes, expected);
    });
  };
  const std::string bytes = read_safetensors(*open_source(path), accept);
  return parse_model(bytes, path, custom);
}

}  // namespace probmix
