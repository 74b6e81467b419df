// OBJ files and point clouds: what a scene may load as a body or as surroundings.
#include "engine/geometry/mass_properties.h"
#include "engine/geometry/mesh_text.h"
#include "tests/fuzz/oracle.h"

namespace slip::fuzz {
namespace {

void CheckPose(const Pose& pose, std::string_view what) {
  Require(pose.p.allFinite() && std::abs(pose.q.norm() - 1) < 1e-9, what);
}

void CheckBody(ConvexMesh mesh) {
  const MassProperties mass = CalcMassProperties(mesh, 1000);
  Require(std::isfinite(mass.volume) && mass.volume > 0, "volume of a hull");
  Require(mass.p_com.allFinite() && mass.inertia.allFinite(), "mass properties of a hull");
  const Vec3 moments = CalcPrincipalAxes(mass.inertia).moments;
  Require(moments.minCoeff() > 0, "moments of inertia of a hull");
  CheckPose(MoveToPrincipalFrame(&mesh), "principal frame of a hull");
  Require(std::isfinite(mesh.radius) && mesh.radius > 0, "radius of a hull");
  for (const Vec3& p : mesh.vertices) Require(p.allFinite(), "vertex of a hull");
  for (const ConvexMesh::Face& face : mesh.faces) {
    Require(std::abs(face.normal.norm() - 1) < 1e-9, "normal of a hull");
    Require(std::isfinite(face.offset), "offset of a hull's face");
  }
}

void CheckSurface(const TriangleMesh& mesh, bool solid) {
  Require(mesh.normals.size() == mesh.triangles.size(), "one normal a triangle");
  for (const Vec3& n : mesh.normals)
    Require(n.isZero() || std::abs(n.norm() - 1) < 1e-9, "normal of a triangle");
  for (const auto& t : mesh.triangles)
    for (const int v : t)
      Require(v >= 0 && v < static_cast<int>(mesh.vertices.size()), "corner of a triangle");
  Require(!solid || CalcVolume(mesh) > 0, "volume of a solid");
}

}  // namespace
}  // namespace slip::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  using namespace slip;
  using namespace slip::fuzz;
  if (size < 1) return 0;
  // the first character chooses how the rest is read
  const int use = data[0] % 4;
  const std::string text(TextOf(data + 1, size - 1));
  if (use == 0) {
    const auto body = ReadConvexMeshText(text, "fuzz.obj", 1);
    body ? CheckBody(body->mesh) : RequireErrors(body.errors());
  } else if (use == 3) {
    auto cloud = ReadPointCloudText(text, data[0] & 4 ? "fuzz.obj" : "fuzz.xyz", 0.01, 1);
    if (!cloud) {
      RequireErrors(cloud.errors());
      return 0;
    }
    PointCloud points = cloud->mesh;
    const Mat3 inertia = CalcMassProperties(points, 1000).inertia;
    Require(CalcPrincipalAxes(inertia).moments.minCoeff() > 0, "moments of inertia of a cloud");
    CheckPose(MoveToPrincipalFrame(&points), "principal frame of a cloud");
    for (const Vec3& p : points.points) Require(p.allFinite(), "point of a cloud");
  } else {
    const MeshUse kind = use == 1 ? MeshUse::kSolid : MeshUse::kSurface;
    const auto mesh = ReadTriangleMeshText(text, "fuzz.obj", kind, data[0] & 4 ? 1e-3 : 1);
    mesh ? CheckSurface(mesh->mesh, use == 1) : RequireErrors(mesh.errors());
  }
  return 0;
}
