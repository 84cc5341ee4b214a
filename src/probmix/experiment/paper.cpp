#include "probmix/experiment/paper.hpp"

#include <array>
#include <charconv>
#include <map>
#include <string>
#include <vector>

#include "probmix/base/error.hpp"

namespace probmix {

namespace embedded {
std::string_view paper_uci_nll();
std::string_view paper_uci_rmse();
std::string_view paper_stocks_test_nll();
std::string_view paper_stocks_test_rmse();
std::string_view paper_stocks_train_nll();
std::string_view paper_stocks_train_rmse();
std::string_view paper_toy_alpha_ood_nll();
std::string_view paper_toy_pooling_id_nll();
std::string_view paper_toy_pooling_ood_nll();
}  // namespace embedded

namespace {

using Row = std::map<std::string, std::string, std::less<>>;

std::vector<std::string> fields(std::string_view line) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t end = line.find(',');
    parts.emplace_back(line.substr(0, end));
    if (end == std::string_view::npos) return parts;
    line.remove_prefix(end + 1);
  }
}

// The files are the project's own: without quotes, every line as long as the header.
std::vector<Row> rows_of(std::string_view csv) {
  std::vector<Row> rows;
  std::vector<std::string> header;
  while (!csv.empty()) {
    const std::size_t end = csv.find('\n');
    const std::string_view line = csv.substr(0, end);
    csv.remove_prefix(end == std::string_view::npos ? csv.size() : end + 1);
    if (line.empty()) continue;
    const std::vector<std::string> values = fields(line);
    if (header.empty()) {
      header = values;
      continue;
    }
    Row& row = rows.emplace_back();
    for (std::size_t c = 0; c < header.size(); ++c) row[header[c]] = values.at(c);
  }
  return rows;
}

double number_of(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  check(error == std::errc{} && end == text.data() + text.size(),
        "'{}' in a table of the paper is no number", text);
  return value;
}

struct PaperTable {
  std::string_view study;
  std::string_view score;
  std::string_view (*csv)();
  bool comparable = true;
};

// The toy figures of methods with a random embedding are means over single draws.
constexpr std::array tables = {
    PaperTable{"uci", "test_nll", embedded::paper_uci_nll},
    PaperTable{"uci", "test_rmse", embedded::paper_uci_rmse},
    PaperTable{"stocks", "test_nll", embedded::paper_stocks_test_nll, false},
    PaperTable{"stocks", "test_rmse", embedded::paper_stocks_test_rmse, false},
    PaperTable{"stocks", "train_nll", embedded::paper_stocks_train_nll, false},
    PaperTable{"stocks", "train_rmse", embedded::paper_stocks_train_rmse, false},
    PaperTable{"toy-regression", "ood_draws_nll", embedded::paper_toy_alpha_ood_nll},
    PaperTable{"latent", "ood_draws_nll", embedded::paper_toy_alpha_ood_nll},
    PaperTable{"pooling", "id_draws_nll", embedded::paper_toy_pooling_id_nll},
    PaperTable{"pooling", "ood_draws_nll", embedded::paper_toy_pooling_ood_nll},
};

bool matches(const Row& row, const CellSummary& cell) {
  for (const auto& [column, text] : row) {
    if (column == "mean" || column == "std" || column == "stderr") continue;
    if (column == "method") {
      if (text != cell.method->name) return false;
      continue;
    }
    const std::string key = column == "architecture" ? "arch" : column;
    if (!cell.keys.contains(key)) return false;
    const Json& value = cell.keys[key];
    const bool same = value.is_string()   ? value.get_ref<const std::string&>() == text
                      : value.is_number() ? value.get<double>() == number_of(text)
                                          : false;
    if (!same) return false;
  }
  return true;
}

}  // namespace

std::optional<PaperFigure> paper_figure(const StudyView& view, std::string_view score,
                                        const CellSummary& cell) {
  for (const PaperTable& table : tables) {
    if (table.study != view.name || table.score != score) continue;
    static std::map<const PaperTable*, std::vector<Row>> parsed = [] {
      std::map<const PaperTable*, std::vector<Row>> all;
      for (const PaperTable& t : tables) all[&t] = rows_of(t.csv());
      return all;
    }();
    for (const Row& row : parsed.at(&table)) {
      if (!matches(row, cell)) continue;
      // The toy tables are for β = 0, and those without a column of poolings for log-linear.
      const bool plain =
          !cell.keys.contains("beta") || cell.keys["beta"].is_null() || cell.keys["beta"] == 0.0;
      const bool log_linear = row.contains("pooling") || !cell.keys.contains("pooling") ||
                              cell.keys["pooling"] == "log-linear" ||
                              cell.keys["pooling"].is_null();
      if (!plain || !log_linear) return {};
      PaperFigure figure{
          .mean = number_of(row.at("mean")),
          .spread = number_of(row.contains("std") ? row.at("std") : row.at("stderr")),
          .is_error = !row.contains("std"),
          .comparable = table.comparable};
      if (table.csv == embedded::paper_uci_rmse) {
        if (row.at("dataset") == "kin8nm") {
          figure.mean /= 100;
          figure.spread /= 100;
        }
        if (row.at("dataset") == "naval-propulsion-plant") figure.comparable = false;
      }
      return figure;
    }
  }
  return {};
}

}  // namespace probmix
