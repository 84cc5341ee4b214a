#include "probmix/data/table_rows.hpp"

#include "probmix/base/error.hpp"

namespace probmix {

FrameRows::FrameRows(Frame frame) : frame_(std::move(frame)) {
  for (const FrameColumn& column : frame_.columns) names_.push_back(column.name);
}

Index FrameRows::line() const { return frame_.line.empty() ? row_ : frame_.line[to_size(row_)]; }

std::string FrameRows::where(Index column) const {
  return frame_.where(row_, frame_.columns[to_size(column)]);
}

std::string FrameRows::text(Index column) const {
  return value_text(frame_.columns[to_size(column)], row_);
}

bool FrameRows::add_to(ColumnBuilder& builder, Index column) const {
  const FrameColumn& from = frame_.columns[to_size(column)];
  // A column of another kind may still hold what is wanted: numbers may be meant as categories.
  if (builder.kind() != from.kind) return builder.add(value_text(from, row_));
  builder.add_row(from, row_);
  return true;
}

}  // namespace probmix
