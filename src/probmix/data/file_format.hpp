// Recognises files that hold tables, but not as CSV, by their first bytes.
#pragma once

#include <string_view>

namespace probmix {

struct FileFormat {
  std::string_view name;    // "a Parquet file"
  std::string_view remedy;  // what to do instead of reading it as CSV
  bool has_arrow = false;   // common libraries read it as Arrow
};

// Null if the bytes may be CSV.
const FileFormat* other_format(std::string_view first_bytes);

}  // namespace probmix
