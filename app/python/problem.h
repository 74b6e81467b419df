// solve: one contact problem.
#pragma once

#include <pybind11/pybind11.h>

namespace slip::python {

/// solve
void AddSolve(pybind11::module_* module);

}  // namespace slip::python
