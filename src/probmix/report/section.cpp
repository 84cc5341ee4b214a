#include "probmix/report/section.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "probmix/experiment/configuration.hpp"
#include "probmix/report/study_table.hpp"

namespace probmix {

void Section::add_table(const std::string& name, Table table) const {
  page.add_table(table);
  tables.push_back({view.name + "-" + name, std::move(table)});
}

std::string group_name(const Section& section, std::span<const CellSummary> group) {
  std::vector<std::string> parts;
  for (const std::string& key : section.view.keys) {
    const Json& value = group.front().keys[key];
    const bool varies = std::ranges::any_of(
        section.cells, [&](const CellSummary& cell) { return cell.keys[key] != value; });
    if (key == "dataset" || key == "arch") {
      parts.push_back(value_text(value));
    } else if (varies) {
      parts.push_back(fmt::format("{} {}",
                                  key == "alpha"  ? "α ="
                                  : key == "beta" ? "β ="
                                                  : key,
                                  value_text(value)));
    }
  }
  return parts.empty() ? "all runs" : fmt::format("{}", fmt::join(parts, ", "));
}

// One row a group would be long and mostly the same: what all runs share, then what differs.
void add_configuration(const Section& section) {
  Json shared;
  for (const CellSummary& cell : section.cells) {
    for (const RunRecord* run : cell.group.done) {
      if (shared.is_null()) shared = run->configuration;
      for (auto it = shared.begin(); it != shared.end();) {
        const bool same =
            !run->configuration.contains(it.key()) || run->configuration[it.key()] == it.value();
        it = same ? std::next(it) : shared.erase(it);
      }
    }
  }
  if (!shared.is_null()) section.page.add_details("What all runs share", as_text(shared));
}

}  // namespace probmix
