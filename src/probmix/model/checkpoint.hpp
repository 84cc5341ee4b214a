// The state of a training as a file, to go on from after whatever happened.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "probmix/base/append_file.hpp"
#include "probmix/base/json.hpp"
#include "probmix/train/fit.hpp"

namespace probmix {

// `identity` says which training it is (ModelFit::identity).
std::string to_checkpoint(const TrainingState<float>& state, const Json& identity);

// Throws an Error of one line if the file is damaged, or of another training: it names the first
// option that differs.
TrainingState<float> parse_checkpoint(std::string_view bytes, const std::string& file,
                                      const Json& identity);

// Unless it is there. Throws an Error if that fails.
void make_directory(const std::filesystem::path& directory);

// A file in a directory of its own, which is created. While it lives, no other process (and no
// other object of this one) can have one in that directory.
class Checkpoint {
 public:
  static constexpr std::string_view file_name = "checkpoint.safetensors";
  static constexpr std::string_view lock_name = "lock";

  Checkpoint(const std::filesystem::path& directory, Json identity);

  // What is there; nothing if there is none.
  std::optional<TrainingState<float>> load() const;
  void save(const TrainingState<float>& state) const;

 private:
  std::filesystem::path file_;
  std::unique_ptr<AppendFile> lock_;  // stays empty
  Json identity_;
};

}  // namespace probmix
