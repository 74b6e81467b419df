#include "engine/geometry/mass_properties.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace slip {
namespace {

/// Integrals over a body made of tetrahedra (o, a, b, c) with apex o. With u = a-o, v = b-o,
/// w = c-o, s = u+v+w: V = det/6, ∫r = det s/24, ∫r rᵀ = det (uuᵀ + vvᵀ + wwᵀ + ssᵀ)/120.
class TetrahedronSum {
 public:
  explicit TetrahedronSum(const Vec3& apex) : apex_(apex) {}

  void Add(const Vec3& a, const Vec3& b, const Vec3& c) {
    const Vec3 u = a - apex_, v = b - apex_, w = c - apex_, s = u + v + w;
    const double det = u.dot(v.cross(w));
    volume_ += det / 6;
    first_ += det / 24 * s;
    second_ +=
        det / 120 * (u * u.transpose() + v * v.transpose() + w * w.transpose() + s * s.transpose());
  }

  MassProperties Finish(double density) const {
    MassProperties result;
    result.volume = volume_;
    result.mass = density * volume_;
    const Vec3 mean = first_ / volume_;
    result.p_com = apex_ + mean;
    const Mat3 spread = density * (second_ - volume_ * mean * mean.transpose());
    result.inertia = spread.trace() * Mat3::Identity() - spread;
    return result;
  }

 private:
  Vec3 apex_;
  double volume_ = 0;
  Vec3 first_ = Vec3::Zero();
  Mat3 second_ = Mat3::Zero();
};

MassProperties Symmetric(double volume, double density, const Vec3& moments_per_mass) {
  MassProperties result;
  result.volume = volume;
  result.mass = density * volume;
  result.inertia = (result.mass * moments_per_mass).asDiagonal();
  return result;
}

MassProperties CapsuleMass(double r, double length, double density) {
  // two half balls whose centres of mass lie 3/8 r outside the ends of the cylinder
  const double cylinder = std::numbers::pi * r * r * length,
               ball = 4 * std::numbers::pi / 3 * r * r * r;
  const double m1 = density * cylinder, m2 = density * ball;
  const double half = length / 2;
  MassProperties result = Symmetric(cylinder + ball, density, Vec3::Zero());
  const double along = m1 * r * r / 2 + m2 * 2 * r * r / 5;
  const double across = m1 * (r * r / 4 + length * length / 12) +
                        m2 * (2 * r * r / 5 + half * half + 3 * half * r / 4);
  result.inertia = Vec3(along, across, across).asDiagonal();
  return result;
}

Pose PrincipalPose(const MassProperties& properties) {
  const Quat q(Mat3(CalcPrincipalAxes(properties.inertia).axes.transpose()));
  return {.p = -(q * properties.p_com), .q = q};
}

void MovePoints(const Pose& pose, std::vector<Vec3>* points) {
  for (Vec3& p : *points) p = pose * p;
}

}  // namespace

MassProperties CalcMassProperties(const TriangleMesh& mesh, double density) {
  if (mesh.triangles.empty()) return {};
  TetrahedronSum sum(mesh.vertices[mesh.triangles[0][0]]);
  for (const auto& t : mesh.triangles)
    sum.Add(mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]]);
  return sum.Finish(density);
}

MassProperties CalcMassProperties(const ConvexMesh& mesh, double density) {
  if (mesh.faces.empty()) return {};
  TetrahedronSum sum(mesh.vertices[0]);
  for (const ConvexMesh::Face& face : mesh.faces) {
    const int* corners = &mesh.face_corners[face.first];
    for (int i = 1; i + 1 < face.count; ++i)
      sum.Add(mesh.vertices[corners[0]], mesh.vertices[corners[i]], mesh.vertices[corners[i + 1]]);
  }
  return sum.Finish(density);
}

MassProperties CalcMassProperties(const PointCloud& cloud, double density) {
  if (cloud.points.empty()) return {};
  const double r = cloud.radius, each = 4 * std::numbers::pi / 3 * r * r * r;
  MassProperties result;
  result.volume = each * static_cast<double>(cloud.points.size());
  result.mass = density * result.volume;
  for (const Vec3& p : cloud.points) result.p_com += p;
  result.p_com /= static_cast<double>(cloud.points.size());
  for (const Vec3& p : cloud.points) {
    const Vec3 d = p - result.p_com;
    result.inertia +=
        density * each * ((d.squaredNorm() + 0.4 * r * r) * Mat3::Identity() - d * d.transpose());
  }
  return result;
}

MassProperties CalcMassProperties(const Shape& shape, double density) {
  const double r = shape.radius, length = shape.length;
  const Vec3 s2 = shape.size.cwiseAbs2();
  switch (shape.kind) {
    case ShapeKind::kSphere:
      return Symmetric(4 * std::numbers::pi / 3 * r * r * r, density, Vec3::Constant(0.4 * r * r));
    case ShapeKind::kBox:
      return Symmetric(shape.size.prod(), density,
                       Vec3(s2.y() + s2.z(), s2.z() + s2.x(), s2.x() + s2.y()) / 12);
    case ShapeKind::kCapsule:
      return CapsuleMass(r, length, density);
    case ShapeKind::kCylinder: {
      const double across = r * r / 4 + length * length / 12;
      return Symmetric(std::numbers::pi * r * r * length, density, Vec3(r * r / 2, across, across));
    }
    case ShapeKind::kConvex:
      return shape.convex ? CalcMassProperties(*shape.convex, density) : MassProperties();
    case ShapeKind::kTriangleMesh:
      return shape.triangles ? CalcMassProperties(*shape.triangles, density) : MassProperties();
    case ShapeKind::kPointCloud:
      return shape.cloud ? CalcMassProperties(*shape.cloud, density) : MassProperties();
  }
  return {};
}

PrincipalAxes CalcPrincipalAxes(const Mat3& inertia) {
  PrincipalAxes result;
  Mat3 a = inertia;
  // rounding in the integrals is 1e-15 or so: smaller products of inertia are none
  const double negligible = 1e-12 * inertia.cwiseAbs().maxCoeff();
  for (int sweep = 0; sweep < 30; ++sweep) {
    bool turned = false;
    for (int p = 0; p < 3; ++p)
      for (int q = p + 1; q < 3; ++q) {
        if (std::abs(a(p, q)) <= negligible) continue;
        turned = true;
        // the smaller of the two angles with tan 2θ = 2 a_pq / (a_qq - a_pp)
        const double tau = (a(q, q) - a(p, p)) / (2 * a(p, q));
        const double t = (tau >= 0 ? 1 : -1) / (std::abs(tau) + std::hypot(1.0, tau));
        const double c = 1 / std::hypot(1.0, t), s = t * c;
        Mat3 turn = Mat3::Identity();
        turn(p, p) = turn(q, q) = c;
        turn(p, q) = s;
        turn(q, p) = -s;
        a = turn.transpose() * a * turn;
        result.axes = result.axes * turn;
      }
    if (!turned) break;
  }
  result.moments = a.diagonal();
  return result;
}

Pose MoveToPrincipalFrame(TriangleMesh* mesh) {
  const Pose pose = PrincipalPose(CalcMassProperties(*mesh, 1));
  MovePoints(pose, &mesh->vertices);
  for (Vec3& n : mesh->normals) n = pose.q * n;
  BuildMeshTree(mesh);
  return pose;
}

Pose MoveToPrincipalFrame(ConvexMesh* mesh) {
  const Pose pose = PrincipalPose(CalcMassProperties(*mesh, 1));
  MovePoints(pose, &mesh->vertices);
  mesh->radius = 0;
  for (const Vec3& p : mesh->vertices) mesh->radius = std::max(mesh->radius, p.norm());
  for (ConvexMesh::Face& face : mesh->faces) {
    face.normal = pose.q * face.normal;
    face.offset += face.normal.dot(pose.p);
  }
  return pose;
}

Pose MoveToPrincipalFrame(PointCloud* cloud) {
  return MoveToPrincipalFrame(CalcMassProperties(*cloud, 1), cloud);
}

Pose MoveToPrincipalFrame(const MassProperties& properties, PointCloud* cloud) {
  const Pose pose = PrincipalPose(properties);
  MovePoints(pose, &cloud->points);
  return pose;
}

}  // namespace slip
