// Which settings of the mix were chosen by validation, and how they compare with the preset.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "probmix/mix/options.hpp"
#include "probmix/report/page/text.hpp"
#include "probmix/report/study/paired.hpp"
#include "probmix/report/study/section.hpp"
#include "probmix/report/study/study_table.hpp"
#include "probmix/sweep/choice.hpp"

namespace probmix::report {

namespace {

Json settings_of(const Json& configuration) {
  Json settings = Json::object();
  for (const std::string& key : setting_keys) {
    if (configuration.contains(key)) settings[key] = configuration[key];
  }
  return settings;
}

std::string_view preset_pooling() {
  return pooling_names[static_cast<std::size_t>(MixOptions{}.pooling)];
}

// The preset, as far as the method uses its settings.
Json preset_of(const Json& settings) {
  const MixOptions preset;
  Json found = Json::object();
  for (const auto& item : settings.items()) {
    found[item.key()] = item.key() == "alpha"  ? Json(preset.alpha)
                        : item.key() == "beta" ? Json(preset.beta)
                                               : Json(preset_pooling());
  }
  return found;
}

// All runs of a method under a cell's conditions, whatever their settings.
std::vector<const RunRecord*> runs_of(const Section& section, const CellSummary& cell) {
  std::vector<const RunRecord*> runs;
  for (const RunRecord& run : section.records) {
    const bool here = std::ranges::all_of(cell.keys.items(), [&](const auto& item) {
      return run.configuration.contains(item.key()) &&
             run.configuration[item.key()] == item.value();
    });
    if (here && run.configuration["method"] == cell.method->name) runs.push_back(&run);
  }
  return runs;
}

bool had_a_choice(const Section& section, const CellSummary& cell) {
  const auto runs = runs_of(section, cell);
  return std::ranges::any_of(runs, [&](const RunRecord* run) {
    return settings_of(run->configuration) != settings_of(runs.front()->configuration);
  });
}

// "1, 0.01": α, β, and the pooling if poolings were compared.
std::string settings_text(const Section& section, const Json& settings) {
  std::vector<std::string> parts;
  for (const std::string& key : setting_keys) {
    if (!settings.contains(key)) continue;
    const bool varies = std::ranges::any_of(section.records, [&](const RunRecord& run) {
      return run.configuration.contains(key) && run.configuration[key] != settings[key];
    });
    if (key != "pooling" || varies) parts.push_back(value_text(settings[key]));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

// "1, 0.01: 2.53 → 2.44"; "=" for the preset.
Cell change_cell(const Section& section, const CellSummary& cell, std::size_t score) {
  const Json preset = preset_of(cell.settings);
  if (cell.settings == preset) return "=";
  std::vector<const RunRecord*> before = runs_of(section, cell);
  std::erase_if(before,
                [&](const RunRecord* run) { return settings_of(run->configuration) != preset; });
  const PairedChange change = paired_change(repeat_scores(section.layout, score, before),
                                            repeat_scores(section.layout, score, cell.group.done));
  const std::string name = settings_text(section, cell.settings);
  if (change.pairs == 0) return name;
  const int better = section.layout.scores[score].larger ? 1 : -1;
  Cell found(fmt::format("{}: {} → {}{}", name, format_mean_se(change.before, std::nan("")),
                         format_mean_se(change.after, std::nan("")),
                         change.direction() == -better ? " (worse)" : ""));
  found.best = change.direction() == better;
  return found;
}

Table chosen_table(const Section& section, std::size_t score) {
  const auto groups = groups_of(section.cells);
  const MixOptions preset;
  Table table;
  table.caption = fmt::format(
      "Settings that validation chose, as α, β; = is the preset (α = {}, β = {}, {} pooling). "
      "Otherwise the {} with the preset → with the choice, over the {}s that both have: bold if "
      "better by at least two standard errors of the paired differences, (worse) if worse by as "
      "much",
      preset.alpha, preset.beta, preset_pooling(), section.layout.scores[score].title,
      section.layout.repeat);
  table.columns.push_back({"method", Align::left});
  for (const auto group : groups) table.columns.push_back({section.name_of(group), Align::right});
  for (const Method* const method : methods_of(section.cells)) {
    std::vector<Cell> row = {std::string(method->name)};
    bool chosen = false;
    for (const auto group : groups) {
      const CellSummary* const cell = find_cell(group, method);
      const bool here = cell != nullptr && had_a_choice(section, *cell);
      chosen = chosen || here;
      row.push_back(here ? change_cell(section, *cell, score) : Cell("–"));
    }
    if (chosen) table.add(std::move(row));
  }
  return table;
}

}  // namespace

void add_chosen_settings(const Section& section) {
  if (!section.layout.chooses) return;
  for (const std::size_t score : section.layout.compared) {
    const Table table = chosen_table(section, score);
    if (table.rows.empty()) return;
    const std::string name = file_name(section.layout.scores[score]) + "-chosen";
    if (score != section.layout.compared.front()) {
      section.keep_table(name, table);
      continue;
    }
    section.page.add_subheading("Settings chosen by validation");
    section.add_table(name, table);
  }
}

}  // namespace probmix::report
