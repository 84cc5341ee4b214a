#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "command_line.hpp"
#include "mutate.hpp"
#include "probmix/base/checked_line.hpp"
#include "probmix/base/error.hpp"
#include "probmix/data/frame.hpp"
#include "probmix/kernel/build.hpp"
#include "probmix/model/checkpoint.hpp"
#include "probmix/model/safetensors.hpp"
#include "probmix/options/option.hpp"
#include "target.hpp"

namespace probmix::fuzz {

namespace {

namespace fs = std::filesystem;

// A new folder, in memory if possible, that is removed at the end of the program.
class Folder {
 public:
  Folder() {
    std::string name = (fs::exists("/dev/shm") ? fs::path("/dev/shm") : fs::temp_directory_path()) /
                       "probmix-fuzz-XXXXXX";
    if (mkdtemp(name.data()) == nullptr) std::abort();
    path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }

  std::string file(std::string_view name) const { return path_ / name; }
  std::string write(std::string_view name, std::string_view bytes) const {
    std::string path = file(name);
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }

 private:
  fs::path path_;
};

const Folder& folder() {
  static const Folder folder;
  return folder;
}

// Runs the program; its exit code must be a documented one.
int probmix(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "probmix");
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  const int code = app::run_command_line(static_cast<int>(arguments.size()), argv.data());
  if (code < 0 || code > 2) std::abort();
  return code;
}

// No command may succeed and leave a NaN or an infinity in its output.
void check_numbers(const std::string& path) {
  std::ostringstream content;
  content << std::ifstream(path).rdbuf();
  std::string field;
  for (const char c : content.str() + ",") {
    if (c != ',' && c != '\n') {
      field += c;
      continue;
    }
    if (field == "nan" || field == "-nan" || field == "inf" || field == "-inf") std::abort();
    field.clear();
  }
}

// A table with all kinds of columns: the one that tests/attack/attack.py makes models, checkpoints
// and other seeds from.
const std::string& small_table() {
  static const std::string path = [] {
    std::string text = "x,town,day,y,p,n,c\n";
    for (int k = 0; k < 80; ++k) {
      text += fmt::format("{},{},2024-{:02}-{:02},{},{},{},{}\n", k * 37 % 101 / 10.0, "abc"[k % 3],
                          1 + k % 12, 1 + k % 28, k * 53 % 89 / 7.0 + 1, (k * 29 % 97 + 1) / 99.0,
                          k * 31 % 6, "uvw"[k * 17 % 3]);
    }
    return folder().write("table.csv", text);
  }();
  return path;
}

// A model file, and what reads it.
bool run_model(std::string_view bytes) {
  const std::string model = folder().write("model.safetensors", bytes);
  const std::string out = folder().file("predictions.csv");
  if (probmix({"info", model}) != 0) return false;
  const bool predicts = probmix({"predict", model, small_table(), "--samples", "2", "--threads",
                                 "1", "--out", out}) == 0;
  if (predicts) check_numbers(out);
  return probmix({"evaluate", model, small_table(), "--threads", "1", "--page",
                  folder().file("page.html")}) == 0 &&
         predicts;
}

// A results file, and the page of it.
bool run_results(std::string_view bytes) {
  const std::string results = folder().write("results.jsonl", bytes);
  return probmix({"report", results, "--out", folder().file("report.html")}) == 0;
}

// Checkpoints name the program that made them and are refused by others, so each is made to look
// like one of this program's.
Json as_if_made_here(Json identity) {
  if (identity.is_object() && identity.contains("made-by")) identity["made-by"] = build_version();
  return identity;
}

std::string checkpoint_made_here(std::string_view bytes) {
  try {
    TensorFile file = parse_safetensors(bytes, "checkpoint");
    for (auto& [key, text] : file.metadata) {
      Json json;
      if (parse_json(text, json) == JsonFault::none) text = json_text(as_if_made_here(json));
    }
    return to_safetensors(file);
  } catch (const Error&) {
    return std::string(bytes);
  }
}

// A checkpoint, and the training that continues from it.
bool run_checkpoint(std::string_view bytes) {
  fs::create_directories(folder().file("saved"));
  folder().write(fmt::format("saved/{}", Checkpoint::file_name), checkpoint_made_here(bytes));
  return probmix({"train", small_table(), "--target", "y", "--preset", "fast", "--hidden", "4",
                  "--epochs", "3", "--threads", "1", "--checkpoint", folder().file("saved"),
                  "--out", "/dev/null"}) == 0;
}

// A training that chooses the family, variants and trials; the same as in tests/attack/attack.py.
int train_search(const std::string& saved) {
  return probmix({"train", small_table(), "--target", "n", "--hidden", "4", "--ensemble", "3",
                  "--trials", "2", "--epochs", "2", "--threads", "1", "--checkpoint", saved,
                  "--out", "/dev/null"});
}

std::string search_made_here(std::string_view bytes) {
  Json json;
  const std::string_view line = bytes.substr(0, bytes.find('\n'));
  if (parse_json(line, json) != JsonFault::none || !json.is_object()) return std::string(bytes);
  if (!has_right_checksum(line) || !json.contains("identity")) return std::string(bytes);
  json.erase("check");
  json["identity"] = as_if_made_here(json["identity"]);
  return with_checksum(json_text(json)) + std::string(bytes.substr(line.size()));
}

// The decisions of a search, beside the networks that they were made with, and the training that
// continues from there.
bool run_search(std::string_view bytes) {
  static const std::string finished = [] {
    std::string saved = folder().file("finished");
    if (train_search(saved) != 0) std::abort();
    return saved;
  }();
  const std::string saved = folder().file("searched");
  fs::remove_all(saved);
  fs::copy(finished, saved);
  folder().write(fmt::format("searched/{}", Checkpoint::search_name), search_made_here(bytes));
  return train_search(saved) == 0;
}

// Options of a training, a name and a value on each line. Numbers that are accepted are made small,
// to keep the training short.
bool run_options(std::string_view bytes) {
  std::vector<std::string> arguments = {"train", small_table(), "--threads",
                                        "1",     "--out",       "/dev/null"};
  bool has_epochs = false, has_target = false;
  std::istringstream lines{std::string(bytes)};
  for (std::string line; std::getline(lines, line);) {
    const std::size_t space = std::min(line.find(' '), line.size());
    const Option* const option = find_option(line.substr(0, space));
    if (option == nullptr || line.find('\0') != std::string::npos) continue;
    has_epochs |= option->name == "epochs";
    has_target |= option->name == "target";
    arguments.push_back(fmt::format("--{}", option->name));
    if (option->kind == Option::Kind::flag) continue;
    std::istringstream values(line.substr(std::min(space + 1, line.size())));
    std::string small;
    for (std::string value; std::getline(values, value, ',');) {
      double number = 0;
      std::from_chars(value.data(), value.data() + value.size(), number);
      const bool is_number =
          option->kind == Option::Kind::whole || option->kind == Option::Kind::wholes;
      if (is_number && number > 16 && option->range.contains(number)) value = "16";
      small += (small.empty() ? "" : ",") + value;
    }
    arguments.push_back(small);
  }
  if (!has_epochs) arguments.insert(arguments.end(), {"--epochs", "1"});
  if (!has_target) arguments.insert(arguments.end(), {"--target", "y"});
  return probmix(arguments) == 0;
}

// Hands out at most 7 bytes at a time.
class Trickle : public ByteSource {
 public:
  explicit Trickle(std::string_view text) : ByteSource("table"), text_(text) {}
  std::size_t read(std::span<char> out) override {
    const std::size_t size = std::min({out.size(), text_.size(), std::size_t{7}});
    std::copy_n(text_.begin(), size, out.begin());
    text_.remove_prefix(size);
    return size;
  }

 private:
  std::string_view text_;
};

// All fields, or the message.
std::vector<std::string> all_fields(std::unique_ptr<ByteSource> source, bool decimal_comma) {
  std::vector<std::string> fields;
  try {
    CsvReader reader(std::move(source), {.decimal_comma = decimal_comma, .most_columns = 1000});
    while (reader.next()) {
      for (const std::string_view field : reader.fields()) fields.emplace_back(field);
      fields.push_back(std::to_string(reader.line()));
    }
  } catch (const Error& error) {
    fields.emplace_back(error.what());
    if (fields.back().find('\n') != std::string::npos) std::abort();
  }
  return fields;
}

// A table: read whole and in small pieces, with the same fields; then a training for one epoch,
// whose model predicts the table.
bool run_table(std::string_view bytes) {
  for (const bool decimal_comma : {false, true}) {
    if (all_fields(text_source(bytes, "table"), decimal_comma) !=
        all_fields(std::make_unique<Trickle>(bytes), decimal_comma)) {
      std::abort();
    }
  }
  std::string target;
  try {
    const Frame frame = parse_frame(bytes, "table", {.format = {.most_columns = 1000}});
    for (const FrameColumn& column : frame.columns) {
      const Index rows = column.kind == ColumnKind::category ? std::ssize(column.codes)
                                                             : std::ssize(column.values);
      if (rows != frame.rows()) std::abort();
    }
    target = frame.columns.back().name;
  } catch (const Error&) {
    return false;
  }
  if (target.find_first_of(std::string_view(",\"\0", 3)) != std::string::npos || target.empty()) {
    return false;
  }
  const std::string table = folder().write("any.csv", bytes);
  const std::string model = folder().file("any.safetensors");
  const std::string out = folder().file("predictions.csv");
  if (probmix({"train", table, "--target=" + target, "--hidden", "4", "--epochs", "1", "--seed",
               "3", "--threads", "1", "--out", model}) != 0) {
    return false;
  }
  // What was trained can be read, and predicts finite numbers or says that it cannot.
  if (probmix({"info", model}) != 0) std::abort();
  const bool predicts =
      probmix({"predict", model, table, "--samples", "1", "--threads", "1", "--out", out}) == 0;
  const bool may_name_classes = bytes.find("nan") != bytes.npos || bytes.find("inf") != bytes.npos;
  if (predicts && !may_name_classes) check_numbers(out);
  return predicts;
}

constexpr std::array all_targets = {Target{"table", run_table, mutate_table},
                                    Target{"model", run_model, mutate_model},
                                    Target{"results", run_results, mutate_results},
                                    Target{"checkpoint", run_checkpoint, mutate_model},
                                    Target{"search", run_search, mutate_search},
                                    Target{"options", run_options, mutate_options}};

}  // namespace

const Target& target(std::string_view name) {
  const auto found = std::ranges::find(all_targets, name, &Target::name);
  if (found != all_targets.end()) return *found;
  std::string names;
  for (const Target& one : all_targets) names += fmt::format(" {}", one.name);
  fmt::print(stderr, "there is no target '{}'; the targets are:{}\n", name, names);
  std::exit(2);
}

}  // namespace probmix::fuzz
