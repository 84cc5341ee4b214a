#include "probmix/sweep/run_record.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "probmix/base/checked_line.hpp"
#include "probmix/base/error.hpp"
#include "probmix/sweep/result_check.hpp"

namespace probmix {
namespace {

constexpr int format_version = 3;  // 3: with a checksum at the end of each line

struct NamedNumber {
  std::string_view name;
  double value;
};
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::array<NamedNumber, 3> named_numbers = {
    {{"NaN", std::numeric_limits<double>::quiet_NaN()},
     {"Infinity", infinity},
     {"-Infinity", -infinity}}};

std::optional<double> find_number(const Json& value) {
  if (!value.is_string()) return {};
  const auto& text = value.get_ref<const std::string&>();
  const auto found = std::ranges::find(named_numbers, text, &NamedNumber::name);
  if (found == named_numbers.end()) return {};
  return found->value;
}

// `depth`: the number of objects and arrays around the value in the line.
Json encode(const Json& value, int depth = 1) {
  if (value.is_structured()) {
    check(depth < deepest_json, "objects and arrays of a run are nested more than {} deep",
          deepest_json - 1);
    Json copy = value;
    for (Json& element : copy) element = encode(element, depth + 1);
    return copy;
  }
  check(!find_number(value), "the string {} of a run would be read back as a number",
        exact_json_text(value));
  if (!value.is_number_float() || std::isfinite(value.get<double>())) return value;
  const double number = value.get<double>();
  return std::isnan(number) ? "NaN" : number > 0 ? "Infinity" : "-Infinity";
}

Json decode(Json value) {
  if (value.is_structured()) {
    for (Json& element : value) element = decode(std::move(element));
  } else if (const auto number = find_number(value)) {
    value = *number;
  }
  return value;
}

bool is_tuning(const Json& value) {
  return value.is_object() && value.contains("repeats") &&
         std::ranges::all_of(value, [](const Json& list) { return list.is_array(); });
}

bool is_record(const Json& line) {
  const auto has = [&](const char* key, bool (Json::*kind)() const noexcept) {
    const auto found = line.find(key);
    return found != line.end() && ((*found).*kind)();
  };
  return has("configuration", &Json::is_object) && has("status", &Json::is_string) &&
         std::ranges::count(run_status_names, line["status"].get_ref<const std::string&>()) == 1 &&
         line.contains("result") && has("message", &Json::is_string) &&
         has("seconds", &Json::is_number) &&
         (!line.contains("version") || has("version", &Json::is_string)) &&
         (!line.contains("tuning") || is_tuning(line["tuning"]));
}

// Adds what configurations of format 1 leave out: MLPs had activated embeddings, but linear means
// where these are random. All methods get the same word, since one file may hold runs of several.
void complete_old_configuration(Json& configuration) {
  const bool is_mlp = configuration.value("arch", Json("mlp")) == "mlp";
  configuration["embedding-mean"] = is_mlp ? "linear where random" : "linear";
}

RunRecord to_record(const Json& line) {
  const auto status = std::ranges::find(
      run_status_names, std::string_view(line["status"].get_ref<const std::string&>()));
  Json configuration = decode(line["configuration"]);
  if (line.value("probmix", Json()) == 1) complete_old_configuration(configuration);
  return {.configuration = std::move(configuration),
          .status = static_cast<RunStatus>(status - run_status_names.begin()),
          .result = decode(line["result"]),
          .message = line["message"],
          .seconds = line["seconds"],
          .version = line.value("version", ""),
          .tuning = line.contains("tuning") ? decode(line["tuning"]) : Json()};
}

}  // namespace

std::string to_line(const std::string& study, const RunRecord& record) {
  Json line = {{"probmix", format_version},
               {"study", study},
               {"version", record.version},
               {"configuration", encode(record.configuration)},
               {"status", run_status_names[static_cast<std::size_t>(record.status)]},
               {"result", encode(record.result)},
               {"message", record.message},
               {"seconds", std::isfinite(record.seconds) ? record.seconds : 0}};
  if (!record.tuning.is_null()) line["tuning"] = encode(record.tuning);
  return with_checksum(json_text(line));
}

bool begins_a_line(std::string_view text, const std::string& study) {
  for (const int version : {2, format_version}) {
    std::string start = json_text(Json{{"probmix", version}, {"study", study}});
    start.back() = ',';
    const std::size_t common = std::min(start.size(), text.size());
    if (text.substr(0, common) == start.substr(0, common)) return true;
  }
  return false;
}

std::string run_identity(const Json& configuration) {
  return text_with_sorted_keys(encode(configuration));
}

std::string name_of(const RunRecord& record) {
  if (!record.place.empty()) return record.place;
  const auto method = record.configuration.find("method");
  return method == record.configuration.end() ? "a run" : "a run of " + json_text(*method);
}

RunRecord as_read_back(const RunRecord& record) {
  return to_record(parse_own_json(to_line("", record)));
}

ParsedRun parse_run(std::string_view text, bool is_first) {
  Json line;
  const JsonFault fault = parse_json(text, line);
  if (fault == JsonFault::too_deep || fault == JsonFault::too_many_keys) {
    return {.fault =
                fmt::format("objects and arrays are nested more than {} deep or have more than "
                            "{} keys, so this is not a run; delete the line, or choose "
                            "another path",
                            deepest_json, most_json_keys)};
  }
  constexpr const char* damaged =
      "the line is damaged; delete it to repeat its run, or choose another path";
  if (!line.is_object() || !line.contains("probmix") || !line.contains("study")) {
    return {.fault =
                is_first
                    ? "not a run of a study, so this is not a results file; choose another path"
                    : damaged};
  }
  const Json& format = line["probmix"];
  if (format != format_version && format != 2 && format != 1) {
    return {.fault =
                fmt::format("the format is {}, but this version of probmix reads formats up to "
                            "{}; use the version that wrote it, or choose another path",
                            json_text(format), format_version)};
  }
  const bool has_checksum = format == format_version || line.contains("check");
  if (has_checksum && !has_right_checksum(text)) return {.fault = damaged};
  if (!line["study"].is_string() || !is_record(line)) return {.fault = damaged};
  RunRecord record = to_record(line);
  if (const std::string fault_found = result_fault(record.result); !fault_found.empty()) {
    return {.fault = fmt::format("{}; delete the line to repeat its run, or choose another path",
                                 fault_found)};
  }
  return {.study = line["study"], .is_old = format == 1, .record = std::move(record)};
}

}  // namespace probmix
