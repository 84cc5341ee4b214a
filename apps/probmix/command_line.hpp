// The whole program behind main(), so that fuzzers and Python can call it too.
#pragma once

#include <functional>
#include <string>

#include "probmix/data/file_format.hpp"
#include "probmix/data/frame.hpp"

namespace probmix::app {

// Reads a file of a format that has_arrow.
using ReadOther = std::function<Frame(const std::string& path, const FileFormat& format)>;

// Runs the command that the arguments name and returns its exit code. Without `read_other`, tables
// must be CSV.
int run_command_line(int argc, char** argv, ReadOther read_other = {});

}  // namespace probmix::app
