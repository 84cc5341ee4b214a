#include "probmix/report/bands.hpp"

#include <algorithm>
#include <utility>

#include "probmix/base/error.hpp"

namespace probmix {
namespace {

void check_lengths(const BandPicture& p) {
  const auto same = [&](std::string_view what, std::size_t found, std::size_t wanted) {
    check(found == wanted, "picture '{}': {} has {} values, but x has {}", p.title, what, found,
          wanted);
  };
  same("mean", p.mean.size(), p.x.size());
  same("lower", p.lower.size(), p.x.size());
  same("upper", p.upper.size(), p.x.size());
  same("train_y", p.train_y.size(), p.train_x.size());
  same("test_y", p.test_y.size(), p.test_x.size());
  if (!p.truth.empty()) same("truth", p.truth.size(), p.x.size());
}

}  // namespace

Range common_y_range(std::span<const BandPicture> pictures) {
  Range range = Range::nothing();
  for (const auto& p : pictures) {
    range.include(p.train_y);
    range.include(p.test_y);
    range.include(p.truth);
  }
  if (range.low > range.high) {  // no data at all: whatever is predicted
    for (const auto& p : pictures) range.include(p.mean);
  }
  std::vector<std::span<const double>> edges;
  for (const auto& p : pictures) edges.insert(edges.end(), {p.lower, p.upper});
  return data_and_bands(range, edges);
}

std::string band_chart(const BandPicture& p) {
  check_lengths(p);
  ChartFrame frame;
  frame.title = p.title;
  frame.alt =
      fmt::format("{}: predictive mean and 95 % band of {} over {}, with {} training points. {}",
                  p.title, p.y_label, p.x_label, p.train_x.size(), p.caption);
  frame.x_label = p.x_label;
  frame.y_label = p.y_label;
  frame.x = Range::nothing();
  frame.x.include(p.x);
  frame.y = p.y_range.value_or(common_y_range({&p, 1}));

  Chart chart(std::move(frame));
  chart.band(p.x, p.lower, p.upper, "interval");
  // Translucent and above the band, which may fill the region.
  for (const Range& gap : p.no_data) chart.shade(gap, "gap", "no training data");
  chart.points(p.test_x, p.test_y, "test");
  chart.points(p.train_x, p.train_y, "train");
  chart.line(p.x, p.truth, "truth");
  chart.line(p.x, p.mean, "mean");
  return chart.svg();
}

std::string band_legend(std::span<const BandPicture> pictures) {
  const auto any = [&](auto member) {
    return std::ranges::any_of(pictures, [&](const auto& p) { return !(p.*member).empty(); });
  };
  std::vector<LegendItem> items{{Mark::line, "mean", "predictive mean"},
                                {Mark::band, "interval", "95 % band"}};
  if (any(&BandPicture::truth)) items.push_back({Mark::line, "truth", "truth"});
  if (any(&BandPicture::train_x)) items.push_back({Mark::points, "train", "training data"});
  if (any(&BandPicture::test_x)) items.push_back({Mark::points, "test", "test data"});
  if (any(&BandPicture::no_data)) items.push_back({Mark::region, "gap", "no training data"});
  return legend(items);
}

}  // namespace probmix
