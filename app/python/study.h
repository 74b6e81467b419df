// Studies: their cells are made, their numbers become arrays, and their statements are judged.
#pragma once

#include <pybind11/pybind11.h>

namespace slip::python {

/// study, studies, Study.
void AddStudies(pybind11::module_* module);

}  // namespace slip::python
