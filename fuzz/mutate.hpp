// Structure-aware mutations: of the values and keys of JSON, and of the tensors and the description
// of a model or checkpoint. Checksums are made right, so that mutants reach the code behind them.
#pragma once

#include <string>
#include <string_view>

#include "target.hpp"

namespace probmix::fuzz {

std::string mutate_model(std::string_view bytes, Chance& chance);    // and checkpoints
std::string mutate_results(std::string_view bytes, Chance& chance);  // lines of JSON
std::string mutate_search(std::string_view bytes, Chance& chance);   // a search's decisions
std::string mutate_table(std::string_view bytes, Chance& chance);    // CSV
std::string mutate_options(std::string_view bytes, Chance& chance);  // lines "name value"

}  // namespace probmix::fuzz
