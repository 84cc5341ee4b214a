// Rows of a CSV file as a model takes them, a block at a time in constant memory.
#pragma once

#include <deque>
#include <string>
#include <vector>

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
  Index rows() const { return rows_; }
  View<const float> x() const { return {x_.data(), rows_, x_.cols()}; }
  View<const double> y() const { return {y_.data(), rows_, y_.cols()}; }  // scaled
  // The number of the row that the prediction is made at (of a series, the last of its window),
  // among those of the file, from 1.
  Index number(Index row) const { return number_[to_size(row)]; }
  // Of the kept columns, in the row that a window ends with.
  const std::vector<std::string>& kept(Index row) const { return kept_[to_size(row)]; }

  // So far, over all blocks.
  const InputOddities& oddities() const { return oddities_; }
  const TargetOddities& target_oddities() const { return target_oddities_; }
  // Columns of the file that are of no use.
  const std::vector<std::string>& unused() const { return unused_; }

 private:
  struct Window {
    std::vector<float> x;
    std::vector<std::string> kept;
    Index row;  // its last
  };

  void match_columns();
  bool begins_anew();
  void check_time();
  void take_row();
  void add(const float* x, Index number, std::vector<std::string> kept);

  const Model& model_;
  Family family_ = model_.target.make();
  CsvReader& reader_;
  RowOptions options_;
  std::vector<Index> input_at_, target_at_, keep_at_;  // −1: not in the file
  Index time_at_ = -1, group_at_ = -1;
  std::vector<std::string> unused_;
  std::vector<std::string_view> fields_;
  Matrix<float> x_;
  Matrix<double> y_;
  std::vector<std::vector<std::string>> kept_;
  std::vector<Index> number_;
  Index rows_ = 0;
  InputOddities oddities_;
  TargetOddities target_oddities_;
  // Of a series.
  std::vector<float> recent_;  // the rows that a window may still see, at most `window`
  Index recent_rows_ = 0;
  Index row_ = 0;               // so far, over all blocks
  std::deque<Window> waiting_;  // windows whose targets are to come
  std::string group_, time_;
  double last_time_ = 0;
  bool has_time_ = false;
};

}  // namespace probmix
