#include "probmix/model/model_rows.hpp"

#include <algorithm>
#include <set>

#include "probmix/base/error.hpp"
#include "probmix/base/printable.hpp"
#include "probmix/data/date.hpp"
#include "probmix/data/field.hpp"
#include "probmix/data/number.hpp"

namespace probmix {
namespace {

Index position(const std::vector<std::string>& names, std::string_view name) {
  const auto found = std::ranges::find(names, name);
  return found == names.end() ? -1 : found - names.begin();
}

}  // namespace

ModelRows::ModelRows(const Model& model, CsvReader& reader, RowOptions options)
    : model_(model), reader_(reader), options_(std::move(options)) {
  check_range("the rows of a block", options_.block, 1, 1 << 24);
  match_columns();
  const Index width = model.inputs.width();
  fields_.resize(std::max(input_at_.size(), target_at_.size()));
  x_ = Matrix<float>(options_.block, model.series.window * width);
  y_ = Matrix<double>(options_.wants_targets ? options_.block : 0, std::ssize(model.target.names));
  kept_.resize(options_.keep.empty() ? 0 : to_size(options_.block));
  number_.resize(to_size(options_.block));
  recent_.resize(to_size(model.series.window * width));
}

void ModelRows::match_columns() {
  const std::vector<std::string>& names = reader_.columns();
  std::vector<std::string> lacking;
  std::set<std::string_view> used;
  const auto find = [&](const std::string& name, bool is_needed) {
    const Index at = position(names, name);
    if (at < 0 && is_needed) lacking.push_back(name);
    used.insert(name);
    return at;
  };
  for (const InputColumn& column : model_.inputs.columns()) {
    input_at_.push_back(find(column.name, !options_.fills_columns));
  }
  for (const std::string& name : model_.target.names) {
    target_at_.push_back(find(name, options_.wants_targets));
  }
  for (const std::string& name : options_.keep) {
    keep_at_.push_back(position(names, name));
    check_usage(keep_at_.back() >= 0, "'{}' has no column {} to keep; it has {}", reader_.file(),
                in_quotes(name), names_in_quotes(names));
  }
  const SeriesShape& series = model_.series;
  if (series.is_series() && !series.time.empty()) time_at_ = find(series.time, true);
  if (series.is_series() && !series.group.empty()) group_at_ = find(series.group, true);
  check(lacking.empty(), "'{}' lacks the {} {} that the model needs; it has {}", reader_.file(),
        lacking.size() == 1 ? "column" : "columns", names_in_quotes(lacking),
        names_in_quotes(names));
  for (const std::string& name : names) {
    if (!used.contains(name)) unused_.push_back(name);
  }
}

bool ModelRows::next() {
  rows_ = 0;
  while (rows_ < options_.block && reader_.next()) take_row();
  return rows_ > 0;
}

// A row of another group than the one before.
bool ModelRows::begins_anew() {
  if (group_at_ < 0) return false;
  const std::string_view field = reader_.fields()[to_size(group_at_)];
  double number = 0;
  std::string group = is_missing(field)                    ? ""
                      : read_number(field, number).empty() ? fmt::format("{}", number)
                                                           : std::string(without_blanks(field));
  std::swap(group, group_);
  return group != group_;
}

void ModelRows::check_time() {
  if (time_at_ < 0) return;
  const std::string_view field = without_blanks(reader_.fields()[to_size(time_at_)]);
  double time = 0;
  if (const auto date = parse_instant(field)) {
    time = *date;
  } else if (!read_number(field, time).empty()) {
    throw Error(fmt::format("{}: {} is neither a date ({}) nor a number", reader_.where(time_at_),
                            in_quotes(field), date_forms));
  }
  if (has_time_ && time <= last_time_) {
    throw Error(
        fmt::format("{}: {} does not come after {} of the row before; sort the rows of a series by "
                    "time",
                    reader_.where(time_at_), in_quotes(field), in_quotes(time_)));
  }
  has_time_ = true;
  last_time_ = time;
  time_ = field;
}

void ModelRows::add(const float* x, Index number, std::vector<std::string> kept) {
  std::copy_n(x, x_.cols(), x_.row(rows_));
  number_[to_size(rows_)] = number;
  if (!kept_.empty()) kept_[to_size(rows_)] = std::move(kept);
  ++rows_;
}

void ModelRows::take_row() {
  const auto fields = reader_.fields();
  const auto take = [&](const std::vector<Index>& at) {
    for (std::size_t c = 0; c < at.size(); ++c) {
      fields_[c] = at[c] < 0 ? std::string_view() : fields[to_size(at[c])];
    }
    return std::span<const std::string_view>(fields_).first(at.size());
  };
  const SeriesShape& series = model_.series;
  if (series.is_series()) {
    if (begins_anew()) {
      recent_rows_ = 0;
      waiting_.clear();
      has_time_ = false;
    }
    check_time();
  }
  const Index width = model_.inputs.width();
  if (recent_rows_ == series.window) {
    std::copy(recent_.begin() + width, recent_.end(), recent_.begin());
    --recent_rows_;
  }
  const auto input_place = [&](Index c) {
    const Index at = input_at_[to_size(c)];
    return at < 0 ? fmt::format("{}: column {}", reader_.file(),
                                in_quotes(model_.inputs.columns()[to_size(c)].name))
                  : reader_.where(at);
  };
  model_.inputs.encode(take(input_at_), input_place, recent_.data() + recent_rows_ * width,
                       oddities_);
  ++recent_rows_;
  ++row_;
  const bool is_window = recent_rows_ == series.window;
  std::vector<std::string> kept;
  if (is_window) {
    for (const Index at : keep_at_) kept.emplace_back(fields[to_size(at)]);
  }
  if (!options_.wants_targets) {
    if (is_window) add(recent_.data(), row_, std::move(kept));
    return;
  }
  if (is_window) waiting_.push_back({recent_, std::move(kept), row_});
  if (waiting_.empty() || waiting_.front().row + series.horizon > row_) return;
  const auto target_place = [&](Index k) { return reader_.where(target_at_[to_size(k)]); };
  if (model_.target.encode(family_, take(target_at_), target_place, y_.row(rows_),
                           target_oddities_)) {
    add(waiting_.front().x.data(), waiting_.front().row, std::move(waiting_.front().kept));
  }
  waiting_.pop_front();
}

}  // namespace probmix
