// Shapes from files: shape = "mesh" and shape = "cloud".
#include <filesystem>
#include <memory>

#include "engine/geometry/point_cloud.h"
#include "engine/scene/body_reader.h"
#include "engine/scene/scene.h"

namespace slip {
namespace {

namespace fs = std::filesystem;

/// Beside the scene file, else in one of the program's own folders.
std::string FindFile(const std::string& name, const std::string& scene_file) {
  const fs::path beside = fs::path(scene_file).parent_path() / name;
  std::error_code code;
  if (fs::path(name).is_absolute() || fs::exists(beside, code)) return beside.string();
  for (const char* folder : {"meshes", "clouds"}) {
    const fs::path own = fs::path(SceneFolder()).parent_path() / "assets" / folder / name;
    if (fs::exists(own, code)) return own.string();
  }
  return beside.string();
}

template <class T>
std::shared_ptr<T> Take(const TomlNode& at, Result<Imported<T>> imported, Reporter* reporter) {
  if (!imported) {
    for (Error error : imported.errors()) {
      std::error_code code;
      if (!error.file.empty() && !fs::exists(error.file, code))
        error.hint = "paths count from the scene file's folder";
      reporter->Add(at, error.Text());
    }
    return nullptr;
  }
  for (const std::string& note : imported->notes) reporter->Note(note);
  return std::make_shared<T>(std::move(imported->mesh));
}

}  // namespace

void ReadMeshShape(TableReader* table, bool cloud, Body* body) {
  std::string name;
  double scale = 1;
  Shape& shape = body->shape;
  const TomlNode* node = table->Require("file", "the name of a mesh file");
  table->Text("file", &name);
  table->Number("scale", "", {0, 1e6, true}, &scale);
  shape.radius = 1e-3;
  if (cloud) table->Number("radius", "m", {0, 1e3}, &shape.radius);
  Vec3 center_S = Vec3::Zero();
  const bool given = cloud && table->Vector("center_of_mass", "m", kFar, &center_S);
  if (node == nullptr || name.empty()) return;
  Reporter& reporter = table->reporter();
  const std::string path = FindFile(name, reporter.file());
  // new frame: centre of mass and principal axes, which the pose must make up for
  if (cloud) {
    auto points = Take(*node, ReadPointCloud(path, shape.radius, scale), &reporter);
    if (points == nullptr) return;
    if (given) {
      for (Vec3& point : points->points) point -= center_S;
      const TomlNode* inertia = table->node().Find("inertia");
      if (inertia == nullptr || inertia->kind != TomlNode::Kind::kList)
        reporter.Add(*node, table->where() +
                                " has a center_of_mass, so it needs inertia = [Ixx, "
                                "Iyy, Izz] about it, along the axes of the file");
    } else if (shape.radius > 0) {
      body->R_SB = MoveToPrincipalFrame(points.get()).q.conjugate();
    } else {
      reporter.Add(*node, table->where() + ": points of radius 0 have no mass of their own",
                   "give center_of_mass and inertia");
    }
    shape.kind = ShapeKind::kPointCloud;
    shape.cloud = std::move(points);
  } else if (body->joint.kind == JointKind::kFixed) {
    shape.kind = ShapeKind::kTriangleMesh;
    shape.triangles = Take(*node, ReadTriangleMesh(path, MeshUse::kSurface, scale), &reporter);
  } else {
    auto convex = Take(*node, ReadConvexMesh(path, scale), &reporter);
    if (convex == nullptr) return;
    body->R_SB = MoveToPrincipalFrame(convex.get()).q.conjugate();
    shape.kind = ShapeKind::kConvex;
    shape.convex = std::move(convex);
  }
}

}  // namespace slip
