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
// 3: with a checksum; 4: several networks; 5: in groups, which may differ; 6: with a marginal
// density; 7: with limits of the outputs
constexpr int format_version = 7;
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

Index Model::networks() const {
  Index sum = 0;
  for (const NetworkGroup& group : groups) sum += std::ssize(group.networks);
  return sum;
}

Index Model::densities() const {
  Index sum = 0;
  for (const NetworkGroup& group : groups) {
    sum += std::ssize(group.networks) *
           (group.method.predicts_by_draws() ? std::max<Index>(1, members) : 1);
  }
  return sum;
}

Network<float> Model::network(const NetworkGroup& group) const {
  return make_network<float>(group.architecture, group.method.embedding, series.window,
                             inputs.width(), target.make());
}

namespace {

bool has_output_limits(const NetworkGroup& group) {
  return !group.networks.empty() && !group.networks.front().limits.empty();
}

Json describe(const NetworkGroup& group) {
  return {{"method", group.method.name},
          {"weight", group.weight},
          {"networks", group.networks.size()},
          {"encoded", !group.architecture.encoded.empty()},
          {"output-limits", has_output_limits(group)},
          {"network", probmix::describe(group.architecture)}};
}

// Without parameters; limits have their size, but not their values.
NetworkGroup read_group(const JsonObject& json, const Inputs& inputs, Index outputs) {
  NetworkGroup group{.architecture = read_architecture(json.object("network")),
                     .method = methods[json.choice("method", method_names)]};
  // Files of format 4 and before have one group, which encodes what has knots.
  if (json.has("weight")) group.weight = json.number("weight", 0, 1);
  if (!json.has("encoded") || json.flag("encoded")) group.architecture.encoded = inputs.encoded();
  group.networks.resize(
      to_size(json.has("networks") ? json.integer("networks", 1, limits::networks) : 1));
  if (json.has("output-limits") && json.flag("output-limits")) {
    for (TrainedNetwork& network : group.networks) network.limits.resize(to_size(2 * outputs));
  }
  return group;
}

std::vector<NetworkGroup> read_groups(const JsonObject& json, const Inputs& inputs, Index outputs) {
  if (!json.has("groups")) return {read_group(json, inputs, outputs)};
  std::vector<NetworkGroup> groups;
  double sum = 0;
  for (const JsonObject& group : json.objects("groups")) {
    groups.push_back(read_group(group, inputs, outputs));
    sum += groups.back().weight;
    check(groups.back().weight > 0, "{}: weight must be greater than 0", group.where());
  }
  check(groups.size() >= 1 && groups.size() <= limits::groups,
        "{}: there must be 1 to {} groups of networks, not {}", json.where(), limits::groups,
        groups.size());
  check(std::abs(sum - 1) < 1e-9, "{}: the weights of its groups sum to {}, not to 1", json.where(),
        sum);
  return groups;
}

Index outputs_of(const Target& target) {
  return std::visit([](const auto& f) { return Index{f.outputs()}; }, target.make());
}

// The outputs of a density, as a network would give them.
std::vector<float> read_outputs(const JsonObject& json, std::string_view key,
                                const Target& target) {
  constexpr double largest = 1e6;
  std::vector<float> outputs;
  for (const double value : json.numbers(key)) {
    check(std::abs(value) <= largest, "{}: an output is {}, out of range", json.where(), value);
    outputs.push_back(static_cast<float>(value));
  }
  const Index needed = outputs_of(target);
  check(std::ssize(outputs) == needed, "{}: it has {} outputs, but the family needs {}",
        json.where(), outputs.size(), needed);
  return outputs;
}

MarginalShare read_marginal(const JsonObject& json, const Target& target) {
  MarginalShare marginal{.weight = json.number("weight", 0, 1)};
  check(marginal.weight > 0 && marginal.weight < 1, "{}: weight must be between 0 and 1, not {}",
        json.where(), marginal.weight);
  marginal.outputs = read_outputs(json, "outputs", target);
  return marginal;
}

Baseline read_baseline(const JsonObject& json, const Inputs& inputs, const Target& target) {
  Baseline baseline{.marginal = read_outputs(json, "marginal", target)};
  if (!json.has("linear")) return baseline;
  baseline.linear = read_group(json.object("linear"), inputs, outputs_of(target));
  check(baseline.linear.networks.size() == 1, "{}: a baseline has one network, not {}",
        json.where(), baseline.linear.networks.size());
  check(!baseline.linear.method.predicts_by_draws(),
        "{}: a baseline predicts one density, not draws", json.where());
  return baseline;
}

}  // namespace

Json description_of(const Model& model) {
  Json groups = Json::array();
  for (const NetworkGroup& group : model.groups) groups.push_back(describe(group));
  Json json = {{"format", format_name},
               {"version", format_version},
               {"made-by", model.made_by},
               {"target", describe(model.target)},
               {"members", model.members},
               {"seed", model.seed},
               {"series", describe(model.series)},
               {"groups", std::move(groups)},
               {"inputs", describe(model.inputs)},
               {"training", model.training}};
  if (!model.marginal.outputs.empty()) {
    json["marginal"] = {{"weight", model.marginal.weight}, {"outputs", model.marginal.outputs}};
  }
  if (!model.baseline.marginal.empty()) {
    json["baseline"] = {{"marginal", model.baseline.marginal}};
    if (!model.baseline.linear.networks.empty()) {
      json["baseline"]["linear"] = describe(model.baseline.linear);
    }
  }
  return json;
}

std::string description_text(const Model& model) {
  std::string text;
  try {
    text =
        exact_json_text(description_of(model));  // a model finds its columns by their exact names
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

// A tensor of a model file: part of a vector of its model.
template <class Vector>
struct ModelTensor {
  std::string name;
  std::vector<Index> shape;
  Vector& whole;
  Index whole_size;
  Index first;
  Index size;
};

constexpr std::string_view limits_name = "output-limits";

// Their names are those in the network after a prefix.
template <class Trained, class Use>
void for_each_tensor_of(const Network<float>& network, Trained& trained, const std::string& prefix,
                        const Use& use) {
  const ParameterTable& table = network.parameters();
  using Tensor = ModelTensor<std::remove_reference_t<decltype((trained.parameters))>>;
  for (const Parameter& parameter : table.entries()) {
    use(Tensor{prefix + parameter.name, parameter.shape, trained.parameters, table.size(),
               parameter.offset, parameter.size()});
  }
  if (trained.limits.empty()) return;
  const Index size = std::ssize(trained.limits);
  use(Tensor{
      fmt::format("{}{}", prefix, limits_name), {2, size / 2}, trained.limits, size, 0, size});
}

// Calls use(tensor) for all tensors of a model, in the order of its file.
template <class AnyModel, class Use>
void for_each_tensor(AnyModel& model, const Use& use) {
  Index number = 0;
  for (auto& group : model.groups) {
    const Network<float> network = model.network(group);
    for (auto& trained : group.networks) {
      ++number;
      const std::string prefix = model.networks() == 1 ? "" : fmt::format("{}/", number);
      for_each_tensor_of(network, trained, prefix, use);
    }
  }
  for (auto& trained : model.baseline.linear.networks) {
    for_each_tensor_of(model.network(model.baseline.linear), trained, "baseline/", use);
  }
}

}  // namespace

std::string to_file(const Model& model) {
  TensorFile file{.metadata = {{std::string(description_key), description_text(model)}}};
  for_each_tensor(model, [&](const auto& tensor) {
    check(std::ssize(tensor.whole) == tensor.whole_size,
          "the network has {} parameters, but the model holds {}", tensor.whole_size,
          tensor.whole.size());
    const auto first = tensor.whole.begin() + tensor.first;
    file.tensors.push_back({.name = tensor.name,
                            .shape = tensor.shape,
                            .values = std::vector<float>(first, first + tensor.size)});
  });
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
  Model model;
  model.inputs = read_inputs(json);
  model.target = read_target(json.object("target"), std::move(custom));
  model.series = read_shape(json.object("series"));
  model.members = json.integer("members", 0, most_members);
  model.seed =
      static_cast<std::uint64_t>(json.integer("seed", 0, std::numeric_limits<long long>::max()));
  model.made_by = json.text("made-by");
  model.groups = read_groups(json, model.inputs, outputs_of(model.target));
  check(model.densities() <= limits::densities,
        "'{}' predicts {} densities for each row, over the limit of {}; train it again, with less "
        "of `ensemble` or `members`",
        name, model.densities(), limits::densities);
  if (json.has("marginal")) model.marginal = read_marginal(json.object("marginal"), model.target);
  if (json.has("baseline")) {
    model.baseline = read_baseline(json.object("baseline"), model.inputs, model.target);
  }
  json.object("training");  // throws unless it is an object
  model.training = description.at("training");
  return model;
}

// Also that of the baseline.
template <class Use>
void for_each_group(const Model& model, const Use& use) {
  for (const NetworkGroup& group : model.groups) use(group);
  use(model.baseline.linear);
}

void check_limits(const OutputLimits& limits, const std::string& name) {
  const std::size_t outputs = limits.size() / 2;
  for (std::size_t c = 0; c < outputs; ++c) {
    check(limits[c] <= limits[outputs + c],
          "'{}': the limits of output {} are {} and {}; fetch or train it again", name, c + 1,
          limits[c], limits[outputs + c]);
  }
}

Model parse_checked(std::string_view bytes, const std::string& name,
                    std::shared_ptr<const AnyDensity> custom) {
  const TensorFile file = parse_safetensors(bytes, name);
  Model model = parse_description(file.metadata, name, file.has_digest, std::move(custom));
  std::vector<std::pair<std::string, std::vector<Index>>> expected;  // names and shapes
  for_each_tensor(model,
                  [&](const auto& tensor) { expected.emplace_back(tensor.name, tensor.shape); });
  check(file.tensors.size() == expected.size(),
        "'{}' has {} tensors, but its description names {}; fetch or train it again", name,
        file.tensors.size(), expected.size());
  for (const auto& [tensor, shape] : expected) file.values<float>(tensor, shape);  // throws
  for_each_tensor(model, [&](const auto& tensor) {
    tensor.whole.resize(to_size(tensor.whole_size));  // at most what the file holds
    const std::vector<float>& values = file.values<float>(tensor.name, tensor.shape);
    check(std::ranges::all_of(values, [](float value) { return std::isfinite(value); }),
          "'{}': tensor {} has numbers that are not finite; fetch or train it again", name,
          in_quotes(tensor.name));
    std::ranges::copy(values, tensor.whole.begin() + tensor.first);
  });
  for_each_group(model, [&](const NetworkGroup& group) {
    for (const TrainedNetwork& network : group.networks) check_limits(network.limits, name);
  });
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
      std::size_t expected = 0;
      for_each_group(model, [&](const NetworkGroup& group) {
        if (group.networks.empty()) return;
        const std::size_t each = to_size(model.network(group).parameters().size()) +
                                 group.networks.front().limits.size();
        expected += group.networks.size() * each * sizeof(float);
      });
      check(bytes <= expected,
            "'{}' has {} bytes of numbers, but its description names {}; fetch or train it again",
            path, bytes, expected);
    });
  };
  const std::string bytes = read_safetensors(*open_source(path), accept);
  return parse_model(bytes, path, custom);
}

}  // namespace probmix
