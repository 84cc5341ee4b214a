// Tables by the Arrow C stream interface, which polars, pyarrow, DuckDB and others export.
//
// Read are integers, floats, decimals, booleans (0 or 1), text, dictionaries, dates and timestamps;
// those with a zone are in UTC anyway, those without are taken as they are. Text is treated as
// text_column() does, dictionaries as categories. Nulls are missing values.
#pragma once

#include <vector>

#include "probmix/data/arrow_abi.hpp"
#include "probmix/data/frame.hpp"

namespace probmix {

// Reads the stream to its end and releases it. Throws an Error that names the column for types that
// are not read, for broken buffers as far as they can be recognised, and with the producer's own
// message if it fails. The lengths of buffers are not part of the interface: the producer is
// trusted in that.
std::vector<FrameColumn> read_arrow(ArrowArrayStream& stream);

}  // namespace probmix
