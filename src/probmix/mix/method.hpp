// The eleven methods of the paper: one training step, with the mix in different places. And a
// baseline: MC dropout.
//
// This is the one list; the command line, the studies and the tests read it.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "probmix/nn/network.hpp"

namespace probmix {

// Where the step mixes: draw (i, j, λ) → front → mix → back → risk.
//   site        front           mixed                                   back
//   none        –               nothing                                 whole network
//   input       –               inputs x                                whole network
//   embedding   encoder         z: points, or densities and one draw    decoder
//   response    whole network   response densities                      –
enum class Site { none, input, embedding, response };

struct Method {
  std::string_view name;
  Site site;
  Embedding embedding;  // random embeddings: M-ProbMix and its star variants
  bool local;           // partners among the K nearest neighbours
  bool probabilistic;   // fuses densities: the response kernel (β) and the pooling apply
  bool drops = false;  // predicts with dropout: a mixture over random masks (Gal & Ghahramani 2016)

  // Whether a prediction is a mixture over random draws.
  bool predicts_by_draws() const { return embedding != Embedding::point || drops; }
};

inline constexpr std::array<Method, 12> methods = {{
    {"erm", Site::none, Embedding::point, false, false},
    {"mix", Site::input, Embedding::point, false, false},
    {"loc-mix", Site::input, Embedding::point, true, false},
    {"m-mix", Site::embedding, Embedding::point, false, false},
    {"loc-m-mix", Site::embedding, Embedding::point, true, false},
    {"probmix", Site::response, Embedding::point, false, true},
    {"loc-probmix", Site::response, Embedding::point, true, true},
    {"m-probmix", Site::embedding, Embedding::gaussian, false, true},
    {"loc-m-probmix", Site::embedding, Embedding::gaussian, true, true},
    {"m-probmix-star", Site::embedding, Embedding::gaussian_separate, false, true},
    {"loc-m-probmix-star", Site::embedding, Embedding::gaussian_separate, true, true},
    {"mc-dropout", Site::none, Embedding::point, false, false, true},
}};

inline constexpr std::span<const Method, 11> paper_methods = std::span(methods).first<11>();

// In the order of `methods`.
inline constexpr auto method_names = [] {
  std::array<std::string_view, methods.size()> names{};
  for (std::size_t m = 0; m < methods.size(); ++m) names[m] = methods[m].name;
  return names;
}();

// Throws a UsageError that lists the accepted names.
const Method& find_method(std::string_view name);

// For a ProbMix method, the one that mixes points instead of densities: M-Mix for M-ProbMix. Null
// for other methods.
const Method* twin_of(const Method& method);

}  // namespace probmix
