#include "probmix/sweep/study_data.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "probmix/base/error.hpp"
#include "probmix/base/fingerprint.hpp"
#include "probmix/base/thread_clock.hpp"
#include "probmix/metric/marginal.hpp"
#include "probmix/model/evaluation.hpp"
#include "probmix/model/held_out.hpp"
#include "probmix/model/model_predictor.hpp"
#include "probmix/options/candidates.hpp"
#include "probmix/options/option.hpp"

namespace probmix {
namespace {

// The mean of a value over all targets.
template <class Value>
double mean_over(const Evaluation& evaluation, const Value& value) {
  double sum = 0;
  for (const Evaluation::TargetScores& column : evaluation.columns) sum += value(column);
  return sum / static_cast<double>(evaluation.columns.size());
}

Json scores_of(const Evaluation& evaluation, const Target& target, bool standardised,
               Judging judging) {
  if (target.has_classes()) return to_json(evaluation, target);
  const double log_unit = standardised ? target.log_scale() : 0;
  const double unit = standardised ? target.scale.front() : 1;
  const double mse =
      mean_over(evaluation, [](const auto& c) { return c.rmse * c.rmse; }) / (unit * unit);
  Json json = {{"rows", evaluation.rows},
               {"nll", evaluation.nll - log_unit},
               {"draws_nll", evaluation.draws_nll - log_unit},
               {"mse", mse},
               {"rmse", std::sqrt(mse)}};
  if (judging == Judging::with_crps) {
    json["crps"] = mean_over(evaluation, [](const auto& c) { return c.crps; }) / unit;
    static_assert(PitHistogram::bins == 20);  // the outer ones hold what is outside 90 %
    json["coverage_90"] = mean_over(
        evaluation, [](const auto& c) { return 1 - c.pit.share.front() - c.pit.share.back(); });
  }
  Json& pit = json["pit"] = Json::array();
  for (std::size_t b = 0; b < PitHistogram::bins; ++b) {
    pit.push_back(rounded(mean_over(evaluation, [&](const auto& c) { return c.pit.share[b]; })));
  }
  return json;
}

// The scores of a part without rows.
Json no_scores(const Target& target) {
  Json json = {{"rows", 0}};
  const std::vector<const char*> numbers = {"nll", "draws_nll", "mse", "rmse"};
  const std::vector<const char*> classes = {"nll", "draws_nll", "brier", "accuracy", "ece"};
  for (const char* const score : target.has_classes() ? classes : numbers) {
    json[score] = std::numeric_limits<double>::quiet_NaN();
  }
  return json;
}

// The mixed loss and the validation NLL over epochs, thinned out, in the units of the scores.
Json curve_of(const FitResult<float>& fitted, double log_unit) {
  constexpr Index most_points = 100;
  const Index epochs = std::ssize(fitted.history);
  const Index points = std::min(epochs, most_points);
  Json epoch = Json::array(), loss = Json::array(), validation = Json::array();
  for (Index p = 1; p <= points; ++p) {
    const Index e = epochs * p / points;
    const Epoch& at = fitted.history[to_size(e - 1)];
    epoch.push_back(e);
    loss.push_back(rounded(at.loss + log_unit));
    validation.push_back(rounded(at.validation_nll + log_unit));
  }
  return {{"epoch", epoch}, {"loss", loss}, {"validation_nll", validation}};
}

// Finds what is wrong with the options before any training.
void check_fit(const FitOptions& options, const Prepared& data) {
  check_options(options);
  const Index rows = std::ssize(data.splits.front().train);
  check_usage(!method_of(options).local || options.mix.neighbours < rows,
              "`neighbours` must be from 1 to {} for {} training rows, not {}", rows - 1, rows,
              options.mix.neighbours);
  make_network<float>(options.architecture, method_of(options).embedding, options.series.window,
                      data.inputs.width(), data.responses.front().target.make());
}

}  // namespace

std::string fingerprint_of(const Frame& frame) {
  Fingerprint print;
  for (const FrameColumn& column : frame.columns) {
    print.add(column.name);
    print.add(static_cast<std::uint64_t>(column.kind));
    print.add(column.values.copy());
    for (const std::int32_t code : column.codes) print.add(static_cast<std::uint64_t>(code));
    for (const std::string& level : column.levels) print.add(level);
  }
  return print.text();
}

Json configuration_of(const StudyData& data, const FitOptions& options, Index repeat) {
  Json json = data.identity;
  json[data.repeat] = repeat;
  json.update(configuration_of(options, option_group::columns));
  json.update(configuration_of(options));
  if (const auto varied = varied_options(options); !varied.empty()) json["varied"] = varied;
  return json;
}

namespace {

bool hold_out_other_rows(const Prepared& parts) {
  return parts.splits.front().validation != parts.splits.back().validation;
}

// Each row is judged by a network that did not learn from it.
Evaluation evaluate_held_out(const Prepared& parts, Index response, const Model& model) {
  const Model first = network_of_each_group(model, 0);
  Evaluator evaluator(model.target, ModelPredictor(first, 1).all_members(), 1, Judging::briefly);
  for (Index k = 0; k < std::ssize(parts.splits); ++k) {
    const Model single = network_of_each_group(model, k);
    ModelPredictor predict(single, 1);
    const Dataset<float> rows = parts.validation(k, response);
    evaluator.add(predict.outputs(rows.x.view()), rows.y.view());
  }
  return evaluator.result();
}

// The NLL of other examples under the density that fits all training rows best.
double marginal_nll_of(const Prepared& parts, Index response, const Target& target,
                       const Dataset<float>& judged) {
  const Split& split = parts.splits.front();
  std::vector<Index> used = split.train;
  used.insert(used.end(), split.validation.begin(), split.validation.end());
  const Family family = target.make();
  const Dataset<float> rows = parts.part(used, response);
  return marginal_nll(family, fit_marginal(family, rows.y.view()), judged.y.view()) +
         target.log_scale();
}

}  // namespace

Json run_fit(const StudyData& data, const FitOptions& options, Index repeat) {
  const StudyData::Case at = data.at(repeat);
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  const double cpu_start = thread_seconds();
  ModelFit fit(*at.table, options, at.fold);
  fit.finish();
  if (fit.networks() == 1 && !fit.diverged().empty()) throw Diverged(fit.diverged().front());
  const Model model = fit.model();
  const std::chrono::duration<double> training = Clock::now() - start;
  const double cpu_training = thread_seconds() - cpu_start;
  ModelPredictor predict(model, 1);
  const auto judge = [&](const Dataset<float>& rows, Judging judging) {
    if (rows.rows() == 0) return no_scores(model.target);
    return scores_of(evaluate(predict, model.target, rows.x.view(), rows.y.view(), judging),
                     model.target, data.standardised, judging);
  };
  const Prepared& parts = fit.data();
  Json result = {{"train", judge(parts.train(0, fit.response()), Judging::briefly)}};
  if (hold_out_other_rows(parts)) {
    result["validation"] = scores_of(evaluate_held_out(parts, fit.response(), model), model.target,
                                     data.standardised, Judging::briefly);
  } else {
    result["validation"] = judge(parts.validation(0, fit.response()), Judging::briefly);
  }
  for (const Fold::Part& part : at.fold.judged) {
    result[part.name] = judge(parts.part(*at.table, part.examples, model.target),
                              data.has_crps ? Judging::with_crps : Judging::briefly);
  }
  result["best_epoch"] = fit.progress().best_epoch;
  if (data.is_benchmark) {
    const Dataset<float> judged =
        parts.part(*at.table, at.fold.judged.front().examples, model.target);
    result["family"] = model.target.family;
    result["marginal_nll"] = marginal_nll_of(parts, fit.response(), model.target, judged);
    result["seconds"] = training.count();
    const double cpu_before = thread_seconds();
    predict.outputs(judged.x.view());
    result["cpu_seconds"] = cpu_training + thread_seconds() - cpu_before;
  }
  if (repeat != 0) return result;
  const double log_unit = data.standardised ? 0 : model.target.log_scale();
  result["curve"] = curve_of(fit.progress(), log_unit);
  if (data.pictures) result["pictures"] = data.pictures(at, fit, model);
  return result;
}

std::vector<StudyCell> study_cells(const std::vector<std::shared_ptr<const StudyData>>& sets,
                                   const std::vector<const Method*>& chosen) {
  std::vector<StudyCell> cells;
  for (const auto& data : sets) {
    const StudyData::Case first = data->at(0);
    const auto prepared =
        std::make_shared<const Prepared>(prepare(*first.table, data->options, first.fold));
    for (const Method* const method : chosen) {
      const auto with = [data, method](const MixOptions& mix) {
        FitOptions options = data->options;
        if (!data->is_benchmark) options.method = *method;  // else as in the recipe
        options.mix = mix;
        options.train.threads = 1;  // runs are executed side by side
        return options;
      };
      cells.push_back(
          {.name = fmt::format("{} {}", data->name, method->name),
           .check = [with, prepared](const MixOptions& mix) { check_fit(with(mix), *prepared); },
           .run =
               [with, data](const MixOptions& mix, Index repeat) {
                 check_usage(data->repeats == 0 || repeat < data->repeats,
                             "{} has {} {}s, numbered from 0; there is no {} {}", data->name,
                             data->repeats, data->repeat, data->repeat, repeat);
                 const FitOptions options = with(mix);
                 return StudyRun{configuration_of(*data, options, repeat),
                                 [=] { return run_fit(*data, options, repeat); }};
               }});
    }
  }
  return cells;
}

}  // namespace probmix
