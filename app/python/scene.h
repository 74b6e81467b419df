// Scenes, and what is changed of them, as Python names them.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <string>
#include <vector>

#include "engine/method/config.h"
#include "engine/scene/scene.h"

namespace slip::python {

using ScenePtr = std::shared_ptr<const Scene>;

/// A Scene as it is, a name or a path (str, PathLike) as FindScene reads it.
ScenePtr ToScene(const pybind11::object& scene);

/// Both in one; neither is changed.
pybind11::dict Join(const pybind11::object& params, const pybind11::kwargs& more);
/// {"material.steel.friction": 0.3, "time_step": "5 ms"} as "path=value[unit]", in its order.
std::vector<std::string> ToAssignments(const pybind11::dict& params);
/// A parameter's value: of a choice its name, else the number.
pybind11::object ValueOf(const Config& config, const std::string& path);
/// Of all parameters that the config's method reads, by path.
pybind11::dict ParamsOf(const Config& config);
/// Names of the bodies that have rows in arrays, in their order.
std::vector<std::string> BodiesOf(const Model& model);
/// A list of models, or one: "sap,lagged".
std::string ToModels(const pybind11::object& models);

/// Scene, list_scenes, list_models.
void AddScenes(pybind11::module_* module);

}  // namespace slip::python
