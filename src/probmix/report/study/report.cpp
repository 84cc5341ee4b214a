#include "probmix/report/study/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "probmix/base/error.hpp"
#include "probmix/base/version.hpp"
#include "probmix/report/page/text.hpp"
#include "probmix/report/study/cells_csv.hpp"
#include "probmix/report/study/section.hpp"

namespace probmix::report {

namespace {

bool is_ours(const CellSummary& cell) { return cell.method->probabilistic; }

// In how many groups a ProbMix method has the best score, among groups that also have other
// methods, and how many to expect by chance.
std::string verdict(const StudyLayout& layout, std::span<const CellSummary> cells) {
  const std::size_t score = layout.compared.front();
  std::vector<const CellSummary*> winners;
  std::vector<std::string> lost;
  double by_chance = 0;
  for (const auto group : groups_of(cells)) {
    const std::vector<double> means = judged_means(layout, group, score);
    std::size_t judged = 0, ours = 0, best = 0;
    for (std::size_t c = 0; c < group.size(); ++c) {
      if (std::isnan(means[c])) continue;
      ++judged;
      if (is_ours(group[c])) ++ours;
      if (!(means[best] <= means[c])) best = c;  // also if the best so far is NaN
    }
    if (ours == 0 || ours == judged || !std::isfinite(means[best])) continue;
    winners.push_back(&group[best]);
    by_chance += static_cast<double>(ours) / static_cast<double>(judged);
    if (!is_ours(group[best])) lost.push_back(group_name(layout, cells, group));
  }
  if (winners.empty()) return "";
  const std::string& title = layout.scores[score].title;
  if (winners.size() == 1) {
    const MeanSe& found = winners.front()->scores[score];
    return fmt::format("{}: {} has the best {}, {}.", layout.title, winners.front()->method->name,
                       title, format_mean_se(found.mean, found.se));
  }
  constexpr std::size_t most_named = 3;
  return fmt::format(
      "{}: a ProbMix method has the best {} on {} of {} {}{} ({:.1f} expected by chance).",
      layout.title, title, winners.size() - lost.size(), winners.size(), layout.groups_noun(),
      lost.empty() || lost.size() > most_named
          ? ""
          : fmt::format(", not on {}", fmt::join(lost, " and ")),
      by_chance);
}

// "12.3 s", "4.5 min", "2.1 h".
std::string time_text(double seconds) {
  if (seconds < 60) return fmt::format("{:.1f} s", seconds);
  if (seconds < 3600) return fmt::format("{:.1f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

struct Part {
  const char* reads;  // which part of a result
  void (*add)(const Section&);
};

constexpr Part parts[] = {{"status", add_divergences},
                          {"scores", add_scores},
                          {"scores", add_paper},
                          {"scores", add_published},
                          {"scores", add_chosen_settings},
                          {"scores", add_scores_over_alpha},
                          {"scores", add_statistics},
                          {"pictures", add_pictures},
                          {"scores", add_boxes},
                          {"scores", add_spread},
                          {"scores", add_tradeoff},
                          {"calibration", add_calibration},
                          {"curve", add_training},
                          {"scores", add_variants},
                          {"configuration", add_configuration}};

void add_study(const Section& section) {
  section.page.add_heading(section.layout.title);
  for (const Part& part : parts) {
    try {
      part.add(section);
    } catch (const Json::exception&) {
      throw Error(fmt::format("malformed {} in a run of the study \"{}\": not as probmix writes it",
                              part.reads, section.layout.name));
    }
  }
}

void check_variant(const Variant& variant, std::span<const StudyRecords> studies) {
  const bool shared = std::ranges::any_of(variant.studies, [&](const StudyRecords& study) {
    return std::ranges::count(studies, study.study, &StudyRecords::study) > 0;
  });
  check(shared, "the variant '{}' has no study in common with the results", variant.name);
}

}  // namespace

Report make_report(std::span<const StudyRecords> studies, std::span<const std::string> remarks,
                   std::span<const Variant> variants) {
  check(!studies.empty(), "a report needs the results of at least one study");
  for (const Variant& variant : variants) check_variant(variant, studies);
  Report report;
  std::vector<std::vector<CellSummary>> cells;
  std::string lead;
  std::size_t runs = 0;
  double seconds = 0;
  for (const StudyRecords& study : studies) {
    check(!study.records.empty(), "the study \"{}\" has no runs", study.study);
    const StudyLayout& layout = study_layout(study.study);
    cells.push_back(sum_up(layout, study.records));
    const std::string sentence = verdict(layout, cells.back());
    if (!sentence.empty()) lead += (lead.empty() ? "" : " ") + sentence;
    if (const std::string gaps = gaps_text(layout, cells.back()); !gaps.empty()) {
      report.remarks.push_back(layout.name + ": " + gaps);
    }
    runs += study.records.size();
    for (const RunRecord& record : study.records) seconds += record.seconds;
  }
  const std::string title =
      studies.size() == 1 ? study_layout(studies.front().study).title : "Mixup and ProbMix";
  HtmlReport page(title, fmt::format("{} {} runs, {} on one core, probmix {}.", lead, runs,
                                     time_text(seconds), library_version()));
  for (const std::string& remark : remarks) page.add_paragraph(remark);
  for (std::size_t k = 0; k < studies.size(); ++k) {
    const StudyLayout& layout = study_layout(studies[k].study);
    report.cells.push_back({layout.name + "-cells", cells_csv(layout, cells[k])});
    add_study({layout, studies[k].records, cells[k], page, report.tables, variants});
  }
  report.html = page.html();
  return report;
}

}  // namespace probmix::report
