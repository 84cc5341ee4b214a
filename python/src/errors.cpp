// Errors of the library as exceptions: all are ValueErrors.
#include <nanobind/stl/string.h>

#include "bindings.hpp"
#include "options.hpp"
#include "probmix/base/error.hpp"
#include "probmix/base/version.hpp"

namespace nb = nanobind;

namespace probmix::python {
namespace {

// Owned by the module, which lives as long as the interpreter.
PyObject* error = nullptr;
PyObject* usage_error = nullptr;
PyObject* diverged = nullptr;

void translate(const std::exception_ptr& thrown, void*) {
  const auto raise = [](PyObject* type, const Error& what) {
    PyErr_SetString(type, with_parameters(what.what()).c_str());
  };
  try {
    std::rethrow_exception(thrown);
  } catch (const UsageError& what) {
    raise(usage_error, what);
  } catch (const Diverged& what) {
    raise(diverged, what);
  } catch (const Error& what) {
    raise(error, what);
  }
}

PyObject* new_exception(nb::module_& m, const char* name, const char* help, PyObject* base) {
  const std::string full = std::string("probmix.") + name;
  PyObject* const type = PyErr_NewExceptionWithDoc(full.c_str(), help, base, nullptr);
  if (type == nullptr) throw nb::python_error();
  m.attr(name) = nb::handle(type);
  return type;
}

}  // namespace

void bind_errors(nb::module_& m) {
  error = new_exception(m, "Error", "Any failure with data, files or numbers.", PyExc_ValueError);
  usage_error = new_exception(m, "UsageError", "An argument that is not accepted.", error);
  diverged = new_exception(
      m, "Diverged", "Training left the range of finite numbers because of its options.", error);
  nb::register_exception_translator(translate);
  m.def("version", [] { return std::string(library_version()); });
}

}  // namespace probmix::python
