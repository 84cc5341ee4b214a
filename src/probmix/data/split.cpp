#include "probmix/data/split.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "probmix/base/error.hpp"
#include "probmix/base/random.hpp"

namespace probmix {

namespace {

// The number of rows out of n for validation.
Index held_out(Index n, double fraction) {
  check_usage(fraction >= 0 && fraction < 1, "the validation fraction must lie in [0, 1), not {}",
              fraction);
  check(n >= 1 && (fraction == 0 || n >= 2), "{} rows cannot be split into two parts", n);
  const auto rounded = static_cast<Index>(std::llround(fraction * static_cast<double>(n)));
  return fraction > 0 ? std::clamp<Index>(rounded, 1, n - 1) : rounded;
}

// The first `count` rows in the given order are for validation.
Split split_at(const std::vector<Index>& order, Index count) {
  Split split;
  split.validation.assign(order.begin(), order.begin() + count);
  split.train.assign(order.begin() + count, order.end());
  std::ranges::sort(split.validation);
  std::ranges::sort(split.train);
  return split;
}

// Picks random groups whose total number of rows comes close to `wanted`: first every group that
// still fits, then one more if that comes closer. At least one group, and not all of them.
std::vector<bool> choose_groups(std::span<const std::vector<Index>> groups, Index wanted,
                                std::uint64_t seed) {
  std::vector<bool> is_taken(groups.size(), false);
  Index lacking = wanted;
  std::size_t taken = 0;
  const std::vector<Index> drawn = random_order(std::ssize(groups), seed);
  const auto take_group = [&](Index k) {
    is_taken[to_size(k)] = true;
    lacking -= std::ssize(groups[to_size(k)]);
    ++taken;
  };
  for (const Index k : drawn) {
    if (taken + 1 < groups.size() && std::ssize(groups[to_size(k)]) <= lacking) take_group(k);
  }
  Index smallest = -1;  // of the remaining groups, none of which fits
  for (const Index k : drawn) {
    if (is_taken[to_size(k)]) continue;
    if (smallest < 0 || groups[to_size(k)].size() < groups[to_size(smallest)].size()) smallest = k;
  }
  const Index beyond = std::ssize(groups[to_size(smallest)]) - lacking;
  if (taken + 1 < groups.size() && (taken == 0 || beyond < lacking)) take_group(smallest);
  return is_taken;
}

}  // namespace

std::vector<Index> first_numbers(Index n) {
  std::vector<Index> numbers(to_size(n));
  std::iota(numbers.begin(), numbers.end(), Index{0});
  return numbers;
}

std::vector<Index> random_order(Index n, std::uint64_t seed) {
  std::vector<Index> order = first_numbers(n);
  Stream stream(seed, Purpose::split);
  shuffle(order.begin(), static_cast<std::uint32_t>(n), stream);
  return order;
}

Split random_split(Index n, double fraction, std::uint64_t seed) {
  const Index count = held_out(n, fraction);
  return split_at(random_order(n, seed), count);
}

Split group_split(std::span<const std::int64_t> group, double fraction, std::uint64_t seed) {
  const Index n = std::ssize(group);
  const Index wanted = held_out(n, fraction);
  if (wanted == 0) return split_at(first_numbers(n), 0);
  std::vector<std::int64_t> groups(group.begin(), group.end());
  std::ranges::sort(groups);
  groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
  check(groups.size() > 1,
        "all {} rows belong to one group, so they cannot be split into two parts", n);
  const auto place = [&](std::int64_t g) {
    return static_cast<std::size_t>(std::ranges::lower_bound(groups, g) - groups.begin());
  };
  std::vector<std::vector<Index>> rows(groups.size());
  for (Index r = 0; r < n; ++r) rows[place(group[to_size(r)])].push_back(r);
  // Choose the smaller part: filling the larger one, small groups drawn first could leave no room
  // for a large one.
  const bool chooses_train = 2 * wanted > n;
  const std::vector<bool> is_chosen =
      choose_groups(rows, chooses_train ? n - wanted : wanted, seed);
  Split split;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    std::vector<Index>& part = is_chosen[k] == chooses_train ? split.train : split.validation;
    part.insert(part.end(), rows[k].begin(), rows[k].end());
  }
  std::ranges::sort(split.train);
  std::ranges::sort(split.validation);
  return split;
}

Split class_split(std::span<const std::int64_t> classes, double fraction, std::uint64_t seed) {
  const Index n = std::ssize(classes);
  const Index count = held_out(n, fraction);
  std::vector<Index> order = random_order(n, seed);
  std::ranges::stable_sort(order, {}, [&](Index r) { return classes[to_size(r)]; });
  std::vector<Index> chosen, others;  // evenly spaced in the order
  for (Index k = 0; k < n; ++k) {
    const bool is_chosen = (k + 1) * count / n > k * count / n;
    (is_chosen ? chosen : others).push_back(order[to_size(k)]);
  }
  chosen.insert(chosen.end(), others.begin(), others.end());
  return split_at(chosen, count);
}

Split time_split(std::span<const double> time, double fraction) {
  const Index n = std::ssize(time);
  const Index wanted = held_out(n, fraction);
  std::vector<Index> order = first_numbers(n);
  std::ranges::stable_sort(order, std::greater(), [&](Index r) { return time[to_size(r)]; });
  if (wanted == 0) return split_at(order, 0);
  const auto at = [&](Index k) { return time[to_size(order[to_size(k)])]; };
  Index count = wanted;
  while (count < n && at(count) == at(count - 1)) ++count;
  while (count == n || (count > 0 && at(count) == at(count - 1)))
    --count;  // else no row would be left to train on
  check(count > 0, "all {} rows have the same time, so they cannot be split into two parts", n);
  return split_at(order, count);
}

}  // namespace probmix
