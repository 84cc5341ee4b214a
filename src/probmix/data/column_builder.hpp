// Builds a table column from its fields, one after another.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "probmix/base/text_hash.hpp"
#include "probmix/data/frame.hpp"

namespace probmix {

class ColumnBuilder {
 public:
  // Without a kind, the first field that is not missing decides it.
  ColumnBuilder(std::string name, std::optional<ColumnKind> kind)
      : column_{.name = std::move(name)}, kind_(kind) {}

  std::optional<ColumnKind> kind() const { return kind_; }
  // True once a field was not of the column's kind; the column is then useless.
  bool is_refused() const { return refused_; }
  // Memory taken by the texts of levels; rows are counted elsewhere.
  std::size_t text_bytes() const { return text_bytes_; }

  // False if the field is not of the column's kind.
  bool add(std::string_view field);
  // Copies a row from a column of the same kind.
  void add_row(const FrameColumn& column, Index row);

  // Returns what was added, and starts an empty column of the same kind.
  FrameColumn take();

 private:
  void add_missing();
  void find_kind(std::string_view field);
  void add_level(std::string_view text);
  void sort_levels();

  FrameColumn column_;
  std::optional<ColumnKind> kind_;
  bool refused_ = false;
  std::size_t text_bytes_ = 0;
  std::unordered_map<std::string, std::int32_t, TextHash, std::equal_to<>> positions_;
};

}  // namespace probmix
