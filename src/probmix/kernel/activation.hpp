// The activations a layer can have, and the one list of their names.
#pragma once

#include <array>
#include <string_view>

namespace probmix {

enum class Activation { identity, relu, leaky_relu, elu, tanh, sigmoid, softplus, silu, gelu };

// In the order of the enumeration.
inline constexpr std::array<std::string_view, 9> activation_names = {
    "identity", "relu", "leaky-relu", "elu", "tanh", "sigmoid", "softplus", "silu", "gelu"};

}  // namespace probmix
