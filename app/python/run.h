// run: a whole run, whose signals, bodies and contacts become arrays.
#pragma once

#include <pybind11/pybind11.h>

namespace slip::python {

/// run
void AddRun(pybind11::module_* module);

}  // namespace slip::python
