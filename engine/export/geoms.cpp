#include "engine/export/geoms.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "engine/core/param_text.h"
#include "engine/geometry/mesh.h"
#include "engine/scene/body_reader.h"

namespace slip {
namespace {

constexpr double kPointRadius = 1e-4;  // of a point without size [m]
constexpr std::size_t kMostCloudPoints = 5000;

/// Its points are those that the shape has by itself.
bool HasOwnPoints(const Body& body) {
  Body plain = body;
  SetDefaultPoints(&plain);
  return plain.points_B == body.points_B && plain.point_radius == body.point_radius;
}

class GeomList {
 public:
  GeomList(const Body& link, const LinkFrames& frames, int index, Losses* losses)
      : link_(link), X_LB_(frames.X_LB(index)), losses_(losses) {}

  /// `index` of the body in the model, -1 = for the eyes only.
  void AddBody(int index, const Body& body, const Pose& X_BS, bool seen) {
    index_ = index;
    if (body.shape.kind == ShapeKind::kPointCloud) return AddCloud(body, X_BS);
    const bool points = !body.points_B.empty() && !HasOwnPoints(body);
    GeomRole role = GeomRole::kVisual;
    if (body.collides) {
      role = body.probes ? GeomRole::kProbed : points ? GeomRole::kOffSurfaces : GeomRole::kSolid;
    }
    if (body.collides || seen) Add(role, body.shape, X_BS, seen, body.colour);
    if (points || body.probes)
      AddPoints(body.points_B, body.point_radius, X_BS,
                body.probes ? GeomRole::kProbe : GeomRole::kPoint);
  }

  std::vector<ExportGeom> list;

 private:
  void Add(GeomRole role, const Shape& shape, const Pose& X_BS, bool seen,
           const std::optional<std::array<double, 4>>& colour = {}) {
    list.push_back({role, shape, ComposeKept(X_LB_, X_BS), seen, colour, index_});
  }
  void AddPoints(const std::vector<Vec3>& points, double radius, const Pose& X_BS, GeomRole role) {
    Shape ball;
    ball.radius = std::max(radius, kPointRadius);
    if (radius < kPointRadius)
      losses_->Add(LossId::kContactPoints, "contact points are spheres of 0.1 mm radius there",
                   link_.name);
    for (const Vec3& p : points) Add(role, ball, {X_BS * p, Quat::Identity()}, true);
  }
  void AddCloud(const Body& body, const Pose& X_BS) {
    const PointCloud& cloud = *body.shape.cloud;
    if (cloud.points.size() > kMostCloudPoints) {
      return losses_->Add(
          LossId::kPointCloud,
          fmt::format("a cloud of more than {} points is left out", kMostCloudPoints), link_.name);
    }
    losses_->Add(LossId::kPointCloud, "a cloud is one sphere a point there", link_.name);
    AddPoints(cloud.points, cloud.radius, X_BS, GeomRole::kCloud);
  }

  const Body& link_;
  const Pose& X_LB_;
  Losses* losses_;
  int index_ = -1;
};

void AddFace(std::string* text, const int* corners, int count) {
  *text += "f";
  for (int i = 0; i < count; ++i) *text += fmt::format(" {}", corners[i] + 1);
  *text += "\n";
}

std::string ObjText(const Shape& shape) {
  std::string text = "# Slipscope, m\n";
  const bool convex = shape.kind == ShapeKind::kConvex;
  for (const Vec3& p : convex ? shape.convex->vertices : shape.triangles->vertices)
    text +=
        fmt::format("v {} {} {}\n", FormatNumber(p.x()), FormatNumber(p.y()), FormatNumber(p.z()));
  if (convex) {
    for (const ConvexMesh::Face& face : shape.convex->faces)
      AddFace(&text, shape.convex->face_corners.data() + face.first, face.count);
  } else {
    for (const std::array<int, 3>& triangle : shape.triangles->triangles)
      AddFace(&text, triangle.data(), 3);
  }
  return text;
}

}  // namespace

std::vector<ExportGeom> GeomsOf(const Model& model, const LinkFrames& frames, int link,
                                Losses* losses) {
  const Body& body = model.bodies[static_cast<std::size_t>(link)];
  GeomList geoms(body, frames, link, losses);
  geoms.AddBody(link, body, Pose{}, body.visible);
  for (const int v : frames.VisualsOf(link)) {
    const Body& visual = model.visuals[static_cast<std::size_t>(v)];
    geoms.AddBody(-1, visual, visual.joint.X_PF, true);
  }
  for (const int p : frames.PartsOf(link)) {
    const Body& part = model.bodies[static_cast<std::size_t>(p)];
    geoms.AddBody(p, part, part.joint.X_PF, part.visible);
  }
  return std::move(geoms.list);
}

Pose StandUp(const Pose& X_LS) {
  const double half = 0.5 * std::numbers::sqrt2;
  return {X_LS.p, (X_LS.q * Quat(half, 0, half, 0)).normalized()};
}

const std::string& ExportMeshes::FileOf(const Shape& shape) {
  const void* mesh = shape.kind == ShapeKind::kConvex
                         ? static_cast<const void*>(shape.convex.get())
                         : static_cast<const void*>(shape.triangles.get());
  const auto at = std::find(known_.begin(), known_.end(), mesh);
  if (at != known_.end()) return files_[static_cast<std::size_t>(at - known_.begin())].name;
  known_.push_back(mesh);
  files_.push_back({fmt::format("{}-mesh-{}.obj", stem_, known_.size()), ObjText(shape)});
  return files_.back().name;
}

}  // namespace slip
