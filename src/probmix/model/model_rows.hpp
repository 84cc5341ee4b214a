// Reads the rows of a table as inputs of a model, in blocks: of a CSV file in constant memory.
#pragma once

#include <string>
#include <vector>

#include "probmix/data/column_builder.hpp"
#include "probmix/data/table_rows.hpp"
#include "probmix/model/model.hpp"

namespace probmix {

struct RowOptions {
  bool wants_targets = false;          // false: the table need not have them
  bool fills_columns = false;          // a missing input column counts as missing values
  std::vector<std::string> keep = {};  // columns whose text is kept
  Index block = 4096;                  // rows
};

class ModelRows {
 public:
  // Matches columns by name. Throws an Error that names the missing ones. Model and table must
  // outlive this.
  ModelRows(const Model& model, TableRows& table, RowOptions options = {});

  // Advances to the next block of rows (in a series: windows); false at the end.
  bool next();
  Index rows() const { return x_.rows(); }
  View<const float> x() const { return x_.view(); }
  View<const double> y() const { return y_.view(); }  // scaled
  // How far the row, or the furthest of its window, is outside the training rows (Inputs::encode).
  double outside(Index row) const { return outside_[to_size(row)]; }
  // The row of the table, from 1, at which the prediction is made: in a series, the last of the
  // window.
  Index number(Index row) const { return rows_before_ + last_[to_size(row)] + 1; }
  // The kept columns' text in that row.
  const std::vector<std::string>& kept(Index row) const {
    return kept_[to_size(last_[to_size(row)])];
  }

  // Over all blocks so far.
  const InputOddities& oddities() const { return oddities_; }
  const TargetOddities& target_oddities() const { return target_oddities_; }
  // Columns of the table that the model does not use.
  const std::vector<std::string>& unused() const { return unused_; }

 private:
  struct Column {
    Index at;  // −1: not in the table
    ColumnBuilder builder;
  };

  void match_columns();
  void add_record();
  bool read_block();
  void find_rows();

  const Model& model_;
  TableRows& table_;
  RowOptions options_;
  SeriesShape shape_;  // the model's; horizon 0 if targets are not read
  std::vector<Column> columns_;
  std::vector<Index> keep_at_;
  std::vector<std::string> unused_;

  // The current rows, beginning with `carried_` of the block before that a window may still see.
  Frame frame_;
  Matrix<float> encoded_;
  std::vector<double> encoded_outside_;
  std::vector<std::vector<std::string>> kept_;
  Index carried_ = 0;
  Index rows_before_ = 0;

  // What the model takes from them.
  std::vector<Index> last_;
  Matrix<float> x_;
  Matrix<double> y_;
  std::vector<double> outside_;
  InputOddities oddities_;
  TargetOddities target_oddities_;
};

}  // namespace probmix
