// What a model is, in one number: mesh files count by what they hold.
#include <bit>

#include "engine/core/hash.h"
#include "engine/geometry/mesh.h"
#include "engine/scene/scene.h"

namespace slip {
namespace {

void AddNumber(double x, Fnv1a* hash) { hash->Add(std::bit_cast<uint64_t>(x)); }

template <class Vector>
void AddNumbers(const Vector& v, Fnv1a* hash) {
  for (Eigen::Index i = 0; i < v.size(); ++i) AddNumber(v[i], hash);
}

void AddPoints(const std::vector<Vec3>& points, Fnv1a* hash) {
  hash->Add(points.size());
  for (const Vec3& point : points) AddNumbers(point, hash);
}

void AddShape(const Shape& shape, Fnv1a* hash) {
  hash->Add(static_cast<uint64_t>(shape.kind));
  AddNumber(shape.radius, hash);
  AddNumber(shape.length, hash);
  AddNumbers(shape.size, hash);
  if (shape.convex) AddPoints(shape.convex->vertices, hash);
  if (shape.cloud) AddPoints(shape.cloud->points, hash);
  if (!shape.triangles) return;
  AddPoints(shape.triangles->vertices, hash);
  for (const auto& corners : shape.triangles->triangles) {
    for (const int corner : corners) hash->Add(static_cast<uint64_t>(corner));
  }
}

void AddJoint(const Body& body, Fnv1a* hash) {
  const Joint& joint = body.joint;
  hash->Add(static_cast<uint64_t>(joint.parent + 1));
  for (const Pose* X : {&joint.X_PF, &joint.X_BM}) {
    AddNumbers(X->p, hash);
    AddNumbers(X->q.coeffs(), hash);
  }
  AddNumbers(joint.axis, hash);
  for (const double x :
       {joint.lower, joint.upper, joint.limit_stiffness, joint.limit_relaxation, joint.effort,
        joint.damping, joint.friction, joint.armature, joint.ratio, joint.offset}) {
    AddNumber(x, hash);
  }
  hash->Add(static_cast<uint64_t>(joint.leader + 1));
  for (const double x : body.q0) AddNumber(x, hash);
  for (const double x : body.v0) AddNumber(x, hash);
}

void AddMeetings(const Meetings& meetings, Fnv1a* hash) {
  for (const auto* masks : {&meetings.bodies, &meetings.surfaces}) {
    hash->Add(masks->size());
    for (const Meetings::Mask& mask : *masks)
      hash->Add((static_cast<uint64_t>(mask.type) << 32) + mask.affinity);
  }
  for (const auto* pairs : {&meetings.apart, &meetings.together}) {
    hash->Add(pairs->size());
    for (const auto& [a, b] : *pairs)
      hash->Add((static_cast<uint64_t>(a) << 32) + static_cast<uint64_t>(b));
  }
  for (const auto& [pair, material] : meetings.materials) {
    for (const int i : {pair.first, pair.second, material}) hash->Add(static_cast<uint64_t>(i));
  }
}

}  // namespace

uint64_t Hash(const Model& model) {
  Fnv1a hash;
  for (const Body& body : model.bodies) {
    AddShape(body.shape, &hash);
    hash.Add(static_cast<uint64_t>(body.joint.kind));
    AddNumber(body.mass, &hash);
    AddNumbers(body.inertia_B, &hash);
    AddNumbers(body.X_WB.p, &hash);
    AddNumbers(body.X_WB.q.coeffs(), &hash);
    AddNumbers(body.V_WB, &hash);
    AddPoints(body.points_B, &hash);
    AddNumber(body.point_radius, &hash);
    if (body.robot >= 0) AddJoint(body, &hash);
  }
  if (!model.meetings.empty()) AddMeetings(model.meetings, &hash);
  const auto add_path = [&](const auto& path, const auto& add) {
    for (const auto& knot : path.knots) {
      AddNumber(knot.time, &hash);
      add(knot.value);
    }
  };
  for (const Body& body : model.bodies)
    add_path(body.target_path, [&](double x) { AddNumber(x, &hash); });
  for (const Robot& robot : model.robots) {
    if (robot.weightless) hash.Add(1);
  }
  for (const Push& push : model.pushes) {
    hash.Add(static_cast<uint64_t>(push.body));
    for (const Path<Vec3>* path : {&push.torque, &push.force})
      add_path(*path, [&](const Vec3& x) { AddNumbers(x, &hash); });
  }
  for (const Surface& surface : model.surfaces) {
    AddNumbers(surface.normal, &hash);
    AddNumbers(surface.point, &hash);
    AddNumbers(surface.belt_axis, &hash);
  }
  return hash.value();
}

}  // namespace slip
