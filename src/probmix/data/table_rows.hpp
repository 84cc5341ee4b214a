// The rows of a table one after another: of a CSV file while it is read, or of a frame.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "probmix/data/column_builder.hpp"
#include "probmix/data/csv_reader.hpp"
#include "probmix/data/frame.hpp"

namespace probmix {

class TableRows {
 public:
  virtual ~TableRows() = default;

  virtual const std::string& file() const = 0;
  virtual const std::vector<std::string>& columns() const = 0;
  // Advances to the next row; false at the end.
  virtual bool next() = 0;

  // Of the current row: its number from 1 in units of `unit`, as Frame has it.
  virtual Index line() const = 0;
  virtual std::string_view unit() const = 0;
  // "new.csv: line 7, column 'rooms'", for messages.
  virtual std::string where(Index column) const = 0;
  virtual std::string text(Index column) const = 0;
  // Adds the column's value; false if it is not of the builder's kind.
  virtual bool add_to(ColumnBuilder& builder, Index column) const = 0;
};

class CsvRows final : public TableRows {
 public:
  explicit CsvRows(std::unique_ptr<ByteSource> source, const CsvFormat& format = {})
      : reader_(std::move(source), format) {}

  const std::string& file() const override { return reader_.file(); }
  const std::vector<std::string>& columns() const override { return reader_.columns(); }
  bool next() override { return reader_.next(); }
  Index line() const override { return reader_.line(); }
  std::string_view unit() const override { return "line"; }
  std::string where(Index column) const override { return reader_.where(column); }
  std::string text(Index column) const override {
    return std::string(reader_.fields()[to_size(column)]);
  }
  bool add_to(ColumnBuilder& builder, Index column) const override {
    return builder.add(reader_.fields()[to_size(column)]);
  }

 private:
  CsvReader reader_;
};

class FrameRows final : public TableRows {
 public:
  explicit FrameRows(Frame frame);

  const std::string& file() const override { return frame_.file; }
  const std::vector<std::string>& columns() const override { return names_; }
  bool next() override { return ++row_ < frame_.rows(); }
  Index line() const override;
  std::string_view unit() const override { return frame_.unit; }
  std::string where(Index column) const override;
  std::string text(Index column) const override;
  bool add_to(ColumnBuilder& builder, Index column) const override;

 private:
  Frame frame_;
  std::vector<std::string> names_;
  Index row_ = -1;
};

}  // namespace probmix
