// Tables from columns of numpy and streams of Arrow.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <vector>

#include "probmix/data/frame.hpp"

namespace probmix::python {

// Columns on their way into a frame.
struct Table {
  std::string name;
  std::vector<FrameColumn> columns = {};
};

// Reads a capsule that __arrow_c_stream__ has returned, and releases its stream.
std::vector<FrameColumn> read_stream(const nanobind::capsule& stream);

}  // namespace probmix::python
