// Simulation: one channel that Python steps.
#pragma once

#include <pybind11/pybind11.h>

namespace slip::python {

/// Simulation, State.
void AddSimulation(pybind11::module_* module);

}  // namespace slip::python
