#include "probmix/model/model_rows.hpp"

#include <algorithm>
#include <set>

#include "probmix/base/error.hpp"
#include "probmix/base/printable.hpp"
#include "probmix/data/date.hpp"
#include "probmix/data/number.hpp"
#include "probmix/model/examples.hpp"

namespace probmix {
namespace {

Index position(const std::vector<std::string>& names, std::string_view name) {
  const auto found = std::ranges::find(names, name);
  return found == names.end() ? -1 : found - names.begin();
}

// What is wrong with a field that is not of its column's kind.
std::string kind_fault(std::string_view field, ColumnKind kind) {
  if (kind == ColumnKind::date) return fmt::format("is not a date; write {}", date_forms);
  double ignored = 0;
  return std::string(read_number(field, ignored));
}

}  // namespace

ModelRows::ModelRows(const Model& model, TableRows& table, RowOptions options)
    : model_(model), table_(table), options_(std::move(options)), shape_(model.series) {
  check_range("the rows of a block", options_.block, 1, 1 << 24);
  match_columns();
  if (!options_.wants_targets) shape_.horizon = 0;
  encoded_ =
      Matrix<float>(shape_.window - 1 + shape_.horizon + options_.block, model.inputs.width());
  encoded_outside_.resize(to_size(encoded_.rows()));
}

void ModelRows::match_columns() {
  const std::vector<std::string>& names = table_.columns();
  std::vector<std::string> lacking;
  const std::vector<std::string> bounds = Censoring(model_.target.options).columns();
  std::set<std::string_view> used;
  const auto add = [&](const std::string& name, std::optional<ColumnKind> kind, bool is_needed) {
    const Index at = position(names, name);
    if (at < 0 && is_needed) lacking.push_back(name);
    if (used.insert(name).second) columns_.push_back({at, ColumnBuilder(name, kind)});
  };
  for (const InputColumn& column : model_.inputs.columns()) {
    add(column.name, column.kind(), !options_.fills_columns);
  }
  for (const std::string& name : model_.target.names) {
    const bool has_classes = model_.target.has_classes();
    if (!options_.wants_targets) {
      used.insert(name);
    } else {
      add(name, has_classes ? ColumnKind::category : ColumnKind::number, true);
    }
  }
  for (const std::string& name : bounds) {
    if (!options_.wants_targets) {
      used.insert(name);
    } else {
      add(name, ColumnKind::number, true);
    }
  }
  for (const std::string& name : options_.keep) {
    keep_at_.push_back(position(names, name));
    check_usage(keep_at_.back() >= 0, "'{}' has no column {} to keep; it has {}", table_.file(),
                in_quotes(name), names_in_quotes(names));
  }
  const SeriesShape& series = model_.series;
  if (series.is_series() && !series.time.empty()) add(series.time, {}, true);
  if (series.is_series() && !series.group.empty()) add(series.group, ColumnKind::category, true);
  check(lacking.empty(), "'{}' lacks the {} {} that the model needs; it has {}", table_.file(),
        lacking.size() == 1 ? "column" : "columns", names_in_quotes(lacking),
        names_in_quotes(names));
  for (const std::string& name : names) {
    if (!used.contains(name)) unused_.push_back(name);
  }
}

bool ModelRows::next() {
  do {
    if (!read_block()) return false;
    find_rows();
  } while (rows() == 0);
  return true;
}

void ModelRows::add_record() {
  for (Column& column : columns_) {
    if (column.at < 0) {
      column.builder.add("");
    } else if (!table_.add_to(column.builder, column.at)) {
      const std::string text = table_.text(column.at);
      throw Error(fmt::format("{}: {} {}", table_.where(column.at), in_quotes(text),
                              kind_fault(text, *column.builder.kind())));
    }
  }
  frame_.line.push_back(table_.line());
  if (!keep_at_.empty()) {
    std::vector<std::string>& texts = kept_.emplace_back();
    for (const Index at : keep_at_) texts.push_back(table_.text(at));
  }
}

// Carries over the rows that a window may still see, and reads new ones; false at the end.
bool ModelRows::read_block() {
  const Frame before = std::move(frame_);
  frame_ = {.file = table_.file(), .columns = {}, .line = {}, .unit = table_.unit()};
  carried_ = std::min(before.rows(), shape_.window - 1 + shape_.horizon);
  const Index first = before.rows() - carried_;
  rows_before_ += first;
  for (Index row = first; row < before.rows(); ++row) {
    frame_.line.push_back(before.line[to_size(row)]);
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      columns_[c].builder.add_row(before.columns[c], row);
    }
  }
  std::copy_n(encoded_.row(first), carried_ * encoded_.cols(), encoded_.data());
  std::copy_n(encoded_outside_.begin() + first, carried_, encoded_outside_.begin());
  if (!keep_at_.empty()) kept_.erase(kept_.begin(), kept_.begin() + first);
  while (frame_.rows() < carried_ + options_.block && table_.next()) add_record();
  for (Column& column : columns_) frame_.columns.push_back(column.builder.take());
  return frame_.rows() > carried_;
}

void ModelRows::find_rows() {
  const Index added = frame_.rows() - carried_;
  model_.inputs.encode(frame_, carried_, {encoded_.row(carried_), added, encoded_.cols()},
                       oddities_,
                       std::span(encoded_outside_).subspan(to_size(carried_), to_size(added)));
  check_order(frame_, shape_, "sort the rows of a series by time");
  const Examples examples = examples_in(frame_, shape_, {.gaps = GapRule::ignore}, {});
  std::vector<Index> targets = examples.target;
  std::erase_if(targets, [&](Index row) { return row < carried_; });  // belongs to the block before
  if (options_.wants_targets) y_ = model_.target.encode(frame_, targets, target_oddities_);
  last_ = std::move(targets);
  for (Index& row : last_) row -= shape_.horizon;
  x_ = gather_windows(encoded_, last_, shape_.window);
  outside_.clear();
  for (const Index row : last_) {
    const auto end = encoded_outside_.begin() + row + 1;
    outside_.push_back(*std::max_element(end - shape_.window, end));
  }
}

}  // namespace probmix
