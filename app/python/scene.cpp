#include "app/python/scene.h"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <map>

#include "app/python/errors.h"
#include "engine/core/numbers.h"
#include "engine/sim/part_signals.h"

namespace slip::python {
namespace {

namespace py = pybind11;

py::dict ParamsOf(const Config& config) {
  py::dict values;
  for (const ParamEntry& entry : ListParams(config)) {
    if (Reads(config, *entry.info)) values[py::str(entry.path)] = ValueOf(config, entry.path);
  }
  return values;
}

py::dict Describe(const Scene& scene, const std::string& path) {
  const ParamInfo* info = FindParam(scene.config, path);
  if (info == nullptr) {
    Config copy = scene.config;
    Check(SetParam(&copy, path, 0));
  }
  py::dict words;
  words["name"] = std::string(info->name);
  words["label"] = std::string(info->label);
  words["unit"] = std::string(info->unit);
  words["min"] = info->min;
  words["max"] = info->max;
  words["doc"] = std::string(info->doc);
  words["source"] = std::string(info->source);
  std::vector<std::string> choices(info->choices.begin(), info->choices.end());
  words["choices"] = choices;
  return words;
}

std::vector<std::string> SignalsOf(const Scene& scene) {
  std::vector<std::string> names;
  for (const Signal signal : ListSignals(*scene.model))
    names.push_back(NameOf(*scene.model, signal));
  return names;
}

std::vector<std::string> ModelsOf(const Scene& scene) {
  std::vector<std::string> ids;
  for (const ChannelSpec& channel : scene.channels)
    ids.emplace_back(Info(channel.config.method()).id);
  return ids;
}

std::vector<std::string> BodiesOf(const Scene& scene) {
  std::vector<std::string> names;
  for (const Body& body : scene.model->bodies) {
    if (body.shape_of_link < 0) names.push_back(body.name);
  }
  return names;
}

// Ids of methods with a sentence each; of those that this build lacks, why.
py::dict Models() {
  py::dict models;
  for (const MethodInfo& method : Methods()) {
    const std::string_view missing = method.WhyMissing();
    models[py::str(std::string(method.id))] =
        missing.empty() ? std::string(method.doc) : fmt::format("not here: {}", missing);
  }
  return models;
}

}  // namespace

ScenePtr ToScene(const py::object& scene) {
  if (py::isinstance<Scene>(scene)) return scene.cast<ScenePtr>();
  const auto text = py::module_::import("os").attr("fspath")(scene).cast<std::string>();
  py::gil_scoped_release release;
  return Take(FindScene(text));
}

py::dict Join(const py::dict& params, const py::kwargs& more) {
  py::dict all;
  for (const auto& [key, value] : params) all[key] = value;
  for (const auto& [key, value] : more) all[key] = value;
  return all;
}

std::vector<std::string> ToAssignments(const py::dict& params) {
  std::vector<std::string> assignments;
  for (const auto& [key, value] : params) {
    const auto path = py::cast<std::string>(key);
    if (py::isinstance<py::str>(value)) {
      assignments.push_back(path + "=" + value.cast<std::string>());
    } else if (py::isinstance<py::bool_>(value)) {
      assignments.push_back(path + (value.cast<bool>() ? "=1" : "=0"));
    } else {
      // the shortest text that reads back as this number
      assignments.push_back(
          fmt::format("{}={}", path, py::float_(value.attr("__float__")()).cast<double>()));
    }
  }
  return assignments;
}

py::object ValueOf(const Config& config, const std::string& path) {
  const ParamInfo* info = FindParam(config, path);
  const std::optional<double> value = GetParam(config, path);
  if (info == nullptr || !value) {
    Config copy = config;
    Check(SetParam(&copy, path, 0));
  }
  if (info->scale == Scale::kChoice)
    return py::str(std::string(At(info->choices, static_cast<int>(*value))));
  if (info->scale == Scale::kInteger) return py::int_(static_cast<int64_t>(*value));
  return py::float_(*value);
}

std::string ToModels(const py::object& models) {
  if (models.is_none()) return "";
  if (py::isinstance<py::str>(models)) return models.cast<std::string>();
  return fmt::format("{}", fmt::join(models.cast<std::vector<std::string>>(), ","));
}

void AddScenes(py::module_* module) {
  py::class_<Scene, std::shared_ptr<Scene>>(*module, "Scene",
                                            "A scene as read from its file: bodies, surfaces, "
                                            "models and parameters. It does not change.")
      .def(py::init([](const py::object& scene) {
             return std::const_pointer_cast<Scene>(ToScene(scene));
           }),
           py::arg("name_or_path"),
           "Reads a scene by its name (list_scenes) or path: TOML, URDF or MJCF.")
      .def_static(
          "from_text",
          [](const std::string& text, const std::string& name) {
            return std::const_pointer_cast<Scene>(Take(ReadSceneText(text, name)));
          },
          py::arg("text"), py::arg("name") = "text.toml",
          "Reads a scene from TOML text; `name` stands for the file in errors.")
      .def_property_readonly("id", [](const Scene& s) { return s.id; })
      .def_property_readonly("title", [](const Scene& s) { return s.title; })
      .def_property_readonly(
          "duration", [](const Scene& s) { return s.duration; }, "[s]")
      .def_property_readonly("models", ModelsOf, "Ids of the models that it opens with.")
      .def_property_readonly("bodies", BodiesOf, "Their names, in the order of arrays.")
      .def_property_readonly("signals", SignalsOf, "Names of all signals that it has.")
      .def_property_readonly(
          "parameters", [](const Scene& s) { return ParamsOf(s.channels.front().config); },
          "Values of all parameters of its first model, by path.")
      .def("describe", Describe, py::arg("path"), "Meaning, unit, range and source of a parameter.")
      .def("__repr__", [](const Scene& s) { return fmt::format("<slipscope.Scene '{}'>", s.id); });
  module->def("list_scenes", ListScenes, "Names of the scenes that come with Slipscope.");
  module->def("list_models", Models, "Ids of all models, with a sentence about each.");
}

}  // namespace slip::python
