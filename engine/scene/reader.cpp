// A scene file: TOML to Scene and Model. Keys before the tables and [material.*] are read here, all
// else by the readers beside. All errors are collected. The keys: scene_keys.h.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <sstream>
#include <utility>

#include "engine/control/controllers.h"
#include "engine/geometry/mesh_text.h"
#include "engine/geometry/shape_formats.h"
#include "engine/mjcf/mjcf.h"
#include "engine/scene/body_reader.h"
#include "engine/scene/channel_reader.h"
#include "engine/scene/lesson_reader.h"
#include "engine/scene/path_reader.h"
#include "engine/scene/robot_reader.h"
#include "engine/scene/robot_scene.h"
#include "engine/scene/scene.h"
#include "engine/scene/staging_reader.h"
#include "engine/scene/top_keys.h"
#include "engine/sim/expression.h"
#include "engine/sim/part_signals.h"
#include "engine/sim/snapshot.h"

namespace slip {
namespace {

/// Ids end up in paths such as "material.steel.stiffness" and in CSV cells.
bool CheckName(const TomlNode& node, std::string_view what, Reporter* reporter) {
  const auto good = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  };
  const bool ok = !node.key.empty() && node.key.size() <= 40 &&
                  std::all_of(node.key.begin(), node.key.end(), good);
  if (!ok) {
    reporter->Add(node, "the name of a " + std::string(what) +
                            " must be 1 to 40 letters, digits, '-' or '_'");
  }
  return ok;
}

/// The members of [what.*], each a table.
std::vector<const TomlNode*> Tables(TableReader* root, const SceneKey& key) {
  std::vector<const TomlNode*> tables;
  const std::string_view what = key.name;
  const TomlNode* group = root->Find(key);
  if (group == nullptr) return tables;
  if (group->kind != TomlNode::Kind::kTable) {
    root->reporter().Add(*group, std::string(what) + " must be a table such as [" +
                                     std::string(what) + ".name] (found " + group->Found() + ")");
    return tables;
  }
  for (const TomlNode& item : group->items) {
    if (item.kind != TomlNode::Kind::kTable) {
      root->reporter().Add(item, std::string(what) + "." + item.key + " must be a table (found " +
                                     item.Found() + ")");
    } else if (CheckName(item, what, &root->reporter())) {
      tables.push_back(&item);
    }
  }
  return tables;
}

/// Texts of a list checked against what is known; bad ones are reported at their place.
template <class Known>
void CheckTexts(const TomlNode& root, std::string_view key, const Known& error_of,
                Reporter* reporter) {
  const TomlNode* list = root.Find(key);
  if (list == nullptr) return;
  for (const TomlNode& item : list->items) {
    if (item.kind != TomlNode::Kind::kText) continue;
    const std::optional<Error> error = error_of(item.text);
    if (error) reporter->Add(item, *error);
  }
}

void CheckPlotsAndChosen(const TomlNode& root, const Model* model, const Config& config,
                         Reporter* reporter) {
  const auto signal_error = [&](const std::string& name) -> std::optional<Error> {
    if (model == nullptr && name.find(':') != std::string::npos) return std::nullopt;
    const Result<Signal> signal = SignalNamed(model != nullptr ? *model : Model(), name);
    if (signal.ok()) return std::nullopt;
    return signal.error();
  };
  CheckTexts(root, "plots", signal_error, reporter);
  CheckTexts(
      root, "chosen",
      [&](const std::string& path) -> std::optional<Error> {
        if (FindParam(config, path) != nullptr) return std::nullopt;
        Config copy = config;
        return SetParam(&copy, path, 0).error();
      },
      reporter);
}

void ReadMaterials(TableReader* root, Config* config) {
  for (const TomlNode* node : Tables(root, TopKey("material"))) {
    Material material{.name = node->key};
    TableReader table(*node, kMaterialSection, "[material." + node->key + "]", &root->reporter());
    table.Params(&material);
    if (const Status status = CheckFriction({&material, 1}); !status)
      table.reporter().Add(*node->Find("torsional_friction"), status.error());
    table.Finish();
    config->materials.push_back(std::move(material));
  }
  if (config->materials.empty() && root->reporter().empty()) {
    root->reporter().Add(root->node(), "a scene needs at least one [material.NAME]");
  }
}

/// Every controller fits its robot, in every channel.
void CheckControllers(const Scene& scene, const std::vector<const TomlNode*>& nodes,
                      Reporter* reporter) {
  const Model& model = *scene.model;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (const ChannelSpec& channel : scene.channels) {
      const Status fits = CheckController(model, model.robots[i], channel.config.robots[i].id());
      if (fits.ok()) continue;
      reporter->Add(*nodes[i], fits.error());
      break;
    }
  }
}

/// The version of the format; a file without it is of the first.
void ReadSchema(TableReader* root) {
  std::string schema;
  if (!root->Text(TopKey("schema"), &schema) || schema == kSceneSchema) return;
  root->reporter().Add(*root->Find(TopKey("schema")),
                       "schema must be \"" + std::string(kSceneSchema) + "\" (found \"" +
                           schema.substr(0, 60) + "\")",
                       schema.starts_with("slipscope.scene/")
                           ? "a newer Slipscope may have written it: `slipscope --version`"
                           : "");
}

std::shared_ptr<Scene> Read(const TomlNode& document, const std::string& name,
                            const RobotDescription* robot, Reporter* reporter) {
  auto scene = std::make_shared<Scene>();
  scene->file = name;
  scene->id = std::filesystem::path(name).stem().string();
  TableReader root(document, kTopSection, "the scene", reporter);
  ReadSchema(&root);
  root.Require(TopKey("title"), "a text");
  root.Text(TopKey("title"), &scene->title);
  root.Text(TopKey("story"), &scene->story);
  root.Text(TopKey("source"), &scene->source);
  root.Texts(TopKey("tags"), &scene->tags);
  root.Texts(TopKey("plots"), &scene->plots);
  root.Texts(TopKey("chosen"), &scene->chosen);
  root.Number(TopKey("duration"), &scene->duration);
  root.Number(TopKey("contact_margin"), &scene->base.contact_margin);
  root.Number(TopKey("fan_out"), &scene->fan_out);
  root.Flag(TopKey("closed_form"), &scene->closed_form);
  ReadStaging(&root, scene.get());
  bool planar = false;
  root.Flag(TopKey("planar"), &planar);
  root.Params(&scene->config.step);
  ReadMaterials(&root, &scene->config);
  for (const TomlNode* node : Tables(&root, TopKey("surface"))) {
    scene->base.surfaces.push_back(ReadSurface(*node, &scene->config, reporter));
  }
  for (const TomlNode* node : Tables(&root, TopKey("body"))) {
    BodyWithParts made = ReadBody(*node, scene->config, planar, reporter);
    const Body body = made.body;
    AppendBody(std::move(made), &scene->base.bodies);
    if (!body.Moves()) continue;
    scene->config.bodies.push_back(
        {.name = body.name, .mass = body.mass, .material = body.material});
  }
  const std::vector<const TomlNode*> robots = Tables(&root, TopKey("robot"));
  for (const TomlNode* node : robots) {
    if (planar) reporter->Add(*node, "a robot leaves the plane of a scene with planar = true");
    ReadRobot(*node, robot, scene.get(), reporter);
  }
  for (const TomlNode* node : Tables(&root, TopKey("push"))) {
    ReadPush(*node, &scene->base, &scene->config, reporter);
  }
  for (const TomlNode* node : Tables(&root, TopKey("pile"))) {
    scene->piles.push_back(ReadPile(*node, &scene->config, planar, reporter));
  }
  ReadChannels(&root, scene.get());
  ReadOpensWith(&root, scene.get());
  // a robot that was refused would have its joints and feet reported, too
  const Model* known = scene->base.robots.size() == robots.size() ? &scene->base : nullptr;
  ReadLesson(&root, known, scene->config, &scene->lesson);
  CheckPlotsAndChosen(document, known, scene->config, reporter);
  ReadNumbers(&root, known, scene.get());
  root.Finish();
  if (!scene->channels.empty()) scene->config.step.method = scene->channels[0].config.step.method;
  if (scene->plots.empty()) scene->plots = {"normal_force", "gliding_offset", "condition_number"};
  scene->base.planar = planar;
  scene->notes = reporter->notes();
  if (reporter->empty() && scene->base.bodies.empty() && scene->piles.empty())
    reporter->Add(document, "a scene needs at least one [body.NAME] or [robot.NAME]");
  if (!reporter->empty()) return scene;
  if (const Status size = scene->CheckSize(scene->config); !size.ok()) {
    reporter->Add(document, size.error());
  } else {
    scene->model = scene->ModelFor(scene->config);
    CheckControllers(*scene, robots, reporter);
  }
  return scene;
}

/// `robot`: that of every [robot.NAME], where it was read already; `made`: for it alone.
Result<std::shared_ptr<const Scene>> ReadText(std::string_view text, const std::string& name,
                                              const RobotDescription* robot, RobotSceneText made) {
  const bool blank = std::all_of(text.begin(), text.end(), [](char c) {
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
  });
  if (blank) return Error{.message = "the file is empty", .file = name};
  Result<TomlNode> document = ParseToml(text, name);
  if (!document) return document.errors();
  Reporter reporter(name);
  std::shared_ptr<Scene> scene = Read(*document, name, robot, &reporter);
  if (reporter.empty()) {
    scene->text = text;
    scene->made = std::move(made.remarks);
    scene->chose_gains = made.chose_gains;
    return std::shared_ptr<const Scene>(std::move(scene));
  }
  ErrorList errors = reporter.errors();
  std::stable_sort(errors.begin(), errors.end(), [](const Error& a, const Error& b) {
    return std::pair(a.line, a.column) < std::pair(b.line, b.column);
  });
  return errors;
}

}  // namespace

Result<std::shared_ptr<const Scene>> ReadSceneText(std::string_view text, const std::string& name) {
  return ReadText(text, name, nullptr, {});
}

Result<std::shared_ptr<const Scene>> ReadRobotScene(const RobotDescription& robot,
                                                    const std::string& path) {
  RobotSceneText made = MakeRobotScene(robot, path);
  const std::string text = std::move(made.text);
  Result<std::shared_ptr<const Scene>> scene = ReadText(text, path, &robot, std::move(made));
  if (scene.ok()) return scene;
  ErrorList errors = scene.errors();
  // their lines are not those of the file
  for (Error& error : errors) error.line = error.column = 0;
  return errors;
}

namespace {

Error NoSceneKind(const std::string& path, std::string message) {
  return {.message = std::move(message),
          .file = path,
          .hint = fmt::format("expected a scene (.toml), a robot (.urdf or .xml), a mesh ({}) or "
                              "points ({})",
                              MeshSuffixes(), CloudSuffixes())};
}

}  // namespace

Result<std::shared_ptr<const Scene>> ReadScene(const std::string& path) {
  if (IsOfRobots(path)) {
    const Result<RobotDescription> robot = ReadRobotFile(path);
    if (!robot) return robot.errors();
    return ReadRobotScene(*robot, path);
  }
  if (const ShapeFormat* format = FindShapeFormat(path); format != nullptr) {
    std::error_code code;
    if (std::filesystem::is_regular_file(path, code))
      return Error{.message = fmt::format("a {} ({}), no scene",
                                          format->faces ? "mesh" : "point cloud", format->name),
                   .file = path,
                   .hint = fmt::format("name it in a scene: shape = \"{}\", file = \"{}\"; "
                                       "'slipscope check' tells what it holds",
                                       format->faces ? "mesh" : "cloud",
                                       std::filesystem::path(path).filename().string())};
  }
  // read as a scene, a file of another kind would only be told by its first letters
  const std::string ending = LowerExtension(path);
  std::error_code code;
  if (!ending.empty() && ending != ".toml" && std::filesystem::is_regular_file(path, code))
    return NoSceneKind(path, fmt::format("files of type '{}' are not read", ending));
  const Result<std::string> text = ReadTextFile(path, kSceneFile);
  if (!text) return text.errors();
  // every scene has a key
  const bool keys = text->find('\0') == text->npos && text->find('=') != text->npos;
  if (ending.empty() && !text->empty() && !keys)
    return NoSceneKind(path, "it has no ending that tells its kind, and is no scene");
  return ReadSceneText(*text, path);
}

}  // namespace slip
