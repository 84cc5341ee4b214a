#include "probmix/model/evaluation.hpp"

#include <algorithm>
#include <cmath>

#include "probmix/base/error.hpp"
#include "probmix/metric/scores.hpp"
#include "probmix/model/model_predictor.hpp"

namespace probmix {
namespace {

constexpr std::size_t level_count = Evaluation::levels.size();
constexpr std::size_t rows_in_picture = 250;

// The scores of one row for one target.
struct RowScores {
  double squared_error, absolute_error, crps;
  std::array<double, level_count> covered, width;
  Evaluation::Judged judged;
};

RowScores judge(const Predictive& density, Index k, double y, Judging judging) {
  RowScores scores{};
  const double error = density.mean(k) - y;
  scores.squared_error = error * error;
  if (judging == Judging::briefly) return scores;
  scores.crps = density.crps(k, y);
  if (judging == Judging::with_crps) return scores;
  scores.absolute_error = std::abs(density.quantile(k, 0.5) - y);
  scores.judged = {y, density.mean(k), 0, 0};
  for (std::size_t l = 0; l < level_count; ++l) {
    const double low = density.quantile(k, (1 - Evaluation::levels[l]) / 2);
    const double high = density.quantile(k, (1 + Evaluation::levels[l]) / 2);
    scores.covered[l] = low <= y && y <= high ? 1 : 0;
    scores.width[l] = high - low;
    if (Evaluation::levels[l] == 0.9) {
      scores.judged.low = low;
      scores.judged.high = high;
    }
  }
  return scores;
}

}  // namespace

Evaluator::Evaluator(const Target& target, const Members& members, Index threads, Judging judging)
    : target_(target),
      family_(target.make()),
      likelihood_(target.likelihood()),
      members_(members.count),
      weights_(members.weights.begin(), members.weights.end()),
      team_(threads),
      judging_(judging) {
  const std::size_t classes = target.classes.size();
  if (classes <= Evaluation::most_confused) sum_.confusion.resize(classes * classes);
  sum_.observed.resize(classes);
  sum_.recalled.resize(classes);
  if (classes == 2) two_classes_ = std::make_unique<TwoClasses>();
  some_.assign(target.names.size(), EvenSample<Evaluation::Judged>(rows_in_picture));
}

void Evaluator::add(View<const float> out, View<const double> y) {
  sum_.rows += y.rows;
  const auto rows = static_cast<double>(y.rows);
  const Scores scores = score(likelihood_, out, all_members(), y);
  if (!std::isfinite(scores.nll + scores.draws_nll + scores.mse)) {
    count_not_finite(out, y);
    return;
  }
  sum_.nll += rows * scores.nll;
  sum_.draws_nll += rows * scores.draws_nll;
  sum_.brier += rows * scores.mse;  // reported for classes only
  if (target_.has_classes()) {
    add_classes(out, y);
  } else if (target_.is_censored()) {
    add_observed(out, y);
  } else {
    add_numbers(out, y);
  }
}

// Errors and intervals can be judged where the target is known.
void Evaluator::add_observed(View<const float> out, View<const double> y) {
  const Index observed = target_.observed(y);
  sum_.censored += y.rows - observed;
  if (observed == 0) return;
  Matrix<float> outputs(observed * members_, out.cols);
  Matrix<double> values(observed, 1);
  Index to = 0;
  for (Index r = 0; r < y.rows; ++r) {
    if (!target_.is_observed(y, r)) continue;
    std::copy_n(out.row(r * members_), members_ * out.cols, outputs.row(to * members_));
    values(to++, 0) = y(r, 0);
  }
  add_numbers(outputs.view(), values.view());
}

void Evaluator::count_not_finite(View<const float> out, View<const double> y) {
  for (Index r = 0; r < y.rows; ++r) {
    const View<const float> row{out.row(r * members_), members_, out.cols};
    const Scores scores =
        score(likelihood_, row, all_members(), View<const double>{y.row(r), 1, y.cols});
    if (std::isfinite(scores.nll + scores.draws_nll + scores.mse)) continue;
    if (++not_finite_ == 1) first_not_finite_ = sum_.rows - y.rows + r + 1;
  }
}

Predictive Evaluator::density(View<const float> out, Index r) const {
  return {target_, family_, {out.row(r * members_), members_, out.cols}, weights_};
}

void Evaluator::add_numbers(View<const float> out, View<const double> y) {
  std::vector<RowScores> scores(to_size(y.rows * y.cols));
  team_.run(y.rows, [&](Index r, Index) {
    const Predictive density = this->density(out, r);
    for (Index k = 0; k < y.cols; ++k) {
      const double response = target_.shift[to_size(k)] + target_.scale[to_size(k)] * y(r, k);
      scores[to_size(r * y.cols + k)] = judge(density, k, response, judging_);
    }
  });
  sum_.columns.resize(to_size(y.cols));
  for (Index k = 0; k < y.cols; ++k) {
    Evaluation::TargetScores& column = sum_.columns[to_size(k)];
    for (Index r = 0; r < y.rows; ++r) {
      const RowScores& row = scores[to_size(r * y.cols + k)];
      column.rmse += row.squared_error;
      column.mae += row.absolute_error;
      column.crps += row.crps;
      for (std::size_t l = 0; l < level_count; ++l) {
        column.coverage[l] += row.covered[l];
        column.width[l] += row.width[l];
      }
      if (judging_ == Judging::fully) some_[to_size(k)].add(row.judged);
    }
    const PitHistogram pit = pit_histogram(family_, out, all_members(), y, static_cast<int>(k));
    for (std::size_t b = 0; b < PitHistogram::bins; ++b) {
      column.pit.share[b] += static_cast<double>(y.rows) * pit.share[b];
    }
  }
}

void Evaluator::add_classes(View<const float> out, View<const double> y) {
  std::vector<std::size_t> likely(to_size(y.rows));
  std::vector<double> last(to_size(y.rows));  // the probability of the last class
  team_.run(y.rows, [&](Index r, Index) {
    const std::vector<double> p = density(out, r).probabilities();
    likely[to_size(r)] = static_cast<std::size_t>(std::ranges::max_element(p) - p.begin());
    last[to_size(r)] = p.back();
  });
  for (Index r = 0; r < y.rows; ++r) {
    const auto observed = static_cast<std::size_t>(y(r, 0));
    const std::size_t predicted = likely[to_size(r)];
    ++sum_.observed[observed];
    if (observed == predicted) ++sum_.recalled[observed];
    if (two_classes_) two_classes_->add(last[to_size(r)], observed == 1);
    if (sum_.confusion.empty()) continue;
    ++sum_.confusion[observed * target_.classes.size() + predicted];
  }
  const Reliability found = reliability(family_, out, all_members(), y);
  for (std::size_t b = 0; b < Reliability::bin_count; ++b) {
    const Reliability::Bin& from = found.bins[b];
    Reliability::Bin& to = sum_.classes.bins[b];
    if (from.count == 0) continue;
    to.count += from.count;
    to.confidence += static_cast<double>(from.count) * from.confidence;
    to.accuracy += static_cast<double>(from.count) * from.accuracy;
  }
}

Evaluation Evaluator::result() const {
  check(sum_.rows > 0, "there are no rows with a target to evaluate on");
  check(sum_.rows > sum_.censored, "the targets of all {} rows are censored, none is known",
        sum_.rows);
  check_converges(not_finite_ == 0,
                  "the predicted density is not finite in {} of {} rows, first in row {}: the "
                  "model is of no use; train with a smaller `learning-rate`, or `clip` 1",
                  not_finite_, sum_.rows, first_not_finite_);
  Evaluation mean = sum_;
  const auto rows = static_cast<double>(sum_.rows);
  const auto observed = static_cast<double>(sum_.rows - sum_.censored);
  const double log_scale = target_.log_scale() * observed / rows;  // probabilities have no unit
  mean.nll = sum_.nll / rows + log_scale;
  mean.draws_nll = sum_.draws_nll / rows + log_scale;
  mean.brier /= rows;
  for (Evaluation::TargetScores& column : mean.columns) {
    column.rmse = std::sqrt(column.rmse / observed);
    column.mae /= observed;
    column.crps /= observed;
    for (double& share : column.pit.share) share /= observed;
    for (double& covered : column.coverage) covered /= observed;
    for (double& width : column.width) width /= observed;
  }
  for (std::size_t k = 0; k < mean.columns.size(); ++k) mean.columns[k].some = some_[k].values();
  mean.classes.finish(sum_.rows);
  Index classes = 0;  // among the rows
  for (std::size_t c = 0; c < mean.observed.size(); ++c) {
    if (mean.observed[c] == 0) continue;
    ++classes;
    mean.balanced_accuracy +=
        static_cast<double>(mean.recalled[c]) / static_cast<double>(mean.observed[c]);
  }
  mean.balanced_accuracy /= static_cast<double>(std::max<Index>(1, classes));
  if (two_classes_) {
    mean.auc = two_classes_->auc();
    mean.average_precision = two_classes_->average_precision();
  }
  return mean;
}

Json to_json(const Reliability& reliability) {
  Json bins = Json::array();
  for (const Reliability::Bin& bin : reliability.bins) {
    bins.push_back({{"count", bin.count},
                    {"confidence", bin.count == 0 ? 0 : rounded(bin.confidence)},
                    {"accuracy", bin.count == 0 ? 0 : rounded(bin.accuracy)}});
  }
  return bins;
}

namespace {

// {"classes", "rows": for each class, its rows counted by their most probable class}.
Json confusion_json(const Evaluation& evaluation, const Target& target) {
  const std::size_t classes = target.classes.size();
  Json rows = Json::array();
  for (std::size_t c = 0; c < classes; ++c) {
    const auto first = evaluation.confusion.begin() + static_cast<std::ptrdiff_t>(c * classes);
    rows.push_back(std::vector(first, first + static_cast<std::ptrdiff_t>(classes)));
  }
  return {{"classes", target.classes}, {"rows", std::move(rows)}};
}

}  // namespace

Json to_json(const Evaluation& evaluation, const Target& target) {
  Json json = {
      {"rows", evaluation.rows}, {"nll", evaluation.nll}, {"draws_nll", evaluation.draws_nll}};
  if (target.is_censored()) json["censored"] = evaluation.censored;
  if (target.has_classes()) {
    json.update(Json{{"accuracy", evaluation.classes.accuracy},
                     {"balanced_accuracy", evaluation.balanced_accuracy},
                     {"brier", evaluation.brier},
                     {"ece", evaluation.classes.expected_calibration_error},
                     {"reliability", to_json(evaluation.classes)}});
    if (std::isfinite(evaluation.auc)) {
      json["auc"] = evaluation.auc;
      json["average_precision"] = evaluation.average_precision;
    }
    if (!evaluation.confusion.empty()) json["confusion"] = confusion_json(evaluation, target);
    return json;
  }
  Json targets = Json::array();
  for (std::size_t k = 0; k < evaluation.columns.size(); ++k) {
    const Evaluation::TargetScores& column = evaluation.columns[k];
    Json intervals = Json::array();
    for (std::size_t l = 0; l < level_count; ++l) {
      intervals.push_back({{"level", Evaluation::levels[l]},
                           {"coverage", column.coverage[l]},
                           {"width", column.width[l]}});
    }
    targets.push_back({{"target", target.names[k]},
                       {"rmse", column.rmse},
                       {"mae", column.mae},
                       {"crps", column.crps},
                       {"calibration_error", column.pit.calibration_error()},
                       {"intervals", std::move(intervals)},
                       {"pit", column.pit.share}});
  }
  json["targets"] = std::move(targets);
  return json;
}

Evaluation evaluate(ModelPredictor& predict, const Target& target, View<const float> x,
                    View<const double> y, Judging judging, Index threads) {
  Evaluator evaluator(target, predict.all_members(), threads, judging);
  const Index block = predict.block_rows();
  for (Index first = 0; first < x.rows; first += block) {
    const Index rows = std::min(block, x.rows - first);
    evaluator.add(predict.outputs({x.row(first), rows, x.cols}), {y.row(first), rows, y.cols});
  }
  return evaluator.result();
}

}  // namespace probmix
