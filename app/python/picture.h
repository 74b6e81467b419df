// Pictures as arrays, drawn by the window's own code without a screen.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include "app/python/scene.h"
#include "engine/sim/simulation.h"

namespace slip::python {

/// What the signatures of pictures have in common, as Python gives it.
struct PictureWords {
  pybind11::object width, height, show, theme, quality, scale, transparent;
};
/// The view of one simulation where it stands.
pybind11::array PictureOf(const ScenePtr& scene, const Simulation& simulation,
                          const PictureWords& words);

/// picture
void AddPictures(pybind11::module_* module);

}  // namespace slip::python
