// A trained model: its networks, and everything needed to get from table rows to densities.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "probmix/base/json.hpp"
#include "probmix/data/series.hpp"
#include "probmix/kernel/build.hpp"
#include "probmix/mix/method.hpp"
#include "probmix/model/inputs.hpp"
#include "probmix/model/output_limits.hpp"
#include "probmix/model/target.hpp"
#include "probmix/nn/architecture.hpp"

namespace probmix {

struct TrainedNetwork {
  AlignedVector<float> parameters = {};
  OutputLimits limits = {};

  bool operator==(const TrainedNetwork&) const = default;
};

// Networks that were trained with the same options, on other rows and from other initial weights.
struct NetworkGroup {
  Architecture architecture = {};
  Method method = methods.front();
  double weight = 1;  // in the mixture; its networks have equal shares of it
  std::vector<TrainedNetwork> networks = {};
};

// One density for all rows, which every prediction mixes in: where the networks are sure and wrong,
// a plausible value still has a density that is not almost zero.
struct MarginalShare {
  // Enough to be a floor under every density, and too little to widen one that can be seen.
  static constexpr double least = 1e-4, most = 0.9;
  double weight = 0;                // in the mixture, of which the networks have the rest
  std::vector<float> outputs = {};  // as a network would give them; empty: there is none
};

// What its predictions are compared with (baseline.hpp).
struct Baseline {
  std::vector<float> marginal = {};  // one density for all rows, as network outputs; empty: none
  NetworkGroup linear = {};          // a linear model of the same family; no networks: none
};

// Assign the members one after the other: in gcc 12 an initialiser that throws destroys those that
// do not exist yet.
struct Model {
  Inputs inputs = Inputs();
  Target target = {};
  SeriesShape series = {};
  Index members = 100;  // draws of a random embedding per prediction
  std::uint64_t seed = 1;
  // The densities that all their networks predict are mixed. Their weights sum to 1.
  std::vector<NetworkGroup> groups = {};
  MarginalShare marginal = {};
  Baseline baseline = {};
  Json training = Json::object();  // how it was trained, for information
  std::string made_by = build_version();

  Index networks() const;                                   // of all groups
  Index densities() const;                                  // that these predict for a row
  Network<float> network(const NetworkGroup& group) const;  // without its parameters
};

// Everything but the parameters. Throws an Error if a name is not UTF-8 or the names are too long.
Json description_of(const Model& model);
std::string description_text(const Model& model);

// The whole model as a safetensors file, and back. Files are untrusted: sizes, names and values are
// checked. Throws a one-line Error that names the file.
std::string to_file(const Model& model);
// A model trained with a custom density (family/custom.hpp) needs that density again.
Model parse_model(std::string_view bytes, const std::string& file,
                  std::shared_ptr<const AnyDensity> custom = nullptr);

// Writes the file atomically.
void save_model(const Model& model, const std::filesystem::path& path);
Model load_model(const std::string& path, std::shared_ptr<const AnyDensity> custom = nullptr);

}  // namespace probmix
