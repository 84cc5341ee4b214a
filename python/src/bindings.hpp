// The parts of the extension module probmix._core, one file each. It is private: the package
// python/probmix checks what users give and calls it with the types it wants.
#pragma once

#include <nanobind/nanobind.h>

namespace probmix::python {

void bind_errors(nanobind::module_& m);
void bind_options(nanobind::module_& m);
void bind_table(nanobind::module_& m);
void bind_fit(nanobind::module_& m);
void bind_model(nanobind::module_& m);
void bind_densities(nanobind::module_& m);
void bind_mix(nanobind::module_& m);
void bind_commands(nanobind::module_& m);

}  // namespace probmix::python
