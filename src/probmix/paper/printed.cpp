#include "probmix/paper/printed.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "probmix/data/frame.hpp"

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

// Whether the row's keys (all columns but the numbers printed) agree with the cell.
bool matches(const Frame& printed, Index row, const CellSummary& cell) {
  for (const FrameColumn& column : printed.columns) {
    if (column.name == "mean" || column.name == "std" || column.name == "stderr") continue;
    if (column.kind == ColumnKind::number) {
      const auto found = cell.keys.find(column.name);
      if (found == cell.keys.end() || !found->is_number() ||
          found->get<double>() != column.values[to_size(row)]) {
        return false;
      }
      continue;
    }
    const std::string& text = column.levels[to_size(column.codes[to_size(row)])];
    if (column.name == "method") {
      if (text != cell.method->name) return false;
      continue;
    }
    const std::string key = column.name == "architecture" ? "arch" : column.name;
    if (!cell.keys.contains(key) || cell.keys[key] != text) return false;
  }
  return true;
}

bool has_column(const Frame& frame, std::string_view name) {
  return std::ranges::count(frame.columns, name, &FrameColumn::name) > 0;
}

const Frame& printed_table(const PaperTable& table) {
  static const std::vector<Frame> all = [] {
    std::vector<Frame> frames;
    for (const PaperTable& t : tables) {
      frames.push_back(parse_frame(t.csv(), "a table of the paper",
                                   {.format = {.separator = ',', .header = true}}));
    }
    return frames;
  }();
  return all[static_cast<std::size_t>(&table - tables.data())];
}

}  // namespace

std::optional<PaperFigure> paper_figure(const StudyLayout& layout, std::string_view score,
                                        const CellSummary& cell) {
  for (const PaperTable& table : tables) {
    if (table.study != layout.name || table.score != score) continue;
    const Frame& printed = printed_table(table);
    const auto number = [&](const char* column, Index row) {
      return printed.column(column).values[to_size(row)];
    };
    for (Index row = 0; row < printed.rows(); ++row) {
      if (!matches(printed, row, cell)) continue;
      // The toy tables are for β = 0, and those without a column of poolings for log-linear.
      const auto is_key = [&](const char* key, const Json& value) {
        return !cell.keys.contains(key) || cell.keys[key].is_null() || cell.keys[key] == value;
      };
      const bool has_pooling = has_column(printed, "pooling");
      if (!is_key("beta", 0.0) || !(has_pooling || is_key("pooling", "log-linear"))) return {};
      const bool has_deviation = has_column(printed, "std");
      PaperFigure figure{.mean = number("mean", row),
                         .spread = number(has_deviation ? "std" : "stderr", row),
                         .is_error = !has_deviation,
                         .comparable = table.comparable};
      if (table.csv == embedded::paper_uci_rmse) {
        if (cell.keys.value("dataset", "") == "kin8nm") {
          figure.mean /= 100;
          figure.spread /= 100;
        }
        if (cell.keys.value("dataset", "") == "naval-propulsion-plant") figure.comparable = false;
      }
      return figure;
    }
  }
  return {};
}

}  // namespace probmix
