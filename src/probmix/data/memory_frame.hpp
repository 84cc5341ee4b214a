// Tables from what a program holds in memory. Messages count their rows from 0.
#pragma once

#include <string>
#include <vector>

#include "probmix/data/frame.hpp"

namespace probmix {

// NaN means missing. Throws an Error that names the column and row of an infinite number.
FrameColumn number_column(std::string name, Numbers values);
// The same with seconds since 1970-01-01 00:00 UTC.
FrameColumn date_column(std::string name, Numbers seconds);

// Categories as positions in `levels`, in any order; −1: missing, as is an empty level. Levels that
// no row has are dropped, and equal ones are joined. Throws an Error for other positions.
FrameColumn category_column(std::string name, std::vector<std::int32_t> codes,
                            std::vector<std::string> levels);
// The same for text that nobody declared to be categories: if all of it is ISO dates, these are
// meant, as in a CSV file.
FrameColumn text_column(std::string name, std::vector<std::int32_t> codes,
                        std::vector<std::string> levels);

// Messages call the table `name`. Throws an Error unless there is a row and a column, and the
// columns are equally long and have distinct names.
Frame memory_frame(std::vector<FrameColumn> columns, std::string name = "the table");

// The rows of `top` above those of `bottom`, which must have columns of the same names and kinds.
Frame stacked(const Frame& top, const Frame& bottom);

}  // namespace probmix
