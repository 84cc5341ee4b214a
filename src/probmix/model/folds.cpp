#include "probmix/model/folds.hpp"

#include <algorithm>
#include <map>

#include "probmix/base/error.hpp"
#include "probmix/data/split.hpp"

namespace probmix {
namespace {

std::vector<Fold> folds_of(std::span<const Index> part, Index folds) {
  std::vector<Fold> result(to_size(folds));
  for (std::size_t k = 0; k < part.size(); ++k) {
    for (Index f = 0; f < folds; ++f) {
      Fold& fold = result[to_size(f)];
      (part[k] == f ? fold.test : fold.train).push_back(static_cast<Index>(k));
    }
  }
  return result;
}

// Deals out the examples of each class in turn, and goes on with the next class where it was.
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

// Groups, the largest first, each to the part that has the fewest rows so far.
std::vector<Index> deal_groups(std::span<const std::int64_t> group, Index folds,
                               std::uint64_t seed) {
  std::map<std::int64_t, Index> size;
  for (const std::int64_t g : group) ++size[g];
  check(std::ssize(size) >= folds, "{} groups cannot be dealt out to {} folds; take fewer folds",
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

std::vector<Fold> folds_in_time(std::span<const double> time, Index folds) {
  const Index n = std::ssize(time);
  std::vector<double> sorted(time.begin(), time.end());
  std::ranges::sort(sorted);
  std::vector<double> first;  // times at which parts 1, 2, ..., folds begin
  for (Index f = 1; f <= folds + 1; ++f) {
    first.push_back(f > folds ? sorted.back() + 1 : sorted[to_size(f * n / (folds + 1))]);
  }
  std::vector<Fold> result(to_size(folds));
  for (Index k = 0; k < n; ++k) {
    for (std::size_t f = 0; f < result.size(); ++f) {
      if (time[to_size(k)] < first[f]) {
        result[f].train.push_back(k);
      } else if (time[to_size(k)] < first[f + 1] || f + 1 == result.size()) {
        result[f].test.push_back(k);
      }
    }
  }
  return result;
}

}  // namespace

std::vector<Fold> make_folds(const Frame& frame, const SeriesShape& shape, const Examples& examples,
                             std::span<const std::int64_t> classes, Index folds,
                             std::uint64_t seed) {
  const Index n = examples.count();
  check_range("folds", folds, 2, 1000);
  check(n >= 2 * folds, "{} examples are too few for {} folds", n, folds);
  std::vector<Fold> result;
  if (is_split_in_time(shape)) {
    result = folds_in_time(example_times(frame, shape, examples), folds);
    for (Fold& fold : result) keep_known(frame, shape, examples, fold.train, fold.test);
  } else if (!shape.group.empty()) {
    result = folds_of(deal_groups(example_groups(frame, shape, examples), folds, seed), folds);
  } else {
    result = folds_of(deal(classes, n, folds, seed), folds);
  }
  for (const Fold& fold : result) {
    check(fold.train.size() >= 2 && !fold.test.empty(),
          "{}: there are too few times or groups for {} folds; take fewer", frame.file, folds);
  }
  return result;
}

}  // namespace probmix
