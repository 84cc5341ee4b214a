#include "probmix/data/column_builder.hpp"

#include <algorithm>
#include <limits>

#include "probmix/data/date.hpp"
#include "probmix/data/field.hpp"
#include "probmix/data/number.hpp"

namespace probmix {

bool ColumnBuilder::add(std::string_view field) {
  double value = 0;
  if (kind_ == ColumnKind::number && read_number(field, value).empty()) {  // the usual case
    column_.values.push_back(value);
    return true;
  }
  if (is_missing(field)) {
    add_missing();
    return true;
  }
  if (!kind_) find_kind(field);
  if (*kind_ == ColumnKind::number) {
    refused_ = !read_number(field, value).empty();
    column_.values.push_back(value);
  } else if (*kind_ == ColumnKind::date) {
    const auto seconds = parse_instant(without_blanks(field));
    refused_ = !seconds;
    column_.values.push_back(seconds.value_or(0));
  } else {
    add_level(without_blanks(field));
  }
  return !refused_;
}

void ColumnBuilder::add_row(const FrameColumn& column, Index row) {
  if (column.is_missing(row)) {
    add_missing();
  } else if (column.kind == ColumnKind::category) {
    add_level(column.levels[to_size(column.codes[to_size(row)])]);
  } else {
    column_.values.push_back(column.values[to_size(row)]);
  }
}

FrameColumn ColumnBuilder::take() {
  column_.kind = kind_.value_or(ColumnKind::number);
  if (column_.kind == ColumnKind::category) {
    sort_levels();
  } else {
    column_.codes.clear();
  }
  FrameColumn next{.name = column_.name};
  text_bytes_ = 0;
  return std::exchange(column_, std::move(next));
}

void ColumnBuilder::add_missing() {
  ++column_.missing;
  if (kind_ != ColumnKind::category) {
    column_.values.push_back(std::numeric_limits<double>::quiet_NaN());
  }
  if (!kind_ || *kind_ == ColumnKind::category) column_.codes.push_back(-1);
}

// Decides the kind by the first field that is not missing.
void ColumnBuilder::find_kind(std::string_view field) {
  kind_ = is_number(field) ? ColumnKind::number
          : is_date(field) ? ColumnKind::date
                           : ColumnKind::category;
  if (*kind_ == ColumnKind::category) column_.values.clear();
  if (*kind_ != ColumnKind::category) column_.codes.clear();
}

void ColumnBuilder::add_level(std::string_view text) {
  auto found = positions_.find(text);
  if (found == positions_.end()) {
    const auto position = static_cast<std::int32_t>(positions_.size());
    found = positions_.emplace(std::string(text), position).first;
    text_bytes_ += text.size() + 2 * sizeof(std::string) + 32;  // including its node in the map
  }
  column_.codes.push_back(found->second);
}

// Sorts the levels, so that the order of the rows does not matter.
void ColumnBuilder::sort_levels() {
  std::vector<std::pair<std::string, std::int32_t>> levels;
  while (!positions_.empty()) {
    auto node = positions_.extract(positions_.begin());
    levels.emplace_back(std::move(node.key()), node.mapped());
  }
  std::ranges::sort(levels);
  std::vector<std::int32_t> place(levels.size());
  for (std::size_t k = 0; k < levels.size(); ++k) {
    place[to_size(levels[k].second)] = static_cast<std::int32_t>(k);
    column_.levels.push_back(std::move(levels[k].first));
  }
  for (std::int32_t& code : column_.codes) {
    if (code >= 0) code = place[to_size(code)];
  }
}

}  // namespace probmix
