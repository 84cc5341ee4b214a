#include "probmix/model/checkpoint.hpp"

#include <cmath>

#include "probmix/base/atomic_file.hpp"
#include "probmix/base/checked_line.hpp"
#include "probmix/base/error.hpp"
#include "probmix/base/json_object.hpp"
#include "probmix/base/printable.hpp"
#include "probmix/base/read_file.hpp"
#include "probmix/data/byte_source.hpp"
#include "probmix/model/safetensors.hpp"
#include "probmix/options/fit_options.hpp"

namespace probmix {
namespace {

constexpr std::string_view identity_key = "probmix checkpoint";

Tensor tensor_of(std::string name, const AlignedVector<float>& values) {
  return {.name = std::move(name),
          .shape = {std::ssize(values)},
          .values = std::vector<float>(values.begin(), values.end())};
}

AlignedVector<float> floats_of(const TensorFile& file, std::string_view name, Index size) {
  const std::vector<float>& values = file.values<float>(name, {size});
  return {values.begin(), values.end()};
}

Index size_of(const TensorFile& file, std::string_view name) {
  for (const Tensor& tensor : file.tensors) {
    if (tensor.name == name && !tensor.shape.empty()) return tensor.shape.front();
  }
  return 0;
}

[[noreturn]] void fail_damaged(const std::string& file) {
  throw Error(fmt::format("'{}' is a damaged checkpoint; remove it to start over", file));
}

// For messages: long text is cut, between two characters.
std::string short_text(const Json& value) {
  std::string text = json_text(value);
  std::size_t end = 200;
  if (text.size() <= end) return text;
  while ((static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80) --end;
  return text.substr(0, end) + "...";
}

void check_identity(const std::string& text, const std::string& file, const Json& identity) {
  Json found;
  if (parse_json(text, found) != JsonFault::none || !found.is_object()) fail_damaged(file);
  Json keys = found;
  keys.update(identity);
  for (const auto& [key, ignored] : keys.items()) {
    const Json there = found.value(key, Json());
    const Json here = identity.value(key, Json());
    if (there == here) continue;
    throw Error(fmt::format(
        "'{}' is a checkpoint of another training: {} is {} there and {} here; give the same data "
        "and options, or another directory",
        file, key == "data" ? "the fingerprint of the data" : in_quotes(key), short_text(there),
        short_text(here)));
  }
}

}  // namespace

std::string to_checkpoint(const TrainingState<float>& state, const Json& identity) {
  TensorFile file{.metadata = {{std::string(identity_key), json_text(identity)}}};
  file.tensors.push_back(tensor_of("parameters", state.parameters));
  if (!state.average.empty()) file.tensors.push_back(tensor_of("average", state.average));
  file.tensors.push_back(tensor_of("optimiser m", state.optimiser.m));
  file.tensors.push_back(tensor_of("optimiser v", state.optimiser.v));
  file.tensors.push_back(tensor_of("best parameters", state.kept.parameters));
  std::vector<double> history;
  for (const Epoch& epoch : state.kept.history) {
    history.push_back(epoch.loss);
    history.push_back(epoch.validation_nll);
  }
  file.tensors.push_back({.name = "history",
                          .shape = {std::ssize(state.kept.history), 2},
                          .values = std::move(history)});
  file.tensors.push_back(
      {.name = "best NLL", .shape = {1}, .values = std::vector<double>{state.best_nll}});
  file.tensors.push_back(
      {.name = "counts",
       .shape = {3},
       .values = std::vector<std::int64_t>{
           state.optimiser.steps, static_cast<std::int64_t>(state.steps), state.kept.best_epoch}});
  if (state.is_ended) {
    file.tensors.push_back({.name = "ended", .shape = {1}, .values = std::vector<std::int64_t>{1}});
  }
  return to_safetensors(file);
}

TrainingState<float> parse_checkpoint(std::string_view bytes, const std::string& name,
                                      const Json& identity) {
  TensorFile file;
  try {
    file = parse_safetensors(bytes, name);
  } catch (const Error&) {
    fail_damaged(name);
  }
  const auto found = file.metadata.find(std::string(identity_key));
  check(found != file.metadata.end() && file.has_digest,
        "'{}' is not a checkpoint; remove it, or give another directory", name);
  check_identity(found->second, name, identity);
  const Index size = size_of(file, "parameters");
  const Index epochs = size_of(file, "history");
  const Index moments = size_of(file, "optimiser m");  // 0 for gradient descent
  const std::vector<std::int64_t>& counts = file.values<std::int64_t>("counts", {3});
  TrainingState<float> state;
  state.parameters = floats_of(file, "parameters", size);
  if (size_of(file, "average") > 0) state.average = floats_of(file, "average", size);
  state.optimiser = {.steps = counts[0],
                     .m = floats_of(file, "optimiser m", moments),
                     .v = floats_of(file, "optimiser v", moments)};
  if (counts[1] < 0) fail_damaged(name);
  state.steps = static_cast<std::uint64_t>(counts[1]);
  state.best_nll = file.values<double>("best NLL", {1}).front();
  state.kept.parameters = floats_of(file, "best parameters", size);
  state.kept.best_epoch = counts[2];
  state.is_ended = size_of(file, "ended") > 0;
  const std::vector<double>& history = file.values<double>("history", {epochs, 2});
  for (std::size_t e = 0; e < history.size(); e += 2) {
    state.kept.history.push_back({history[e], history[e + 1]});
  }
  return state;
}

void make_directory(const std::filesystem::path& directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  const bool is_there = std::filesystem::is_directory(directory);
  if (is_there) return;
  throw Error(fmt::format("cannot create the directory '{}': {}; choose another path",
                          printable(directory.string()),
                          error ? error.message() : "a file is in its place"));
}

Checkpoint::Checkpoint(const std::filesystem::path& directory, Json identity)
    : directory_(directory), identity_(std::move(identity)) {
  make_directory(directory);
  lock_ = std::make_unique<AppendFile>(directory / lock_name);
}

std::filesystem::path Checkpoint::file(Index network) const {
  return directory_ / (network == 0 ? std::string(file_name)
                                    : fmt::format("checkpoint-{}.safetensors", network + 1));
}

Json Checkpoint::identity(Index network) const {
  Json json = identity_;
  if (network > 0) json["network"] = network + 1;
  return json;
}

std::optional<TrainingState<float>> Checkpoint::load(Index network) const {
  const std::filesystem::path path = file(network);
  if (!std::filesystem::exists(path)) return {};
  const auto source = open_source(path.string());
  std::string bytes;
  try {
    bytes = read_safetensors(*source, [](const Metadata&, std::size_t size) {
      constexpr std::size_t largest = std::size_t{16} << 30;
      check(size <= largest, "too large");
    });
  } catch (const Error&) {
    fail_damaged(path.string());
  }
  return parse_checkpoint(bytes, path.string(), identity(network));
}

void Checkpoint::remove(Index network) const {
  std::error_code ignored;  // at worst it stays
  std::filesystem::remove(file(network), ignored);
}

namespace {

// [[0, 1, 2], [2, 0]]
std::vector<std::vector<Index>> read_lists(const Json& json) {
  check(json.is_array(), "not a list");
  std::vector<std::vector<Index>> lists;
  for (const Json& list : json) {
    check(list.is_array(), "not a list");
    lists.emplace_back();
    for (const Json& number : list) {
      check(number.is_number_integer(), "not a whole number");
      lists.back().push_back(number.get<Index>());
    }
  }
  return lists;
}

}  // namespace

std::optional<SearchProgress> Checkpoint::load_search(const Json& identity) const {
  const std::filesystem::path path = directory_ / search_name;
  if (!std::filesystem::exists(path)) return {};
  constexpr std::size_t largest = std::size_t{16} << 20;
  std::string text = read_file(path, largest);
  SearchProgress search;
  Json json, found, trials;
  try {
    check(text.ends_with('\n'), "cut short");
    text.pop_back();
    check(has_right_checksum(text), "its content does not match its checksum");
    check(parse_json(text, json) == JsonFault::none, "no JSON");
    const JsonObject object(json, "");
    found = object.value("identity");
    trials = object.value("trials");
    search.seconds = object.number("seconds", 0, 1e9);
    if (object.has("spent")) search.spent = object.number("spent", 0, 1e9);
    if (!object.value("family").is_null()) {
      search.family = FamilyChoice{.response = object.integer("family", 0, 100),
                                   .text = visible(object.text("choice"))};
    }
    check(object.value("brackets").is_array(), "not a list");
    for (const Json& bracket : object.value("brackets")) {
      search.brackets.push_back(read_lists(bracket));
    }
    for (const std::vector<Index>& pair : read_lists(object.value("failed"))) {
      check(pair.size() == 2, "not a family and a candidate");
      search.failed.emplace(pair[0], pair[1]);
    }
  } catch (const Error&) {
    fail_damaged(printable(path.string()));
  }
  check_identity(json_text(found), path.string(), identity_);
  const bool has_trials = search.brackets.size() > 1;
  if (has_trials && !identity.empty()) check_identity(json_text(trials), path.string(), identity);
  return search;
}

void Checkpoint::save(const SearchProgress& search, const Json& identity) const {
  Json json = {{"identity", identity_},       {"trials", identity},     {"seconds", search.seconds},
               {"spent", search.spent},       {"family", nullptr},      {"choice", ""},
               {"brackets", search.brackets}, {"failed", search.failed}};
  if (search.family) {
    json["family"] = search.family->response;
    json["choice"] = search.family->text;
  }
  write_file_atomically(directory_ / search_name, with_checksum(json_text(json)) + "\n");
}

void Checkpoint::save(const TrainingState<float>& state, Index network) const {
  write_file_atomically(file(network), to_checkpoint(state, identity(network)));
}

}  // namespace probmix
