// Tables from columns of numpy and streams of Arrow.
#pragma once

#include <string>
#include <vector>

#include "probmix/data/frame.hpp"

namespace probmix::python {

// Columns on their way into a frame.
struct Table {
  std::string name;
  std::vector<FrameColumn> columns = {};
};

}  // namespace probmix::python
