// A step of many pairs is the mean of steps of one: the naive twin of shares and tiles.
#pragma once

#include <utility>
#include <vector>

#include "probmix/mix/draw.hpp"

namespace probmix::test {

// Pair b of a draw, as a separate draw.
inline Draw<double> one_pair(const Draw<double>& all, Index b, Index draws, Index width) {
  Draw<double> one;
  const Index j = all.partner[to_size(b)];
  one.pairs = 1;
  one.rows = {all.rows[to_size(b)], all.rows[to_size(j)]};
  one.partner = {1};
  one.weight = {all.weight[to_size(b)]};
  const auto part = [&](const auto& values, Index count) {
    const auto first = values.begin() + b * draws * count;
    return std::decay_t<decltype(values)>(first, first + draws * count);
  };
  one.lambda = part(all.lambda, 1);
  one.site_lambda = part(all.site_lambda, 1);
  const Index first = b * draws * width;
  const Index skip = first % 4;  // fill starts at multiples of 4
  std::vector<double> noise(to_size(skip + draws * width));
  all.noise.fill(first - skip, std::ssize(noise), noise.data());
  noise.erase(noise.begin(), noise.begin() + skip);
  one.noise = Noise<double>(std::move(noise));
  const Index atoms = all.targets.atoms();
  one.targets = Targets(draws, atoms, 1);
  std::copy_n(all.targets.weight.row(b * draws), draws * atoms, one.targets.weight.data());
  std::copy_n(all.targets.y.row(b * draws * atoms), draws * atoms, one.targets.y.data());
  return one;
}

}  // namespace probmix::test
