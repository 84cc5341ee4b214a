// Rows of a CSV file as a model takes them, a block at a time in constant memory.
#pragma once

#include <string>
#include <vector>

#include "probmix/data/column_builder.hpp"
#include "probmix/data/csv_reader.hpp"
#include "probmix/model/model.hpp"

namespace probmix {

struct RowOptions {
  bool wants_targets = false;          // else the file need not have them
  bool fills_columns = false;          // an input column that the file lacks counts as missing
  std::vector<std::string> keep = {};  // columns whose text is kept
  Index block = 4096;                  // rows
};

class ModelRows {
 public:
  // Finds the columns by their names. Throws an Error that names those that are missing. Model and
  // reader must outlive it.
  ModelRows(const Model& model, CsvReader& reader, RowOptions options = {});

  // Goes to the next block of rows (of a series: windows); false at the end.
  bool next();
  Index rows() const { return x_.rows(); }
  View<const float> x() const { return x_.view(); }
  View<const double> y() const { return y_.view(); }  // scaled
  // The number of the row that the prediction is made at (of a series, the last of its window),
  // among those of the file, from 1.
  Index number(Index row) const { return rows_before_ + last_[to_size(row)] + 1; }
  // Of the kept columns, in the row that a window ends with.
  const std::vector<std::string>& kept(Index row) const {
    return kept_[to_size(last_[to_size(row)])];
  }

  // So far, over all blocks.
  const InputOddities& oddities() const { return oddities_; }
  const TargetOddities& target_oddities() const { return target_oddities_; }
  // Columns of the file that are of no use.
  const std::vector<std::string>& unused() const { return unused_; }

 private:
  struct Column {
    Index at;  // −1: not in the file
    ColumnBuilder builder;
  };

  void match_columns();
  void add_record();
  bool read_block();
  void find_rows();

  const Model& model_;
  CsvReader& reader_;
  RowOptions options_;
  SeriesShape shape_;  // of what is read: without targets, no row to come is waited for
  std::vector<Column> columns_;
  std::vector<Index> keep_at_;
  std::vector<std::string> unused_;

  // The rows read last. The first are those of the block before that a window may still see.
  Frame frame_;
  Matrix<float> encoded_;
  std::vector<std::vector<std::string>> kept_;
  Index carried_ = 0;
  Index rows_before_ = 0;

  // Of those, what the model takes.
  std::vector<Index> last_;
  Matrix<float> x_;
  Matrix<double> y_;
  InputOddities oddities_;
  TargetOddities target_oddities_;
};

}  // namespace probmix
