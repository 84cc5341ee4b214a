#include "probmix/model/folds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "probmix/base/error.hpp"
#include "probmix/base/printable.hpp"
#include "probmix/base/random.hpp"
#include "probmix/data/split.hpp"

namespace probmix {
namespace {

std::vector<Fold> folds_of(std::span<const Index> part, Index folds) {
  std::vector<Fold> result(to_size(folds), Fold{.judged = {{"test", {}}}});
  for (std::size_t k = 0; k < part.size(); ++k) {
    for (Index f = 0; f < folds; ++f) {
      Fold& fold = result[to_size(f)];
      (part[k] == f ? fold.judged.front().examples : fold.train).push_back(static_cast<Index>(k));
    }
  }
  return result;
}

// Deals the examples to the folds in turn, class by class, continuing where the last class ended.
std::vector<Index> deal(std::span<const std::int64_t> classes, Index n, Index folds,
                        std::uint64_t seed) {
  std::vector<Index> order = random_order(n, seed);
  if (!classes.empty()) {
    std::ranges::stable_sort(order, {}, [&](Index k) { return classes[to_size(k)]; });
  }
  std::vector<Index> part(to_size(n));
  for (Index k = 0; k < n; ++k) part[to_size(order[to_size(k)])] = k % folds;
  return part;
}

// Assigns each group, largest first, to the part with the fewest rows so far.
std::vector<Index> deal_groups(std::span<const std::int64_t> group, Index folds,
                               std::uint64_t seed) {
  std::map<std::int64_t, Index> size;
  for (const std::int64_t g : group) ++size[g];
  check(std::ssize(size) >= folds, "{} groups are too few for {} folds; use fewer folds",
        size.size(), folds);
  std::vector<std::int64_t> order;
  for (const auto& [g, count] : size) order.push_back(g);
  order = take(order, random_order(std::ssize(order), seed));
  std::ranges::stable_sort(order, std::greater(), [&](std::int64_t g) { return size.at(g); });
  std::vector<Index> rows(to_size(folds));
  std::map<std::int64_t, Index> part_of;
  for (const std::int64_t g : order) {
    const auto least = std::ranges::min_element(rows);
    part_of[g] = least - rows.begin();
    *least += size.at(g);
  }
  std::vector<Index> part;
  for (const std::int64_t g : group) part.push_back(part_of.at(g));
  return part;
}

std::vector<Fold> folds_in_time(const ExampleTimes& times, Index folds, const FitOptions& options,
                                const std::string& file) {
  const Index n = std::ssize(times.target);
  std::vector<double> sorted = times.target;
  std::ranges::sort(sorted);
  std::vector<Fold> result;
  for (Index f = 1; f <= folds; ++f) {
    const double begin = sorted[to_size(f * n / (folds + 1))];
    const double end = f == folds ? std::numeric_limits<double>::infinity()
                                  : sorted[to_size((f + 1) * n / (folds + 1))];
    std::vector<Index> before_end;
    for (Index k = 0; k < n; ++k) {
      if (times.target[to_size(k)] < end) before_end.push_back(k);
    }
    Split split = split_at({begin, options.rules.straddling, file, "test"}, times, before_end);
    result.push_back(
        {.train = std::move(split.train), .judged = {{"test", std::move(split.validation)}}});
  }
  return result;
}

}  // namespace

std::vector<Fold> make_folds(const Frame& frame, const FitOptions& options,
                             const Examples& examples, std::span<const std::int64_t> classes,
                             Index folds, std::uint64_t seed) {
  const Index n = examples.count();
  const SeriesShape& shape = options.series;
  check_range("the number of folds", folds, 2, 1000);
  check(n >= 2 * folds, "{} examples are too few for {} folds; use fewer folds", n, folds);
  std::vector<Fold> result;
  if (is_split_in_time(shape)) {
    result = folds_in_time(times_of(frame, shape, examples), folds, options, frame.file);
  } else if (!shape.group.empty()) {
    result = folds_of(deal_groups(example_groups(frame, shape, examples), folds, seed), folds);
  } else {
    result = folds_of(deal(classes, n, folds, seed), folds);
  }
  for (const Fold& fold : result) {
    check(fold.train.size() >= 2 && !fold.judged.front().examples.empty(),
          "{}: there are too few times or groups for {} folds; use fewer folds", frame.file, folds);
  }
  return result;
}

std::vector<Split> split_for_ensemble(const Frame& frame, const FitOptions& options,
                                      const Examples& examples, std::span<const Index> used,
                                      std::span<const std::int64_t> classes, std::uint64_t seed) {
  const Index networks = options.ensemble.value_or(1);
  const SeriesShape& shape = options.series;
  const Index n = std::ssize(used);
  const bool is_same = options.validation == 0 || is_split_in_time(shape) ||
                       options.validation_rows == ValidationRows::last;
  if (networks == 1 || is_same || n < 2) {
    const Split split = split_examples(frame, options, examples, used, classes, seed);
    return std::vector(to_size(networks), split);
  }
  const auto of_used = [&](const std::vector<std::int64_t>& of_all) { return take(of_all, used); };
  std::vector<std::int64_t> group;
  Index parts = std::clamp<Index>(std::llround(1 / options.validation), 2, n);
  if (!shape.group.empty()) {
    group = of_used(example_groups(frame, shape, examples));
    parts = std::min<Index>(parts, std::ssize(std::set(group.begin(), group.end())));
    check(parts >= 2, "{}: all rows have the same {}, so none can be held out; give `validation` 0",
          frame.file, in_quotes(shape.group));
  }
  const auto used_classes = classes.empty() ? std::vector<std::int64_t>{} : take(classes, used);
  std::vector<Split> splits;
  std::vector<Index> part;
  for (Index k = 0; k < networks; ++k) {
    if (k % parts == 0) {  // another deal once each part has been held out
      const std::uint64_t deal_seed = derive_seed(seed, static_cast<std::uint64_t>(k / parts));
      part = group.empty() ? deal(used_classes, n, parts, deal_seed)
                           : deal_groups(group, parts, deal_seed);
    }
    Split& split = splits.emplace_back();
    for (Index r = 0; r < n; ++r) {
      (part[to_size(r)] == k % parts ? split.validation : split.train).push_back(used[to_size(r)]);
    }
  }
  return splits;
}

Fold last_fold(const Frame& frame, const FitOptions& options, const Examples& examples,
               double share) {
  check_usage(share >= 0 && share < 1, "`test` must be from 0 to below 1, not {}", share);
  const std::vector<Index> all = first_numbers(examples.count());
  const Index held = std::llround(share * static_cast<double>(frame.rows()));
  if (held == 0) return {.train = all, .judged = {{"test", {}}}};
  const ExampleTimes times = times_of(frame, options.series, examples);
  double boundary = static_cast<double>(frame.rows() - held);  // without a time, rows are counted
  if (!options.series.time.empty()) {
    std::vector<double> sorted = frame.column(options.series.time).values.copy();
    std::ranges::sort(sorted);
    boundary = sorted[to_size(frame.rows() - held)];
  }
  Split split = split_at({boundary, options.rules.straddling, frame.file, "test"}, times, all);
  check(!split.validation.empty(), "{}: no target lies in the last {} of {} rows; raise `test`",
        frame.file, held, frame.rows());
  return {.train = std::move(split.train), .judged = {{"test", std::move(split.validation)}}};
}

}  // namespace probmix
