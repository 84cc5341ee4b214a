#include "probmix/sweep/result_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <string_view>

#include "probmix/base/matrix.hpp"

namespace probmix {
namespace {

constexpr std::size_t most_values = 1'000'000;  // of one list
constexpr double most_epochs = 1e9;

struct Fault {
  std::string text;
};

[[noreturn]] void fail(std::string_view where, std::string_view what) {
  throw Fault{fmt::format("{}: {}", where, what)};
}

const Json& member(const Json& object, std::string_view where, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) fail(where, fmt::format("{} is missing", key));
  return *found;
}

const Json& object_in(const Json& object, const std::string& where) {
  if (!object.is_object()) fail(where, "is not an object");
  return object;
}

double number_in(const Json& object, std::string_view where, const char* key) {
  const Json& value = member(object, where, key);
  if (!value.is_number()) fail(where, fmt::format("{} is not a number", key));
  return value.get<double>();
}

Index whole_in(const Json& object, std::string_view where, const char* key, double low,
               double high) {
  const double value = number_in(object, where, key);
  if (!(value >= low && value <= high && value == std::floor(value))) {
    fail(where, fmt::format("{} is not a whole number from {} to {}", key, low, high));
  }
  return static_cast<Index>(value);
}

void check_text(const Json& object, std::string_view where, const char* key) {
  if (!member(object, where, key).is_string()) fail(where, fmt::format("{} is not text", key));
}

// Lists of numbers, equally long; returns how long.
std::size_t check_lists(const Json& object, std::string_view where,
                        std::initializer_list<const char*> keys, std::size_t fewest) {
  const std::size_t count = member(object, where, *keys.begin()).size();
  for (const char* const key : keys) {
    const Json& list = member(object, where, key);
    const bool is_list = list.is_array() && list.size() <= most_values &&
                         std::ranges::all_of(list, [](const Json& v) { return v.is_number(); });
    if (!is_list) fail(where, fmt::format("{} is not a list of numbers", key));
    if (list.size() != count) {
      fail(where, fmt::format("{} and {} differ in length", *keys.begin(), key));
    }
  }
  if (count < fewest) fail(where, fmt::format("{} has {} values", *keys.begin(), count));
  return count;
}

// Numbers of classes.
void check_classes(const Json& object, std::string_view where, const char* key) {
  constexpr int rings = 3;
  for (const Json& value : object[key]) {
    const bool is_class = value.is_number_integer() && value >= 0 && value < rings;
    if (!is_class) fail(where, fmt::format("{} has a class that does not exist", key));
  }
}

void check_curve(const Json& result) {
  const Json& curve = object_in(result["curve"], "curve");
  check_lists(curve, "curve", {"epoch", "loss", "validation_nll"}, 1);
  whole_in(result, "result", "best_epoch", 0, most_epochs);
  double before = 0;
  for (const Json& epoch : curve["epoch"]) {
    const bool ascends = epoch.is_number_integer() && epoch.get<double>() > before &&
                         epoch.get<double>() <= most_epochs;
    if (!ascends) fail("curve", "the epochs do not ascend");
    before = epoch.get<double>();
  }
}

void check_bands(const Json& bands) {
  object_in(bands, "bands");
  if (bands.contains("x")) {
    check_lists(bands, "bands", {"x", "mean", "lower", "upper"}, 2);
    check_lists(bands, "bands", {"train_x", "train_y"}, 0);
  } else {
    check_lists(bands, "bands", {"time", "mean", "lower95", "lower50", "upper50", "upper95"}, 1);
  }
}

void check_regions(const Json& regions) {
  object_in(regions, "regions");
  const double from = number_in(regions, "regions", "from");
  const double to = number_in(regions, "regions", "to");
  if (!(std::isfinite(to - from) && from < to)) fail("regions", "from is not below to");
  const Index points = whole_in(regions, "regions", "points", 2, 1000);
  const std::size_t cells = check_lists(regions, "regions", {"class", "probability"}, 1);
  if (cells != static_cast<std::size_t>(points * points)) {
    fail("regions", "the classes do not fill the grid");
  }
  check_lists(regions, "regions", {"train_x1", "train_x2", "train_class"}, 0);
  check_classes(regions, "regions", "class");
  check_classes(regions, "regions", "train_class");
}

void check_series(const Json& series) {
  object_in(series, "series");
  check_lists(series, "series", {"time", "value"}, 2);
  check_text(series, "series", "name");
  for (const char* const key : {"test_from", "validation_from"}) {
    if (series.contains(key)) number_in(series, "series", key);
  }
}

void check_densities(const Json& densities) {
  if (!densities.is_array() || densities.size() > 100) fail("densities", "is not a short list");
  for (const Json& density : densities) {
    object_in(density, "densities");
    for (const char* const key : {"time", "nll", "observed"}) number_in(density, "densities", key);
    for (const char* const key : {"which", "part"}) check_text(density, "densities", key);
    check_lists(density, "densities", {"y", "density"}, 2);
  }
}

}  // namespace

std::string result_fault(const Json& result) {
  if (!result.is_object()) return "";  // a run that diverged, or one of a study without reports
  try {
    if (result.contains("best_epoch")) whole_in(result, "result", "best_epoch", 0, most_epochs);
    if (result.contains("curve")) check_curve(result);
    if (!result.contains("pictures")) return "";
    const Json& pictures = object_in(result["pictures"], "pictures");
    if (pictures.contains("bands")) check_bands(pictures["bands"]);
    if (pictures.contains("regions")) check_regions(pictures["regions"]);
    if (pictures.contains("series")) check_series(pictures["series"]);
    if (pictures.contains("densities")) check_densities(pictures["densities"]);
  } catch (const Fault& fault) {
    return fault.text;
  }
  return "";
}

}  // namespace probmix
