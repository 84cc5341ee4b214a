// The list of all options. The command line, files and documentation have no others. Defaults are
// those of FitOptions.
#include "probmix/options/option_fields.hpp"

namespace probmix {

std::span<const Option> fit_option_list() {
  static const std::vector<Option> list = [] {
    std::vector<Option> all;
    for (auto* const part : {column_options, series_options, training_options, mixing_options,
                             response_options, network_options}) {
      for (Option& option : part()) all.push_back(std::move(option));
    }
    return all;
  }();
  return list;
}

}  // namespace probmix
