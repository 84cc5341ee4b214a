#include "probmix/report/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "probmix/base/error.hpp"
#include "probmix/base/version.hpp"
#include "probmix/report/export.hpp"
#include "probmix/report/section.hpp"
#include "probmix/report/text.hpp"

namespace probmix {

namespace {

bool is_ours(const CellSummary& cell) { return cell.method->probabilistic; }

// Whose is the best score, where ProbMix methods stand beside others, and how often that would be
// so if all methods were alike.
std::string verdict(const StudyView& view, std::span<const CellSummary> cells) {
  const std::size_t score = view.compared.front();
  std::vector<const CellSummary*> winners;
  std::vector<std::string> lost;
  double by_chance = 0;
  for (const auto group : groups_of(cells)) {
    const bool mixed =
        std::ranges::any_of(group, &is_ours) && !std::ranges::all_of(group, &is_ours);
    const CellSummary& best = *std::ranges::min_element(
        group, {}, [&](const CellSummary& cell) { return judged_mean(view, cell, score); });
    if (!mixed || !std::isfinite(judged_mean(view, best, score))) continue;
    winners.push_back(&best);
    by_chance += static_cast<double>(std::ranges::count_if(group, &is_ours)) /
                 static_cast<double>(group.size());
    if (!is_ours(best)) lost.push_back(group_name(view, cells, group));
  }
  if (winners.empty()) return "";
  const std::string& title = view.scores[score].title;
  if (winners.size() == 1) {
    const MeanSe& found = winners.front()->scores[score];
    return fmt::format("{}: {} has the best {}, {}.", view.title, winners.front()->method->name,
                       title, format_mean_se(found.mean, found.se));
  }
  constexpr std::size_t most_named = 3;
  return fmt::format(
      "{}: a ProbMix method has the best {} for {} of {} {}{} ({:.1f} if all were alike).",
      view.title, title, winners.size() - lost.size(), winners.size(), view.groups_noun(),
      lost.empty() || lost.size() > most_named
          ? ""
          : fmt::format(", not for {}", fmt::join(lost, " and ")),
      by_chance);
}

void add_study(const Section& section) {
  section.page.add_heading(section.view.title);
  add_divergences(section);
  add_scores(section);
  add_statistics(section);
  add_pictures(section);
  add_boxes(section);
  add_tradeoff(section);
  add_calibration(section);
  add_curves(section);
  add_configuration(section);
}

}  // namespace

Report make_report(std::span<const StudyRecords> studies, std::span<const std::string> remarks) {
  check(!studies.empty(), "a report needs the results of at least one study");
  std::vector<std::vector<CellSummary>> cells;
  std::string lead;
  std::size_t runs = 0;
  double seconds = 0;
  for (const StudyRecords& study : studies) {
    check(!study.records.empty(), "the study \"{}\" has no runs", study.study);
    const StudyView& view = study_view(study.study);
    cells.push_back(sum_up(view, study.records));
    const std::string sentence = verdict(view, cells.back());
    if (!sentence.empty()) lead += (lead.empty() ? "" : " ") + sentence;
    runs += study.records.size();
    for (const RunRecord& record : study.records) seconds += record.seconds;
  }
  const std::string title =
      studies.size() == 1 ? study_view(studies.front().study).title : "Mixup and ProbMix";
  HtmlReport page(title, fmt::format("{} {} runs, {:.1f} minutes of one core, probmix {}.", lead,
                                     runs, seconds / 60, library_version()));
  for (const std::string& remark : remarks) page.add_paragraph(remark);
  Report report;
  for (std::size_t k = 0; k < studies.size(); ++k) {
    const StudyView& view = study_view(studies[k].study);
    report.cells.push_back({view.name + "-cells", csv_cells(view, cells[k])});
    try {
      add_study({view, studies[k].records, cells[k], page, report.tables});
    } catch (const Json::exception& error) {
      throw Error(fmt::format("a result of the study \"{}\" is not as probmix writes it: {}",
                              studies[k].study, error.what()));
    }
  }
  report.html = page.html();
  return report;
}

}  // namespace probmix
