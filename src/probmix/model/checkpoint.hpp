// The state of a training as a file, from which it can resume after an interruption.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "probmix/base/append_file.hpp"
#include "probmix/base/json.hpp"
#include "probmix/model/candidate_search.hpp"
#include "probmix/train/fit.hpp"

namespace probmix {

// `identity` identifies the training (ModelFit::identity).
std::string to_checkpoint(const TrainingState<float>& state, const Json& identity);

// Throws a one-line Error if the file is damaged, or belongs to another training: it then names the
// first option that differs.
TrainingState<float> parse_checkpoint(std::string_view bytes, const std::string& file,
                                      const Json& identity);

// Creates the directory unless it exists. Throws an Error if that fails.
void make_directory(const std::filesystem::path& directory);

// Checkpoint files, one for each network, in their own directory, which is created if needed. While
// the object lives, no other process (and no other object in this one) can open a checkpoint in
// that directory.
class Checkpoint {
 public:
  static constexpr std::string_view file_name = "checkpoint.safetensors";
  static constexpr std::string_view lock_name = "lock";
  static constexpr std::string_view search_name = "search.json";

  Checkpoint(const std::filesystem::path& directory, Json identity);

  // The saved state of a network of an ensemble; empty if there is none.
  std::optional<TrainingState<float>> load(Index network = 0) const;
  void save(const TrainingState<float>& state, Index network = 0) const;
  // Of a network that is not needed any more.
  void remove(Index network) const;
  // The decisions of the search; empty if none were saved. `identity` determines its trials
  // (ModelFit::search_identity): with trials, those of another search are refused.
  std::optional<SearchProgress> load_search(const Json& identity) const;
  void save(const SearchProgress& search, const Json& identity) const;

 private:
  std::filesystem::path file(Index network) const;
  Json identity(Index network) const;

  std::filesystem::path directory_;
  std::unique_ptr<AppendFile> lock_;  // stays empty
  Json identity_;
};

}  // namespace probmix
