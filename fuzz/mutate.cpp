#include "mutate.hpp"

#include <array>
#include <limits>
#include <vector>

#include "probmix/base/checked_line.hpp"
#include "probmix/base/error.hpp"
#include "probmix/base/json.hpp"
#include "probmix/model/safetensors.hpp"
#include "probmix/options/option.hpp"

namespace probmix::fuzz {

namespace {

std::size_t below(std::size_t count, Chance& chance) { return chance() % count; }
bool one_in(std::size_t count, Chance& chance) { return below(count, chance) == 0; }

template <class List>
const auto& one_of(const List& list, Chance& chance) {
  return *(std::begin(list) + static_cast<std::ptrdiff_t>(below(std::size(list), chance)));
}

// Marks that turn text right to left and start a terminal's escape sequence.
// NOLINTNEXTLINE(misc-misleading-bidirectional): readers have to cope with it.
constexpr const char* hidden = "\u202e\u009b31m";

const std::vector<Json>& awkward_values() {
  static const std::vector<Json> values = {0,
                                           -1,
                                           1,
                                           2,
                                           64,
                                           65,
                                           0.5,
                                           1e-320,
                                           1e308,
                                           -1e308,
                                           std::int64_t{1} << 31,
                                           std::int64_t{1} << 53,
                                           std::numeric_limits<std::int64_t>::min(),
                                           std::numeric_limits<std::uint64_t>::max(),
                                           "",
                                           "x",
                                           hidden,
                                           "=1+1",
                                           "NaN",
                                           std::string(5000, 'a'),
                                           nullptr,
                                           true,
                                           false,
                                           Json::array(),
                                           Json::object(),
                                           Json::array({1}),
                                           Json::array({Json::array()}),
                                           Json::array({64}),
                                           Json::array({1e308}),
                                           Json::array({nullptr}),
                                           Json::array({Json::array({0, 0})}),
                                           Json{{"a", 1}}};
  return values;
}

// All values nested in `value`.
void collect(Json& value, std::vector<Json*>& places) {
  if (!value.is_structured()) return;
  for (Json& inner : value) {
    places.push_back(&inner);
    collect(inner, places);
  }
}

// A part goes, or comes again.
void mutate_parts(Json& value, Chance& chance) {
  const auto place =
      std::next(value.begin(), static_cast<std::ptrdiff_t>(below(value.size(), chance)));
  if (one_in(2, chance)) {
    value.erase(place);
  } else if (value.is_array()) {
    const Json copy = *place;
    for (int k = one_of(std::array{1, 3, 100}, chance); k > 0; --k) value.push_back(copy);
  } else {
    value[place.key() + "'"] = Json(*place);
  }
}

void mutate_value(Json& value, Chance& chance) {
  if (value.is_structured() && !value.empty() && one_in(3, chance)) {
    mutate_parts(value, chance);
  } else if (value.is_number() && one_in(3, chance)) {
    value = value.get<double>() * one_of(std::array{-1.0, 2.0, 1e3, 1e30, 1e300}, chance);
  } else {
    value = one_of(awkward_values(), chance);
  }
}

// Each entry of the outermost object is as likely as any other, however much is nested in it.
void mutate_json(Json& json, Chance& chance) {
  for (int changes = one_of(std::array{1, 1, 1, 2, 4}, chance); changes > 0; --changes) {
    if (!json.is_structured() || json.empty()) return;
    if (one_in(20, chance)) {
      mutate_parts(json, chance);
      continue;
    }
    Json& entry = *std::next(json.begin(), static_cast<std::ptrdiff_t>(below(json.size(), chance)));
    std::vector<Json*> places = {&entry};
    collect(entry, places);
    mutate_value(*one_of(places, chance), chance);
  }
}

void mutate_numbers(Tensor& tensor, Chance& chance) {
  static constexpr std::array awkward = {3e38,
                                         -3e38,
                                         1e30,
                                         -1e10,
                                         1e5,
                                         -1e5,
                                         0.0,
                                         1e-38,
                                         std::numeric_limits<double>::infinity(),
                                         std::numeric_limits<double>::quiet_NaN()};
  std::visit(
      [&](auto& values) {
        using Number = typename std::decay_t<decltype(values)>::value_type;
        if (values.empty()) return;
        for (std::size_t k = one_of(std::array<std::size_t, 3>{1, 5, values.size()}, chance); k > 0;
             --k) {
          if constexpr (std::is_floating_point_v<Number>) {
            values[below(values.size(), chance)] = static_cast<Number>(one_of(awkward, chance));
          } else {
            values[below(values.size(), chance)] = static_cast<Number>(chance()) - 1;
          }
        }
      },
      tensor.values);
}

std::vector<std::string> lines_of(std::string_view bytes) {
  std::vector<std::string> lines;
  while (!bytes.empty()) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    lines.emplace_back(bytes.substr(0, end));
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
  }
  return lines;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

}  // namespace

std::string mutate_model(std::string_view bytes, Chance& chance) {
  TensorFile file;
  try {
    file = parse_safetensors(bytes, "model");
  } catch (const Error&) {
    return "";
  }
  if (file.tensors.empty() || file.metadata.empty()) return "";
  file.metadata.erase("digest");
  if (one_in(3, chance)) {
    Tensor& tensor = file.tensors[below(file.tensors.size(), chance)];
    if (one_in(4, chance)) {
      tensor.name += "'";
    } else {
      mutate_numbers(tensor, chance);
    }
  } else {
    for (auto& [key, text] : file.metadata) {
      Json json;
      if (parse_json(text, json) != JsonFault::none) continue;
      mutate_json(json, chance);
      text = json_text(json);
    }
  }
  return to_safetensors(file);
}

std::string mutate_results(std::string_view bytes, Chance& chance) {
  std::vector<std::string> lines = lines_of(bytes);
  if (lines.empty()) return "";
  const bool all = one_in(3, chance);
  const std::size_t one = below(lines.size(), chance);
  const Chance same = chance;
  for (std::size_t k = 0; k < lines.size(); ++k) {
    if (!all && k != one) continue;
    Json json;
    if (parse_json(lines[k], json) != JsonFault::none || !json.is_object()) return "";
    json.erase("check");
    Chance each = same;  // the same change in all lines
    mutate_json(json, each);
    lines[k] = with_checksum(json_text(json));
  }
  return joined(lines);
}

std::string mutate_search(std::string_view bytes, Chance& chance) {
  Json json;
  if (parse_json(bytes, json) != JsonFault::none || !json.is_object()) return "";
  json.erase("check");
  mutate_json(json, chance);
  return with_checksum(json_text(json)) + "\n";
}

std::string mutate_table(std::string_view bytes, Chance& chance) {
  static constexpr std::array<std::string_view, 24> awkward = {
      "",         "0",          "-1",         "1e300", "-1e300", "1e-320",
      "1e9",      "nan",        "inf",        "NA",    "?",      "a",
      "=1+1",     "2024-02-30", "2024-02-29", "1.5",   "1,5",    "\"",
      "\"a\nb\"", hidden,       "\xff",       "true",  "0x10",   "99999999999999999999"};
  std::vector<std::string> lines = lines_of(bytes);
  if (lines.empty()) return "";
  for (int changes = one_of(std::array{1, 1, 2, 5, 50}, chance); changes > 0; --changes) {
    const std::size_t row = below(lines.size(), chance);
    if (one_in(8, chance)) {
      lines.push_back(lines[row]);
    } else if (one_in(8, chance) && lines.size() > 1) {
      lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(row));
    } else {  // one cell
      std::string& line = lines[row];
      const std::size_t from = below(line.size() + 1, chance);
      const std::size_t begin =
          line.rfind(',', from) == std::string::npos ? 0 : line.rfind(',', from) + 1;
      const std::size_t end = std::min(line.find(',', begin), line.size());
      line.replace(begin, end - begin, one_of(awkward, chance));
    }
  }
  return joined(lines);
}

std::string mutate_options(std::string_view bytes, Chance& chance) {
  static constexpr std::array<std::string_view, 22> awkward = {
      "0",     "1",    "2",   "-1", "0.5", "1e-300", "1e300",  "nan", "inf", "",
      "x",     "none", "1,2", "y",  "y,y", "c",      "x,town", "16",  "65",  "99999999999999999999",
      "1e999", "\x9b"};
  std::vector<std::string> lines = lines_of(bytes);
  for (int changes = one_of(std::array{1, 1, 2, 4}, chance); changes > 0; --changes) {
    if (lines.size() > 1 && one_in(4, chance)) {
      lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(below(lines.size(), chance)));
      continue;
    }
    const Option& option = one_of(fit_option_list(), chance);
    std::string line(option.name);
    line += ' ';
    line += option.choices.empty() || one_in(8, chance) ? one_of(awkward, chance)
                                                        : one_of(option.choices, chance);
    lines.push_back(line);
  }
  return joined(lines);
}

}  // namespace probmix::fuzz
