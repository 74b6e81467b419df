// From a file to a description: what the parts are read in order.
#include <fmt/format.h>

#include <exception>
#include <filesystem>

#include "engine/geometry/mesh_text.h"
#include "engine/mjcf/mjcf.h"
#include "engine/mjcf/mjcf_model.h"

namespace slip {
namespace {

namespace fs = std::filesystem;

Result<RobotDescription> ReadMjcfParts(std::string_view text, const std::string& name,
                                       const std::string& folder, MeshCollision collision) {
  MjcfReport report;
  report.files.push_back(name);
  Result<MjcfNode> root = ParseMjcf(text, folder, &report);
  if (!root) return root.errors();
  MjcfModel model(&report);
  model.folder = folder;
  model.collision = collision;
  model.whole = !report.failed();
  model.robot.world.emplace();
  model.robot.on_world = true;
  const std::string* given = root->Find("model");
  model.robot.name = given != nullptr && !given->empty() ? *given : fs::path(name).stem().string();
  ReadMjcfSettings(*root, &model);
  AttachMjcfModels(&root.value(), &model);
  ExpandMjcfReplicas(&root.value(), model.settings, &report);
  RefuseMjcf(*root, &report);
  model.defaults.Read(*root, &report);
  ReadMjcfAssets(*root, &model);
  FindMjcfPaired(*root, &model);
  ReadMjcfBodies(*root, &model);
  SettleMjcfMasses(&model);
  ReadMjcfKeys(*root, &model);
  ReadMjcfEquality(*root, &model);
  ReadMjcfActuators(*root, &model);
  ReadMjcfPairs(*root, &model);
  if (report.failed()) return report.TakeErrors();
  TranslateMjcfContacts(&model);
  model.robot.notes = report.TakeNotes();
  return std::move(model.robot);
}

/// The name of the root, behind blanks, comments and declarations.
std::string FindRoot(std::string_view text) {
  std::size_t at = 0;
  while ((at = text.find('<', at)) != text.npos) {
    const std::string_view rest = text.substr(at + 1);
    if (rest.starts_with("!--")) {
      at = text.find("-->", at);
      if (at == text.npos) break;
    } else if (rest.starts_with("?") || rest.starts_with("!")) {
      ++at;
    } else {
      return std::string(rest.substr(0, rest.find_first_of(" \t\r\n/>")));
    }
  }
  return {};
}

}  // namespace

Result<RobotDescription> ReadMjcfText(std::string_view text, const std::string& name,
                                      const std::string& folder, MeshCollision collision) {
  try {
    return ReadMjcfParts(text, name, folder, collision);
  } catch (const std::exception& e) {
    return Error{.message = fmt::format("the file cannot be read: {}", e.what()),
                 .file = name,
                 .hint = "please report this file"};
  }
}

Result<RobotDescription> ReadMjcf(const std::string& path, MeshCollision collision) {
  const Result<std::string> text = ReadTextFile(path, kMjcfFile);
  if (!text) return text.errors();
  return ReadMjcfText(*text, path, fs::path(path).parent_path().string(), collision);
}

Result<RobotDescription> ReadRobotFile(const std::string& path,
                                       std::optional<MeshCollision> collision) {
  const MeshCollision of_urdf = collision.value_or(MeshCollision::kParts);
  const bool xml = LowerExtension(path) == ".xml";
  const Result<std::string> text = ReadTextFile(path, kMjcfFile);
  if (!text) return xml ? text.errors() : ReadUrdf(path, of_urdf);
  const std::string folder = fs::path(path).parent_path().string();
  const std::string root = FindRoot(*text);
  if (root == "mujoco" || (xml && root != "robot"))
    return ReadMjcfText(*text, path, folder, collision.value_or(MeshCollision::kHull));
  if (!xml) return ReadUrdf(path, of_urdf);
  Result<RobotDescription> robot = ReadUrdfText(*text, path, folder, of_urdf);
  if (robot) robot.value().notes.emplace_back("its root is <robot>: read as URDF");
  return robot;
}

}  // namespace slip
