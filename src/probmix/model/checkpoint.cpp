#include "probmix/model/checkpoint.hpp"

#include <cmath>

#include "probmix/base/atomic_file.hpp"
#include "probmix/base/error.hpp"
#include "probmix/base/printable.hpp"
#include "probmix/base/read_file.hpp"
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
        file, key == "data" ? "the fingerprint of the data" : in_quotes(key), json_text(there),
        json_text(here)));
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
  constexpr std::size_t largest = std::size_t{16} << 30;
  return parse_checkpoint(read_file(path, largest), path.string(), identity(network));
}

std::optional<SearchProgress> Checkpoint::load_search() const {
  const std::filesystem::path path = directory_ / search_name;
  if (!std::filesystem::exists(path)) return {};
  constexpr std::size_t largest = 1 << 20;
  const Json json = Json::parse(read_file(path, largest), nullptr, false);
  SearchProgress search;
  const auto is_progress = [&] {
    if (!json.is_object() || !json.contains("seconds") || !json["seconds"].is_number())
      return false;
    search.seconds = json["seconds"].get<double>();
    if (!(search.seconds >= 0) || !std::isfinite(search.seconds)) return false;
    if (!json.contains("brackets") || !json["brackets"].is_array()) return false;
    for (const Json& bracket : json["brackets"]) {
      if (!bracket.is_array() || bracket.empty() || bracket.size() > 3) return false;
      Index most = 9;
      search.brackets.emplace_back();
      for (const Json& trials : bracket) {
        if (!trials.is_number_integer()) return false;
        const auto count = trials.get<std::int64_t>();
        if (count < 0 || count > most || (count == 0 && &trials == &bracket.front())) return false;
        search.brackets.back().push_back(most = count);
      }
    }
    return search.brackets.size() <= to_size(FitOptions::most_trials);
  };
  check(is_progress(), "'{}' is a damaged checkpoint; remove it to start over",
        printable(path.string()));
  return search;
}

void Checkpoint::save(const SearchProgress& search) const {
  const Json json = {{"seconds", search.seconds}, {"brackets", search.brackets}};
  write_file_atomically(directory_ / search_name, json.dump() + "\n");
}

void Checkpoint::save(const TrainingState<float>& state, Index network) const {
  write_file_atomically(file(network), to_checkpoint(state, identity(network)));
}

}  // namespace probmix
