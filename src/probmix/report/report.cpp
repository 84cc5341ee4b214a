#include "probmix/report/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "probmix/base/error.hpp"
#include "probmix/base/version.hpp"
#include "probmix/report/section.hpp"
#include "probmix/report/text.hpp"

namespace probmix {

namespace {

// How often the best method of a group is a ProbMix method, by the first score.
std::string verdict(const StudyView& view, std::span<const CellSummary> cells) {
  std::size_t groups = 0;
  std::size_t ours = 0;
  std::string last;
  for (const auto group : groups_of(cells)) {
    const auto mean = [](const CellSummary& cell) { return judged_mean(cell, 0); };
    std::vector<const CellSummary*> finite;
    for (const CellSummary& cell : group) {
      if (std::isfinite(mean(cell))) finite.push_back(&cell);
    }
    if (group.size() < 2 || finite.empty()) continue;
    const CellSummary& best = **std::ranges::min_element(
        finite, {}, [&](const CellSummary* cell) { return mean(*cell); });
    ++groups;
    if (best.method->probabilistic) ++ours;
    last = fmt::format("{}, with {}", best.method->name,
                       format_mean_se(best.scores.front().mean, best.scores.front().se));
  }
  if (groups == 0) return "";
  if (groups == 1)
    return fmt::format("{}: the best {} has {}.", view.title, view.scores[0].title, last);
  return fmt::format("{}: the best {} is a ProbMix method's in {} of {}.", view.title,
                     view.scores[0].title, ours, groups);
}

void add_study(const Section& section) {
  section.page.add_heading(section.view.title);
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
    try {
      add_study({study_view(studies[k].study), cells[k], page, report.tables});
    } catch (const Json::exception& error) {
      throw Error(fmt::format("a result of the study \"{}\" is not as probmix writes it: {}",
                              studies[k].study, error.what()));
    }
  }
  report.html = page.html();
  return report;
}

}  // namespace probmix
