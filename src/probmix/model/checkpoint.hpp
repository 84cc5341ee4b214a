// The state of a training as a file, to go on from after whatever happened.
#pragma once

#include <filesystem>
#include <optional>

#include "probmix/base/json.hpp"
#include "probmix/train/fit.hpp"

namespace probmix {

// `identity` says which training it is (ModelFit::identity).
std::string to_checkpoint(const TrainingState<float>& state, const Json& identity);

// Throws an Error of one line if the file is damaged, or of another training: it names the first
// option that differs.
TrainingState<float> parse_checkpoint(std::string_view bytes, const std::string& file,
                                      const Json& identity);

// A file in a directory of its own, which is created.
class Checkpoint {
 public:
  Checkpoint(const std::filesystem::path& directory, Json identity);

  // What is there; nothing if there is none.
  std::optional<TrainingState<float>> load() const;
  void save(const TrainingState<float>& state) const;

 private:
  std::filesystem::path file_;
  Json identity_;
};

}  // namespace probmix
