#include "probmix/experiment/compare.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "probmix/base/error.hpp"
#include "probmix/base/fingerprint.hpp"
#include "probmix/math/special.hpp"
#include "probmix/model/configuration.hpp"
#include "probmix/model/describe.hpp"
#include "probmix/model/evaluation.hpp"
#include "probmix/model/model_predictor.hpp"

namespace probmix {
namespace {

std::string fingerprint_of(const Frame& frame) {
  Fingerprint print;
  for (const FrameColumn& column : frame.columns) {
    print.add(column.name);
    print.add(static_cast<std::uint64_t>(column.kind));
    print.add(column.values);
    for (const std::int32_t code : column.codes) print.add(static_cast<std::uint64_t>(code));
    for (const std::string& level : column.levels) print.add(level);
  }
  return print.text();
}

double root_mean_square(const Evaluation& evaluation) {
  double sum = 0;
  for (const Evaluation::TargetScores& column : evaluation.columns)
    sum += column.rmse * column.rmse;
  return std::sqrt(sum / static_cast<double>(evaluation.columns.size()));
}

double mean_crps(const Evaluation& evaluation) {
  double sum = 0;
  for (const Evaluation::TargetScores& column : evaluation.columns) sum += column.crps;
  return sum / static_cast<double>(evaluation.columns.size());
}

// In the form of the other studies.
Json scores_of(const Evaluation& evaluation, const Target& target) {
  Json json = to_json(evaluation, target);
  if (target.has_classes()) return json;
  json.erase("targets");
  json["rmse"] = root_mean_square(evaluation);
  json["crps"] = mean_crps(evaluation);
  Json pit = Json::array();  // of all targets together
  for (std::size_t b = 0; b < PitHistogram::bins; ++b) {
    double share = 0;
    for (const Evaluation::TargetScores& column : evaluation.columns) share += column.pit.share[b];
    pit.push_back(rounded(share / static_cast<double>(evaluation.columns.size())));
  }
  json["pit"] = std::move(pit);
  return json;
}

}  // namespace

Comparison::Comparison(const Frame& frame, CompareOptions options)
    : frame_(frame), options_(std::move(options)), fingerprint_(fingerprint_of(frame)) {
  check_range("repeats", options_.repeats, 1, 1000);
  const Prepared data = prepare(frame, options_.fit);
  remarks_ = data.remarks;
  if (!options_.fit.weights.empty()) {
    remarks_.emplace_back("weights act on training; in the scores all rows count the same");
  }
  options_.fit.family = data.target.family;
  study_ = data.target.has_classes() ? "compare-classes" : "compare";
  const SeriesShape& shape = options_.fit.series;
  examples_ = find_examples(frame, shape, options_.fit.targets);
  const Target whole = Target::learn(frame, options_.fit.targets, data.target.family,
                                     options_.fit.family_options, examples_.target);
  const std::vector<std::int64_t> classes = example_classes(frame, whole, examples_);
  const Index repeats = is_split_in_time(shape) ? 1 : options_.repeats;
  for (Index repeat = 0; repeat < repeats; ++repeat) {
    std::ranges::move(
        make_folds(frame, shape, examples_, classes, options_.folds,
                   derive_seed(options_.fit.seed, 2 + static_cast<std::uint64_t>(repeat))),
        std::back_inserter(folds_));
  }
}

double Comparison::test_share() const {
  double sum = 0;
  for (const Fold& fold : folds_) {
    sum += static_cast<double>(fold.test.size()) / static_cast<double>(fold.train.size());
  }
  return sum / static_cast<double>(folds_.size());
}

FitOptions Comparison::fit_options(const Method& method, const MixOptions& mix) const {
  FitOptions fit = options_.fit;
  fit.method = method;
  fit.mix = mix;
  fit.train.threads = 1;  // folds run side by side
  return fit;
}

Json Comparison::configuration(const Method& method, const MixOptions& mix, Index fold) const {
  const FitOptions fit = fit_options(method, mix);
  Json json = {{"dataset", std::filesystem::path(frame_.file).filename().string()},
               {"fingerprint", fingerprint_},
               {"rows", examples_.count()},
               {"target", fit.targets},
               {"inputs", fit.inputs.empty() ? Json("all") : Json(fit.inputs)},
               {"weights", fit.weights},
               {"time", fit.series.time},
               {"group", fit.series.group},
               {"window", fit.series.window},
               {"horizon", fit.series.horizon},
               {"most-levels", fit.input_options.most_levels},
               {"folds", options_.folds},
               {"fold", fold}};
  json.update(configuration_of(fit));
  json.update(configuration_of(fit.family, fit.family_options));
  return json;
}

Json Comparison::run(const Method& method, const MixOptions& mix, Index number) const {
  const Fold& fold = folds_[to_size(number)];
  ModelFit fit(frame_, fit_options(method, mix), fold.train);
  while (!fit.done()) fit.run_epoch();
  const Model model = fit.model();
  InputOddities ignored;
  const Matrix<float> rows = model.inputs.encode(frame_, ignored);
  ModelPredictor predict(model, 1);
  const auto judge = [&](const std::vector<Index>& chosen) {
    const Matrix<float> x = gather_windows(rows, examples_, chosen, model.series.window);
    const Matrix<double> y = model.target.encode(frame_, take(examples_.target, chosen));
    Evaluator evaluator(model.target, predict.members());
    const Index block = predict.block_rows();
    for (Index first = 0; first < x.rows(); first += block) {
      const Index count = std::min(block, x.rows() - first);
      evaluator.add(predict.outputs({x.row(first), count, x.cols()}),
                    {y.row(first), count, y.cols()});
    }
    return scores_of(evaluator.result(), model.target);
  };
  return {{"train", judge(fold.train)},
          {"validation", {{"nll", model.training.value("validation-nll", NAN)}}},
          {"test", judge(fold.test)},
          {"best_epoch", fit.progress().best_epoch}};
}

std::vector<StudyCell> Comparison::cells(const std::vector<const Method*>& chosen) const {
  std::vector<StudyCell> cells;
  for (const Method* const method : chosen) {
    cells.push_back(
        {.name = std::string(method->name),
         .check =
             [this, method](const MixOptions& mix) {
               const FitOptions fit = fit_options(*method, mix);
               check_options(fit.mix);
               const auto fewest = std::ranges::min_element(
                   folds_, {}, [](const Fold& fold) { return fold.train.size(); });
               const double kept = 1 - fit.validation;
               const auto rows =
                   static_cast<long long>(kept * static_cast<double>(fewest->train.size()));
               if (method->local) check_range("neighbours", fit.mix.neighbours, 1, rows - 2);
             },
         .run =
             [this, method](const MixOptions& mix, Index fold) {
               check_range("fold", fold, 0, runs() - 1);
               return StudyRun{configuration(*method, mix, fold),
                               [this, method, mix, fold] { return run(*method, mix, fold); }};
             }});
  }
  return cells;
}

Recommendation recommend(const StudyView& view, const std::vector<CellSummary>& cells,
                         double test_share) {
  std::vector<const CellSummary*> order;
  for (const CellSummary& cell : cells) {
    if (std::isfinite(judged_mean(view, cell, 0))) order.push_back(&cell);
  }
  std::ranges::stable_sort(order, {},
                           [&](const CellSummary* cell) { return judged_mean(view, *cell, 0); });
  Recommendation found;
  if (order.empty()) return found;
  found.best = order[0]->method;
  if (order.size() < 2) return found;
  found.second = order[1]->method;
  const std::vector<double> best = order[0]->group.values(view.scores[0].pointer);
  const std::vector<double> second = order[1]->group.values(view.scores[0].pointer);
  check(best.size() == second.size(), "the methods were judged on {} and {} folds", best.size(),
        second.size());
  found.runs = std::ssize(best);
  const auto n = static_cast<double>(best.size());
  for (std::size_t k = 0; k < best.size(); ++k) {
    found.wins += best[k] < second[k] ? 1 : 0;
    found.difference += (second[k] - best[k]) / n;
  }
  double variance = 0;
  for (std::size_t k = 0; k < best.size(); ++k) {
    const double apart = second[k] - best[k] - found.difference;
    variance += apart * apart / (n - 1);
  }
  if (best.size() < 3) {
    found.p = std::numeric_limits<double>::quiet_NaN();
  } else if (variance > 0) {
    const double t2 = found.difference * found.difference / ((1 / n + test_share) * variance);
    const double freedom = n - 1;
    found.p = beta_cdf(freedom / 2, 0.5, freedom / (freedom + t2));
  } else {
    found.p = found.difference > 0 ? 0 : 1;
  }
  return found;
}

std::string to_text(const Recommendation& found) {
  if (found.best == nullptr) return "No method came to an end on all folds.";
  std::string text = fmt::format("Take {}", found.best->name);
  if (found.second == nullptr) return text + ": there is no other to compare it with.";
  text += fmt::format(
      ": its test NLL is the lowest, {:.3g} below that of {}, which it beats in {} of {} folds.",
      found.difference, found.second->name, found.wins, found.runs);
  if (std::isnan(found.p))
    return text + " With so few folds nothing can be said of how sure that is.";
  return text + fmt::format(" {} (p = {:.2g}).",
                            found.p < 0.05
                                ? "The difference is more than chance between folds explains"
                            : found.p < 0.32 ? "The difference may be chance between folds"
                                             : "The two are as good as equal",
                            found.p);
}

Json to_json(const Recommendation& found) {
  const auto name = [](const Method* method) {
    return method == nullptr ? Json(nullptr) : Json(method->name);
  };
  return {{"method", name(found.best)},
          {"second", name(found.second)},
          {"wins", found.wins},
          {"runs", found.runs},
          {"difference", found.difference},
          {"p", std::isnan(found.p) ? Json(nullptr) : Json(found.p)},
          {"text", to_text(found)}};
}

}  // namespace probmix
