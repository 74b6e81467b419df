// Shapes from files: shape = "mesh" and shape = "cloud".
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "engine/core/other_case.h"
#include "engine/geometry/mesh_source.h"
#include "engine/geometry/point_cloud.h"
#include "engine/geometry/shape_formats.h"
#include "engine/scene/body_keys.h"
#include "engine/scene/body_reader.h"
#include "engine/scene/scene.h"
#include "engine/urdf/urdf_xml.h"

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

/// What to do about a file that is not there; empty when it is.
std::string HintForMesh(const std::string& path) {
  std::string hint = HintForMissing(path);
  if (hint.empty() || !FindOtherCase(path).empty()) return hint;
  const std::string other = FindOtherFormat(path);
  return other.empty() ? hint : "there is '" + other + "': name that one here";
}

void TellErrors(const TomlNode& at, const ErrorList& errors, Reporter* reporter) {
  for (Error error : errors) {
    if (std::string hint = HintForMesh(error.file); !hint.empty()) error.hint = hint;
    reporter->Add(at, error.Text());
  }
}

template <class T>
std::shared_ptr<T> Take(const TomlNode& at, Result<Imported<T>> imported, Reporter* reporter) {
  if (!imported) {
    TellErrors(at, imported.errors(), reporter);
    return nullptr;
  }
  for (const std::string& note : imported->notes) reporter->Note(note);
  return std::make_shared<T>(std::move(imported->mesh));
}

/// The file that a key names; empty, and an error, when it names none.
std::string ReadFileName(TableReader* table, const SceneKey& key, std::string_view what) {
  std::string name;
  if (!table->Text(key, &name)) return {};
  Reporter& reporter = table->reporter();
  if (!name.empty()) return FindFile(name, reporter.file());
  reporter.Add(*table->Find(key),
               fmt::format("{} must be the name of {} (found \"\")", key.name, what),
               "paths count from the scene file's folder");
  return {};
}

/// Points of a `file`, or `samples` of them on the surface `mesh`; null, and errors, when neither.
std::shared_ptr<PointCloud> TakeCloud(TableReader* table, double radius, double scale) {
  Reporter& reporter = table->reporter();
  const TomlNode* file = table->Find(BodyKey("file"));
  const TomlNode* mesh = table->Find(BodyKey("mesh"));
  const TomlNode* samples = table->Find(BodyKey("samples"));
  if (mesh == nullptr) {
    table->Require(BodyKey("file"),
                   "the name of a file of points, or mesh and samples in its place");
    const std::string path = ReadFileName(table, BodyKey("file"), "a file of points");
    if (samples != nullptr) {
      reporter.Add(*samples, table->where() + ": samples are taken of a mesh, which is not given",
                   "write mesh = \"NAME.stl\", or leave samples out");
    }
    if (path.empty()) return nullptr;
    return Take(*file, ReadPointCloud(path, radius, scale), &reporter);
  }
  const std::string path = ReadFileName(table, BodyKey("mesh"), "a mesh file");
  if (file != nullptr) {
    reporter.Add(*mesh, table->where() + " has both file and mesh",
                 "points come from a file or are sampled from a mesh");
    return nullptr;
  }
  double count = 0;
  table->Require(BodyKey("samples"), "how many points to take on the mesh");
  if (!table->Number(BodyKey("samples"), &count) || path.empty()) return nullptr;
  return Take(*mesh, SamplePointCloud(path, static_cast<int>(count), radius, scale), &reporter);
}

/// The frame of a body of points: centre of mass and principal axes, of its balls, of the hull, or
/// as given.
void SetCloudFrame(TableReader* table, const TomlNode& at, PointCloud* cloud, Body* body) {
  Reporter& reporter = table->reporter();
  Vec3 center_S = Vec3::Zero();
  const bool given = table->Vector(BodyKey("center_of_mass"), &center_S);
  const TomlNode* inertia = table->node().Find("inertia");
  const bool listed = inertia != nullptr && inertia->kind == TomlNode::Kind::kList;
  if (IsHullInertia(table->node())) {
    if (given) {
      reporter.Add(*inertia,
                   table->where() + " has a center_of_mass, and inertia = \"hull\" has its own",
                   "leave center_of_mass out, or give inertia = [Ixx, Iyy, Izz]");
      return;
    }
    const Result<MassProperties> hull = CalcHullMassProperties(cloud->points, 1);
    if (hull.ok()) {
      body->X_BL = MoveToPrincipalFrame(*hull, cloud);
    } else {
      reporter.Add(*inertia, table->where() + ": " + hull.error().message, hull.error().hint);
    }
  } else if (given) {
    for (Vec3& point : cloud->points) point -= center_S;
    body->X_BL.p = -center_S;
    if (!listed)
      reporter.Add(at, table->where() +
                           " has a center_of_mass, so it needs inertia = [Ixx, Iyy, Izz] about it, "
                           "along the axes of the file");
  } else if (cloud->radius > 0) {
    body->X_BL = MoveToPrincipalFrame(cloud);
  } else {
    reporter.Add(at, table->where() + ": points of radius 0 have no mass of their own",
                 "give center_of_mass and inertia, or inertia = \"hull\"");
  }
}

void ReadCloudShape(TableReader* table, double scale, Body* body) {
  Shape& shape = body->shape;
  table->Number(BodyKey("radius"), {0, key_limits::kFar}, &shape.radius);
  std::shared_ptr<PointCloud> cloud = TakeCloud(table, shape.radius, scale);
  if (cloud == nullptr) {
    table->Find(BodyKey("center_of_mass"));
    return;
  }
  const TomlNode* mesh = table->node().Find("mesh");
  SetCloudFrame(table, mesh != nullptr ? *mesh : *table->node().Find("file"), cloud.get(), body);
  shape.kind = ShapeKind::kPointCloud;
  shape.cloud = std::move(cloud);
}

MeshCollision ReadCollision(TableReader* table, const Body& body) {
  const std::optional<std::size_t> chosen = table->Choice(BodyKey("collision"));
  const bool free = body.joint.kind == JointKind::kFree;
  if (!chosen) return free ? MeshCollision::kParts : MeshCollision::kHull;
  const auto collision = static_cast<MeshCollision>(*chosen);
  if (!free && collision == MeshCollision::kParts) {
    table->reporter().Add(*table->node().Find("collision"),
                          table->where() + ": only a body with motion = \"free\" can have parts",
                          "leave collision out; what is fixed touches with its whole surface");
  }
  return collision;
}

/// It weighs what its surface encloses and is drawn as that, and touches with its parts.
void SetParts(MovingMesh mesh, BodyWithParts* made) {
  Body& body = made->body;
  body.X_BL = MoveToPrincipalFrame(&mesh.surface);
  body.shape.kind = ShapeKind::kTriangleMesh;
  body.shape.triangles = std::make_shared<TriangleMesh>(std::move(mesh.surface));
  body.collides = false;
  for (ConvexMesh& convex : mesh.parts) {
    Body& part = made->parts.emplace_back();
    // P of the part, L of the file
    const Pose X_PL = MoveToPrincipalFrame(&convex);
    const Quat q_BP = body.X_BL.q * X_PL.q.conjugate();
    part.SetJoint(JointKind::kFixed);
    part.joint.X_PF = {body.X_BL.p - q_BP * X_PL.p, q_BP.normalized()};
    part.mass = 0;
    part.inertia_B.setZero();
    part.visible = false;
    part.shape.kind = ShapeKind::kConvex;
    part.shape.convex = std::make_shared<ConvexMesh>(std::move(convex));
  }
}

/// What cannot be meant, as in robots: lengths are in another unit.
bool CheckMeshExtent(const TomlNode& at, const MeshSource& source, Reporter* reporter) {
  Eigen::AlignedBox3d box;
  for (const auto& triangle : source.triangles)
    for (const int v : triangle) box.extend(source.vertices[static_cast<std::size_t>(v)]);
  const double extent = box.sizes().maxCoeff();
  const double farthest = box.max().cwiseAbs().cwiseMax(box.min().cwiseAbs()).maxCoeff();
  if (extent >= kSize.least && farthest <= kSize.most) return true;
  reporter->Add(at,
                fmt::format("the mesh is {:g} m large and reaches to {:g} m; expected {:g} to {:g} "
                            "m",
                            extent, farthest, kSize.least, kSize.most),
                "set scale, e.g. scale = 0.001 for millimetres");
  return false;
}

}  // namespace

bool IsHullInertia(const TomlNode& table) {
  const TomlNode* inertia = table.Find("inertia");
  return inertia != nullptr && inertia->kind == TomlNode::Kind::kText && inertia->text == "hull";
}

void ReadMeshShape(TableReader* table, bool cloud, BodyWithParts* made) {
  double scale = 1;
  Body* const body = &made->body;
  Shape& shape = body->shape;
  table->Number(BodyKey("scale"), &scale);
  shape.radius = 1e-3;
  if (cloud) return ReadCloudShape(table, scale, body);
  const TomlNode* node = table->Require(BodyKey("file"), "the name of a mesh file");
  const std::string path = ReadFileName(table, BodyKey("file"), "a mesh file");
  const MeshCollision collision = ReadCollision(table, *body);
  if (node == nullptr || path.empty()) return;
  Reporter& reporter = table->reporter();
  Result<MeshSource> read = ReadMeshSource(path, scale);
  if (!read) return TellErrors(*node, read.errors(), &reporter);
  MeshSource* const source = &read.value();
  if (!source->triangles.empty() && !CheckMeshExtent(*node, *source, &reporter)) return;
  // one body has one colour: that of most of its triangles
  body->colour = SplitByColor(*source, 1).front().color;
  if (body->joint.kind == JointKind::kFixed) {
    shape.kind = ShapeKind::kTriangleMesh;
    shape.triangles =
        Take(*node, MakeTriangleMesh(std::move(*source), path, MeshUse::kSurface), &reporter);
    return;
  }
  auto moving = Take(*node, MakeMovingMesh(std::move(*source), path, collision), &reporter);
  if (moving == nullptr) return;
  // new frame: centre of mass and principal axes, which the pose must make up for
  if (moving->parts.size() > 1) return SetParts(std::move(*moving), made);
  auto convex = std::make_shared<ConvexMesh>(std::move(moving->parts.front()));
  body->X_BL = MoveToPrincipalFrame(convex.get());
  shape.kind = ShapeKind::kConvex;
  shape.convex = std::move(convex);
}

}  // namespace slip
