#include "probmix/graph/pair_filter.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "probmix/base/prefetch.hpp"
#include "probmix/kernel/arithmetic.hpp"
#include "probmix/kernel/find_below.hpp"
#include "probmix/kernel/product.hpp"

namespace probmix {

namespace {

constexpr Index tile_queries = 128;  // the products of a tile fit the second-level cache
constexpr Index tile_candidates = 512;
constexpr Index sample_rows = 1001;
constexpr Index rows_ahead = 8;  // prefetched

constexpr double rounding = 0x1p-24;  // of float
constexpr int largest_exponent = 50;  // what values are scaled to: their squares fit a float

// From column to column of a tile. With a power of two all columns would share a few cache lines.
constexpr Index column_stride = tile_candidates + 16;

// columns(c, r) = rows(first + r, c) for `count` rows.
void transpose(const AlignedVector<float>& rows, Index cols, Index first, Index count,
               float* columns) {
  for (Index r = 0; r < count; ++r) {
    const float* const from = rows.data() + (first + r) * cols;
    for (Index col = 0; col < cols; ++col) columns[col * column_stride + r] = from[col];
  }
}

}  // namespace

PairFilter::PairFilter(const DistinctRows& distinct)
    : distinct_(distinct), centre_(to_size(distinct.cols())) {
  // Medians of a sample: a single huge value would dominate a mean.
  const Index samples = std::min(sample_rows, distinct.size());
  std::vector<float> sample(to_size(samples));
  for (Index col = 0; col < distinct.cols(); ++col) {
    for (Index s = 0; s < samples; ++s) {
      sample[to_size(s)] = distinct.values(s * distinct.size() / samples)[col];
    }
    const auto middle = sample.begin() + samples / 2;
    std::nth_element(sample.begin(), middle, sample.end());
    centre_[to_size(col)] = *middle;
  }
  double largest = 0;
  for (Index u = 0; u < distinct.size(); ++u) {
    const float* values = distinct.values(u);
    for (Index col = 0; col < distinct.cols(); ++col) {
      largest = std::max(largest, std::abs(values[col] - centre_[to_size(col)]));
    }
  }
  scale_ = largest > 0 ? std::ldexp(1.0, largest_exponent - std::ilogb(largest)) : 1;
  underflow_ = static_cast<double>(distinct.cols() + 4) * 0x1p-124;
  const double share = static_cast<double>(distinct.cols() + 4) * rounding;
  gamma_ = share < 1 ? share / (1 - share) : std::numeric_limits<double>::infinity();
}

void PairFilter::load(std::span<const std::uint32_t> rows, Block& block) const {
  block.rows.assign(rows.begin(), rows.end());
  load(block);
}

void PairFilter::load(Index first, Index end, Block& block) const {
  block.rows.resize(to_size(end - first));
  std::iota(block.rows.begin(), block.rows.end(), static_cast<std::uint32_t>(first));
  load(block);
}

void PairFilter::load(Block& block) const {
  const Index rows = std::ssize(block.rows);
  const Index cols = distinct_.cols();
  const double* centre = centre_.data();
  block.values.resize(to_size(rows * cols));
  block.squares.resize(to_size(rows));
  for (Index r = 0; r < rows; ++r) {
    if (r + rows_ahead < rows) {  // rows of a leaf lie anywhere in the table
      prefetch(distinct_.values(block.rows[to_size(r + rows_ahead)]), cols);
    }
    const float* from = distinct_.values(block.rows[to_size(r)]);
    float* to = block.values.data() + r * cols;
    for (Index col = 0; col < cols; ++col) {
      to[col] = static_cast<float>((from[col] - centre[col]) * scale_);
    }
    block.squares[to_size(r)] = static_cast<float>(kernel::sum_of_squares(to, cols));
  }
}

// With a, b as rounded to float: their distance exceeds the one in double by rounding · (|a| + |b|)
// at most, and |b| <= |a| + |a − b|. Then |b|² − 2 a·b = |a − b|² − |a|², of which the float sum
// differs by gamma (|b|² + 2 |a| |b|) at most, in whatever order it is added up (Higham 2002, 3.5).
float PairFilter::limit(double radius, float square) const {
  if (std::isinf(radius)) return std::numeric_limits<float>::infinity();
  const double a = std::sqrt(square) * (1 + rounding);
  const double apart =
      (std::sqrt(radius) * scale_ + 2.1 * rounding * a) * (1 + 4 * rounding) + underflow_;
  const double b = a + apart;
  const double sum = apart * apart - square * (1 - 2 * rounding) + gamma_ * (b * b + 2 * a * b);
  return static_cast<float>(sum + 2 * rounding * std::abs(sum) + underflow_);
}

void PairFilter::offer(const Block& queries, const Block& candidates, NearestSets& sets,
                       bool repeats) const {
  const Index cols = distinct_.cols();
  const auto products = std::make_unique_for_overwrite<float[]>(
      to_size(std::min(tile_queries, std::ssize(queries.rows)) *
              std::min(tile_candidates, std::ssize(candidates.rows))));
  AlignedVector<float> minus_twice(queries.values.size());  // exact, as a power of two
  std::ranges::transform(queries.values, minus_twice.begin(), [](float a) { return -2 * a; });
  AlignedVector<float> columns(to_size(cols * column_stride));
  for (Index first = 0; first < std::ssize(candidates.rows); first += tile_candidates) {
    const Index width = std::min(tile_candidates, std::ssize(candidates.rows) - first);
    const float* squares = candidates.squares.data() + first;
    const std::uint32_t* rows = candidates.rows.data() + first;
    transpose(candidates.values, cols, first, width, columns.data());
    for (Index tile = 0; tile < std::ssize(queries.rows); tile += tile_queries) {
      const Index height = std::min(tile_queries, std::ssize(queries.rows) - tile);
      kernel::product(kernel::Product<float>{.m = height,
                                             .n = width,
                                             .k = cols,
                                             .a = {minus_twice.data() + tile * cols, cols},
                                             .b = {columns.data(), column_stride},
                                             .c = products.get(),
                                             .c_row = width});
      for (Index q = 0; q < height; ++q) {
        const float* product = products.get() + q * width;
        const std::uint32_t query = queries.rows[to_size(tile + q)];
        const float square = queries.squares[to_size(tile + q)];
        NearestSet set = sets[tile + q];
        float below = limit(set.radius(), square);
        for (Index c = 0; (c = kernel::find_below(product, squares, below, c, width)) < width;
             ++c) {
          if (repeats && set.contains(rows[c])) continue;
          if (set.offer({distinct_.squared_distance(query, rows[c]), rows[c]})) {
            below = limit(set.radius(), square);
          }
        }
      }
    }
  }
}

}  // namespace probmix
