// The command line, which reads tables of other formats than CSV through Python.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <numeric>

#include "bindings.hpp"
#include "command_line.hpp"
#include "probmix/base/error.hpp"
#include "probmix/base/printable.hpp"
#include "probmix/data/memory_frame.hpp"
#include "table.hpp"
#include "terminal.hpp"

namespace nb = nanobind;

namespace probmix::python {
namespace {

// The columns of what `open` returns for the file, which exports an Arrow stream.
std::vector<FrameColumn> read_columns(const nb::callable& open, const std::string& path,
                                      const FileFormat& format) {
  const nb::gil_scoped_acquire locked;
  try {
    const nb::object data = open(path, nb::str(format.name.data(), format.name.size()));
    return read_stream(nb::cast<nb::capsule>(data.attr("__arrow_c_stream__")()));
  } catch (const nb::python_error& error) {
    throw Error(nb::cast<std::string>(nb::str(error.value())));
  }
}

int run_command_line(std::vector<std::string> arguments, const nb::callable& open) {
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  const auto read_other = [&](const std::string& path, const FileFormat& format) {
    const std::string name = printable(path);
    try {
      Frame frame = memory_frame(read_columns(open, path, format), name);
      frame.line.resize(to_size(frame.rows()));
      std::iota(frame.line.begin(), frame.line.end(), Index{1});
      frame.unit = "row";
      return frame;
    } catch (const Error& error) {
      const std::string_view message = error.what();
      if (message.starts_with(name)) throw;
      throw Error(fmt::format("{}: {}", name, message));
    }
  };
  const nb::gil_scoped_release unlocked;
  app::prepare_process();
  return app::run_command_line(static_cast<int>(argv.size()), argv.data(), read_other);
}

}  // namespace

void bind_commands(nb::module_& m) { m.def("run_command_line", run_command_line); }

}  // namespace probmix::python
