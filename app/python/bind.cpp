#include "app/python/bind.h"

namespace slip::python {

namespace py = pybind11;

void ThrowMisfit(const py::handle& scope, const char* name, const py::args& args,
                 const py::kwargs& more) {
  const bool constructs = std::string_view(name) == "__init__";
  const auto owner = py::str(scope.attr("__name__")).cast<std::string>();
  const std::string called = constructs ? owner : name;
  try {
    const py::object signature = py::module_::import("inspect").attr("signature")(scope.attr(name));
    // the object under construction is not among the arguments
    const py::args all = constructs ? py::args(py::make_tuple(py::none()) + args) : args;
    signature.attr("bind")(*all, **more);
  } catch (py::error_already_set& error) {
    if (!error.matches(PyExc_TypeError)) throw;
    throw py::type_error(fmt::format("{}: {}", called, py::str(error.value()).cast<std::string>()));
  }
  throw py::type_error(fmt::format("{}: not called on a {}", called, owner));
}

}  // namespace slip::python
