#include "probmix/report/study/cells_csv.hpp"

#include <cmath>
#include <vector>

#include "probmix/data/csv_write.hpp"
#include "probmix/paper/printed.hpp"
#include "probmix/report/study/study_table.hpp"
#include "probmix/sweep/choice.hpp"

namespace probmix::report {

std::string cells_csv(const StudyLayout& layout, std::span<const CellSummary> cells) {
  std::vector<std::string> header = layout.cell_keys();
  if (layout.chooses) header.insert(header.end(), setting_keys.begin(), setting_keys.end());
  header.insert(header.end(), {"runs", "diverged"});
  for (const ScoreLayout& score : layout.scores) {
    for (const char* const what : {"", "_sd", "_se", "_paper", "_paper_spread"}) {
      header.push_back(score.key + what);
    }
  }
  const auto line = [&](const auto& field) {
    std::string text = csv_field(field(0));
    for (std::size_t c = 1; c < header.size(); ++c) text.append(",").append(csv_field(field(c)));
    return text.append("\n");
  };
  std::string lines = line([&](std::size_t c) { return header[c]; });
  for (const CellSummary& cell : cells) {
    Json values = to_json(layout, cell);
    for (const ScoreLayout& score : layout.scores) {
      const auto paper = paper_figure(layout, score.key, cell);
      if (!paper) continue;
      values[score.key + "_paper"] = paper->mean;
      values[score.key + "_paper_spread"] = paper->spread;
    }
    lines += line([&](std::size_t c) {
      const auto found = values.find(header[c]);
      const bool empty = found == values.end() || found->is_null() ||
                         (found->is_number_float() && !std::isfinite(found->get<double>()));
      return empty ? std::string() : value_text(*found);
    });
  }
  return lines;
}

}  // namespace probmix::report
