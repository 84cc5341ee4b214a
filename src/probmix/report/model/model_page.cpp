#include "probmix/report/model/model_page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "probmix/base/printable.hpp"
#include "probmix/data/date.hpp"
#include "probmix/options/option.hpp"
#include "probmix/report/charts/calibration.hpp"
#include "probmix/report/charts/predictions.hpp"
#include "probmix/report/model/verdict.hpp"
#include "probmix/report/page/html.hpp"

namespace probmix::report {
namespace {

std::string number(double value) { return fmt::format("{:.4g}", value); }
std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

std::string describe_range(const NumberInput& input) {
  if (!input.has_value) return "only whether it is missing";
  return fmt::format("{:.4g} ± {:.4g}", input.mean, input.scale);
}

std::string describe_range(const DateInput& input) {
  std::string cycles;
  for (const auto& [used, name] : {std::pair(input.year, "year"), std::pair(input.week, "week"),
                                   std::pair(input.day, "day")}) {
    if (used) cycles += fmt::format("{}{}", cycles.empty() ? "; cycle of the " : ", ", name);
  }
  return format_date(static_cast<std::int64_t>(input.mean)) +
         fmt::format(" ± {:.4g} days{}", input.scale / day_seconds, cycles);
}

std::string describe_range(const CategoryInput& input) {
  return names_in_quotes(input.levels) + (input.has_other ? " and others" : "");
}

bool marks_missing(const NumberInput& input) { return input.marks_missing; }
bool marks_missing(const DateInput& input) { return input.marks_missing; }
bool marks_missing(const CategoryInput& input) { return input.has_missing; }

void add_class_pictures(const Evaluation& evaluation, HtmlReport& page) {
  ReliabilityPicture picture;
  picture.title = "Reliability";
  picture.caption =
      "When the model says 80 %, is it right 80 % of the time? Points on the diagonal say yes; "
      "points below it mean that the model is overconfident.";
  for (const Reliability::Bin& bin : evaluation.classes.bins) {
    picture.confidence.push_back(bin.confidence);
    picture.accuracy.push_back(bin.accuracy);
    picture.count.push_back(static_cast<double>(bin.count));
  }
  page.add_figures(std::vector{reliability_chart(picture)}, {}, FigureGrid::wide);
}

// The rows of each class, by the class predicted as most probable.
Table confusion_table(const Evaluation& evaluation, const Target& target) {
  Table table;
  table.columns = {{"observed"}};
  for (const std::string& name : target.classes) {
    table.columns.push_back({"predicted " + printable(name), Align::right});
  }
  const std::size_t classes = target.classes.size();
  for (std::size_t c = 0; c < classes; ++c) {
    std::vector<Cell> cells{Cell(printable(target.classes[c]))};
    for (std::size_t k = 0; k < classes; ++k) {
      cells.emplace_back(fmt::format("{}", evaluation.confusion[c * classes + k]));
    }
    table.add(std::move(cells));
  }
  return table;
}

Figure predictions_figure(const Evaluation::TargetScores& column, const std::string& name,
                          Index rows) {
  const std::string shown = std::ssize(column.some) == rows
                                ? fmt::format("{}", rows)
                                : fmt::format("{} of {}", column.some.size(), rows);
  PredictionsPicture picture{
      .title = fmt::format("Predicted and observed {}", name),
      .caption = fmt::format("{} rows with their 90 % intervals. Nine in ten should contain the "
                             "observed response.",
                             shown)};
  for (const Evaluation::Judged& row : column.some) {
    picture.observed.push_back(row.observed);
    picture.mean.push_back(row.mean);
    picture.low.push_back(row.low);
    picture.high.push_back(row.high);
  }
  return predictions_chart(picture);
}

void add_number_pictures(const Evaluation& evaluation, const Target& target, HtmlReport& page) {
  std::vector<Figure> figures;
  for (std::size_t k = 0; k < evaluation.columns.size(); ++k) {
    const Evaluation::TargetScores& column = evaluation.columns[k];
    figures.push_back(pit_chart(
        {.title = fmt::format("PIT of {}", target.names[k]),
         .caption =
             "Where the responses fall in their predicted distributions. Flat is calibrated; "
             "a hump means that the densities are too wide, a valley that they are too "
             "narrow, a slope that they are shifted.",
         .share = {column.pit.share.begin(), column.pit.share.end()},
         .rows = static_cast<double>(evaluation.rows)}));
    figures.push_back(coverage_chart(
        {.title = fmt::format("Coverage of {}", target.names[k]),
         .caption = "The share of responses inside central intervals against their nominal level.",
         .curves = {coverage_curve(target.names[k], column.pit)}}));
  }
  page.add_figures(figures, {}, FigureGrid::wide);
}

}  // namespace

namespace {

struct Compared {
  std::string name;
  const Evaluation* evaluation;
};

// The model, called by its target, and its baselines.
std::vector<Compared> compared(const EvaluationBeside& found, const std::string& target) {
  std::vector<Compared> all{{target, &found.model}};
  if (found.linear) all.push_back({"linear model", &*found.linear});
  if (found.marginal) all.push_back({"one density", &*found.marginal});
  return all;
}

Table class_table(const std::vector<Compared>& all, const std::string& second_class) {
  Table table;
  table.columns = {{"score"}};
  for (const Compared& of : all) table.columns.push_back({of.name, Align::right});
  const auto add = [&](std::string name, auto&& value) {
    std::vector<Cell> cells{Cell(std::move(name))};
    for (const Compared& of : all) cells.emplace_back(value(*of.evaluation));
    table.add(std::move(cells));
  };
  using Found = Evaluation;
  add("NLL (log loss)", [](const Found& e) { return number(e.nll); });
  add("accuracy", [](const Found& e) { return percent(e.classes.accuracy); });
  add("balanced accuracy", [](const Found& e) { return percent(e.balanced_accuracy); });
  if (std::isfinite(all.front().evaluation->auc)) {
    const std::string of = " of " + in_quotes(second_class);
    add("AUC" + of, [](const Found& e) { return number(e.auc); });
    add("average precision" + of, [](const Found& e) { return number(e.average_precision); });
  }
  add("Brier score", [](const Found& e) { return number(e.brier); });
  add("calibration error (ECE)",
      [](const Found& e) { return number(e.classes.expected_calibration_error); });
  return table;
}

}  // namespace

Table evaluation_table(const EvaluationBeside& found, const Target& target) {
  const std::vector<Compared> all = compared(found, target.names.front());
  if (target.has_classes()) return class_table(all, target.classes.back());
  Table table;
  table.columns = {{"score"}};
  std::vector<const Evaluation::TargetScores*> columns;
  std::vector<Cell> nll{target.names.size() == 1 ? "NLL" : "joint NLL"};
  if (target.names.size() == 1) {
    for (const Compared& of : all) {
      table.columns.push_back({of.name, Align::right});
      columns.push_back(&of.evaluation->columns.front());
      nll.emplace_back(number(of.evaluation->nll));
    }
  } else {
    nll.emplace_back(number(found.model.nll));
    for (std::size_t k = 0; k < target.names.size(); ++k) {
      table.columns.push_back({target.names[k], Align::right});
      columns.push_back(&found.model.columns[k]);
    }
  }
  nll.resize(table.columns.size(), Cell(""));
  table.add(std::move(nll));
  const auto add = [&](std::string name, auto&& value) {
    std::vector<Cell> cells{Cell(std::move(name))};
    for (const Evaluation::TargetScores* column : columns) cells.emplace_back(value(*column));
    table.add(std::move(cells));
  };
  using Scores = Evaluation::TargetScores;
  add("RMSE of the mean", [](const Scores& c) { return number(c.rmse); });
  add("MAE of the median", [](const Scores& c) { return number(c.mae); });
  add("CRPS", [](const Scores& c) { return number(c.crps); });
  add("calibration error", [](const Scores& c) { return number(c.pit.calibration_error()); });
  for (std::size_t l = 0; l < Evaluation::levels.size(); ++l) {
    const double level = 100 * Evaluation::levels[l];
    add(fmt::format("coverage of the {:g} % interval", level),
        [&](const Scores& c) { return percent(c.coverage[l]); });
    add(fmt::format("width of the {:g} % interval", level),
        [&](const Scores& c) { return number(c.width[l]); });
  }
  return table;
}

Table input_table(const Model& model) {
  Table table;
  table.columns = {{"column"}, {"kind"}, {"inputs", Align::right}, {"in training"}, {"missing"}};
  for (const InputColumn& column : model.inputs.columns()) {
    const auto visit = [&](const auto& what) { return std::visit(what, column.how); };
    table.add({printable(column.name), std::string(column_kind_names[column.how.index()]),
               fmt::format("{}", column.width()),
               visit([](const auto& input) { return describe_range(input); }),
               visit([](const auto& input) { return marks_missing(input); }) ? "known" : ""});
  }
  return table;
}

std::vector<std::pair<std::string, std::string>> model_facts(const Model& model) {
  std::vector<std::pair<std::string, std::string>> facts;
  const Target& target = model.target;
  facts.emplace_back("target", names_in_quotes(target.names));
  facts.emplace_back("family", target.family);
  if (target.has_classes()) facts.emplace_back("classes", names_in_quotes(target.classes));
  if (model.series.is_series()) {
    facts.emplace_back("window", fmt::format("{} rows", model.series.window));
    facts.emplace_back("horizon", fmt::format("{} rows", model.series.horizon));
    if (!model.series.time.empty()) facts.emplace_back("time", in_quotes(model.series.time));
    if (!model.series.group.empty()) facts.emplace_back("group", in_quotes(model.series.group));
  }
  for (const NetworkGroup& group : model.groups) {
    const std::size_t networks = group.networks.size();
    std::string text = fmt::format("{}{} with {} parameters", group.method.name,
                                   networks == 1 ? "" : fmt::format(", {} networks", networks),
                                   group.networks.front().parameters.size());
    if (networks > 1) text += " each";
    if (!group.architecture.encoded.empty()) text += ", numbers encoded";
    if (model.groups.size() > 1) text += fmt::format(", weight {:.2f}", group.weight);
    facts.emplace_back("method", std::move(text));
  }
  for (const auto& [name, value] : model.training.items()) {
    if (value.is_structured()) continue;
    const Json shown = value.is_number_float() ? Json(rounded(value.get<double>())) : value;
    facts.emplace_back(name, as_text(Json{{name, shown}}).front().second);
  }
  facts.emplace_back("made by", "probmix " + model.made_by);
  return facts;
}

std::vector<std::pair<std::string, std::string>> model_options(const Model& model) {
  const auto found = model.training.find("options");
  if (found == model.training.end() || !found->is_object()) return {};
  return as_text(*found);
}

std::string model_page(const Model& model, const EvaluationBeside& found, const std::string& name,
                       const std::string& data) {
  const Evaluation& evaluation = found.model;
  HtmlReport page(
      fmt::format("How good are the predictions of {}?", names_in_quotes(model.target.names)),
      fmt::format("{} rows of {}, predicted by the model {}", evaluation.rows, data, name));
  for (const std::string& sentence : verdict(found, model.target)) {
    page.add_paragraph(sentence + ".");
  }
  page.add_heading("Scores");
  page.add_paragraph(
      model.target.has_classes()
          ? "Smaller is better for NLL, Brier score and calibration error, larger for the others."
          : "Smaller is better for NLL, RMSE, MAE, CRPS, calibration error and width. The coverage "
            "of an interval should equal its level: if it is smaller, the model is overconfident.");
  page.add_table(evaluation_table(found, model.target));
  std::vector<Figure> figures;
  for (std::size_t k = 0; k < evaluation.columns.size(); ++k) {
    figures.push_back(
        predictions_figure(evaluation.columns[k], model.target.names[k], evaluation.rows));
  }
  const bool has_confusion = !evaluation.confusion.empty();
  if (has_confusion || !figures.empty()) page.add_heading("Predictions");
  if (has_confusion) page.add_table(confusion_table(evaluation, model.target));
  if (!figures.empty()) page.add_figures(figures, {}, FigureGrid::wide);
  page.add_heading("Calibration");
  if (model.target.has_classes()) {
    add_class_pictures(evaluation, page);
  } else {
    add_number_pictures(evaluation, model.target, page);
  }
  page.add_heading("The model");
  page.add_table(input_table(model));
  page.add_details("Facts", model_facts(model));
  page.add_details("Training options", model_options(model));
  return page.html();
}

}  // namespace probmix::report
