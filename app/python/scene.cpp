#include "app/python/scene.h"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <optional>

#include "app/python/bind.h"
#include "app/python/errors.h"
#include "app/python/interrupts.h"
#include "app/python/unmade.h"
#include "app/python/values.h"
#include "engine/core/numbers.h"
#include "engine/core/thread_stop.h"
#include "engine/run/record/recorded_scene.h"
#include "engine/sim/part_signals.h"

namespace slip::python {
namespace {

namespace py = pybind11;

py::dict Describe(const Scene& scene, const py::object& which) {
  const std::string path = ToText(which, "path");
  const ParamInfo* info = FindParam(scene.config, path);
  if (info == nullptr) {
    Config copy = scene.config;
    if (const Status known = SetParam(&copy, path, 0); !known)
      throw py::key_error(known.error().Text());
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

// With Ctrl+C: meshes may take long.
template <class Read>
ScenePtr ReadUnlocked(const Read& read) {
  Interrupts interrupts;
  std::optional<Result<ScenePtr>> scene;
  {
    const Unlocked unlocked;
    const ThreadStop stop(interrupts.Poll());
    scene = read();
  }
  interrupts.Raise();
  return Take(std::move(*scene));
}

// Text and place of its file: what an experiment keeps of a scene.
py::object PackScene(const Scene& scene) {
  return py::make_tuple(py::bytes(scene.id), py::bytes(PathFromExperiment(scene.file, "")),
                        py::bytes(scene.text),
                        py::bytes(fmt::format("{:016x}", Hash(*scene.model))));
}

std::shared_ptr<Scene> UnpackScene(const py::object& packed) {
  if (!py::isinstance<py::tuple>(packed) || py::len(packed) != 4)
    throw SentenceError("this is no pickled Scene");
  const auto text = [&packed](int at) {
    const py::object value = packed[py::int_(at)];
    if (!py::isinstance<py::bytes>(value)) ThrowType("what a pickled Scene holds", "bytes", value);
    return value.cast<std::string>();
  };
  const RecordedScene recorded{text(0), text(1), text(2), text(3)};
  const ScenePtr scene = ReadUnlocked([&recorded] { return ReadRecordedScene(recorded, ""); });
  if (fmt::format("{:016x}", Hash(*scene->model)) != recorded.bodies_hash)
    throw SentenceError(SayOtherBodies(recorded.id, *scene->model, false, ""));
  return std::const_pointer_cast<Scene>(scene);
}

}  // namespace

ScenePtr ToScene(const py::object& scene) {
  if (py::isinstance<Scene>(scene)) {
    static_cast<void>(scene.cast<const Scene&>());  // refuses one that was not made
    return scene.cast<ScenePtr>();
  }
  const std::string path = ToPath(scene, "scene");
  return ReadUnlocked([&path] { return FindScene(path); });
}

py::dict ParamsOf(const Config& config) {
  py::dict values;
  for (const ParamEntry& entry : ListParams(config)) {
    if (Reads(config, *entry.info)) values[py::str(entry.path)] = ValueOf(config, entry.path);
  }
  return values;
}

std::vector<std::string> BodiesOf(const Model& model) {
  std::vector<std::string> names;
  for (const Body& body : model.bodies) {
    if (body.shape_of_link < 0) names.push_back(body.name);
  }
  return names;
}

py::dict Join(const py::object& params, const py::kwargs& more) {
  py::dict all;
  for (const auto& [key, value] : ToDict(params, "params")) all[key] = value;
  for (const auto& [key, value] : more) all[key] = value;
  return all;
}

std::vector<std::string> ToAssignments(const py::dict& params) {
  std::vector<std::string> assignments;
  for (const auto& [key, value] : params) {
    const auto given = py::reinterpret_borrow<py::object>(value);
    const std::string path =
        ToText(py::reinterpret_borrow<py::object>(key), "the path of a parameter");
    if (py::isinstance<py::str>(given)) {
      assignments.push_back(path + "=" + ToText(given, path));
    } else if (IsFlag(given)) {
      assignments.push_back(path + (ToFlag(given, path) ? "=on" : "=off"));
    } else {
      // the shortest text that reads back as this number
      assignments.push_back(fmt::format("{}={}", path, ToNumber(given, path)));
    }
  }
  return assignments;
}

py::object ValueOf(const Config& config, const std::string& path) {
  const ParamInfo* info = FindParam(config, path);
  const std::optional<double> value = GetParam(config, path);
  if (info == nullptr || !value) {
    Config copy = config;
    if (const Status known = SetParam(&copy, path, 0); !known)
      throw py::key_error(known.error().Text());
  }
  if (info->scale == Scale::kChoice)
    return py::str(std::string(At(info->choices, static_cast<int>(*value))));
  if (info->scale == Scale::kInteger) return py::int_(static_cast<int64_t>(*value));
  return py::float_(*value);
}

std::string ToModels(const py::object& models) {
  if (models.is_none()) return "";
  const std::vector<std::string> ids = ToTexts(models, "models");
  if (ids.empty()) throw SentenceError("models: the list is empty (None: those of the scene)");
  return fmt::format("{}", fmt::join(ids, ","));
}

void AddScenes(py::module_* module) {
  py::class_<Scene, std::shared_ptr<Scene>> type(
      *module, "Scene",
      Documented("Scene", "(name_or_path)",
                 "A scene as read from its file: bodies, surfaces, models and parameters. It does "
                 "not change.")
          .c_str());
  DefInit(&type, "(self, name_or_path)", py::init([](const py::object& scene) {
    return std::const_pointer_cast<Scene>(ToScene(scene));
  }),
          "Reads a scene by its name (list_scenes) or path: TOML, URDF or MJCF.",
          py::arg("name_or_path"));
  DefStatic(
      &type, "from_text", "(text, name='text.toml')",
      [](const py::object& text, const py::object& name) {
        const std::string words = ToText(text, "text"), file = ToPath(name, "name");
        return std::const_pointer_cast<Scene>(
            ReadUnlocked([&] { return ReadSceneText(words, file); }));
      },
      "Reads a scene from TOML text; `name` stands for the file in errors.", py::arg("text"),
      py::arg("name") = "text.toml");
  type.def_property_readonly(
          "id", [](const Scene& s) { return s.id; }, "Its name: the file's without its ending.")
      .def_property_readonly(
          "title", [](const Scene& s) { return s.title; }, "What the window calls it.")
      .def_property_readonly(
          "duration", [](const Scene& s) { return s.duration; },
          "Of a run, unless it says otherwise [s].")
      .def_property_readonly("models", ModelsOf, "Ids of the models that it opens with.")
      .def_property_readonly(
          "bodies", [](const Scene& s) { return BodiesOf(*s.model); },
          "Their names, in the order of arrays.")
      .def_property_readonly("signals", SignalsOf, "Names of all signals that it has.")
      .def_property_readonly(
          "parameters", [](const Scene& s) { return ParamsOf(s.channels.front().config); },
          "Values of all parameters of its first model, by path.")
      .def("__repr__", [](const Scene& s) { return fmt::format("<slipscope.Scene '{}'>", s.id); });
  type.def(py::pickle(&PackScene, &UnpackScene));
  DefReduce(&type);
  DefSame(&type);
  Def(&type, "describe", "(self, path)", Describe,
      "Meaning, unit, range and source of a parameter.", py::arg("path"));
  RefuseUnmade<Scene>();
  Def(module, "list_scenes", "()", ListScenes, "Names of the scenes that come with Slipscope.");
  Def(module, "list_models", "()", Models, "Ids of all models, with a sentence about each.");
}

}  // namespace slip::python
