// A hand-made pile for tests of the picture and the contact table: rows of bodies in layers, with
// contacts between neighbours as if each carried those above it.
#pragma once

#include <cmath>
#include <memory>

#include "engine/geometry/mesh.h"
#include "engine/sim/camera_spec.h"
#include "engine/sim/snapshot.h"
#include "tests/support/methods.h"

namespace slip::render {

/// A box of 4 x 2 x 1 as a convex mesh, half extents h.
inline std::shared_ptr<const ConvexMesh> FakeConvex(const Vec3& h) {
  auto mesh = std::make_shared<ConvexMesh>();
  for (int i = 0; i < 8; ++i) {
    mesh->vertices.emplace_back((i & 1 ? 1 : -1) * h.x(), (i & 2 ? 1 : -1) * h.y(),
                                (i & 4 ? 1 : -1) * h.z());
  }
  constexpr int kCorners[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                  {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  for (int f = 0; f < 6; ++f) {
    ConvexMesh::Face face;
    face.normal = (f % 2 ? 1.0 : -1.0) * Vec3::Unit(f / 2);
    face.offset = h[f / 2];
    face.first = 4 * f;
    face.count = 4;
    mesh->faces.push_back(face);
    for (int corner : kCorners[f]) mesh->face_corners.push_back(corner);
  }
  mesh->radius = h.norm();
  return mesh;
}

/// `count` bodies in layers of `wide` x `wide`, in a bin of four walls without given sizes. Boxes
/// and spheres, with `all_shapes` also cylinders, capsules, convex meshes and clouds. Three
/// channels if `channels` is 3, the others a little off.
inline Snapshot MakePileSnapshot(int count, int wide = 8, bool all_shapes = false,
                                 int channels = 1) {
  constexpr double kPitch = 0.09;
  auto model = std::make_shared<Model>();
  const auto convex = FakeConvex(Vec3(0.042, 0.03, 0.036));
  auto cloud = std::make_shared<PointCloud>();
  cloud->radius = 0.003;
  for (int i = 0; i < 150; ++i) {
    const double z = 1 - 2 * (i + 0.5) / 150, turn = 2.4 * i, r = std::sqrt(1 - z * z);
    cloud->points.push_back(0.04 * Vec3(r * std::cos(turn), r * std::sin(turn), z));
  }
  for (int i = 0; i < count; ++i) {
    Body body;
    body.name = "body " + std::to_string(i);
    body.mass = 0.2;
    const int kind = all_shapes ? i % 6 : i % 2;
    constexpr ShapeKind kKinds[] = {ShapeKind::kBox,      ShapeKind::kSphere,
                                    ShapeKind::kCylinder, ShapeKind::kCapsule,
                                    ShapeKind::kConvex,   ShapeKind::kPointCloud};
    body.shape.kind = kKinds[kind];
    body.shape.size = Vec3(0.085, 0.08, 0.075);
    body.shape.radius = kind == 3 ? 0.025 : 0.042;
    body.shape.length = kind == 3 ? 0.04 : 0.07;
    body.shape.convex = convex;
    body.shape.cloud = cloud;
    model->bodies.push_back(body);
  }
  Surface ground;
  ground.name = "ground";
  model->surfaces.push_back(ground);
  const double half = 0.5 * kPitch * wide + 0.01;
  for (int side = 0; side < 4; ++side) {
    Surface wall;
    wall.name = "wall " + std::to_string(side);
    wall.normal = (side % 2 ? -1.0 : 1.0) * Vec3::Unit(side / 2);
    wall.point = -half * wall.normal;
    model->surfaces.push_back(wall);
  }
  model->Finish();
  for (Body& body : model->bodies) body.bound = 0.08;

  Snapshot snapshot;
  const int layer = wide * wide;
  constexpr MethodId kModels[] = {method_id::kSap, method_id::kLagged, method_id::kSimilar};
  const auto noise = [](int i, int k) { return std::sin(12.9898 * i + 78.233 * k); };
  for (int c = 0; c < channels; ++c) {
    ChannelFrame frame;
    frame.config.step.method = static_cast<int>(kModels[c % 3]);
    for (int i = 0; i < count; ++i) {
      BodyFrame body;
      const int x = i % wide, y = i / wide % wide, z = i / layer;
      body.X_WB.p = kPitch * Vec3(x - 0.5 * (wide - 1), y - 0.5 * (wide - 1), z + 0.5);
      body.X_WB.p += 0.008 * Vec3(noise(i, 1), noise(i, 2), 0.2 * noise(i, 3));
      body.X_WB.p += c * Vec3(0.012 * noise(i, 4), 0.012 * noise(i, 5), 0.0);
      body.X_WB.q = Quat(Eigen::AngleAxisd(0.25 * noise(i, 6), Vec3::UnitZ()) *
                         Eigen::AngleAxisd(i % 6 == 3 ? 1.5 : 0.08 * noise(i, 7), Vec3::UnitX()));
      frame.bodies.push_back(body);
    }
    const int layers = (count + layer - 1) / layer;
    for (int i = 0; i < count; ++i) {
      const auto add = [&](int a, double load, const Vec3& n, int points) {
        for (int k = 0; k < points; ++k) {
          ContactFrame contact;
          contact.body = i;
          contact.body_a = a;
          contact.surface = a < 0 ? 0 : -1;
          contact.key = MakeContactKey(ContactKeyKind::kPair, i, a + 1, static_cast<uint32_t>(k));
          const Vec3 p = frame.bodies[static_cast<std::size_t>(i)].X_WB.p;
          const Vec3 q =
              a < 0 ? Vec3(p.x(), p.y(), -p.z()) : frame.bodies[static_cast<std::size_t>(a)].X_WB.p;
          contact.p_W = 0.5 * (p + q);
          if (points > 1) contact.p_W += 0.03 * Vec3(k % 2 - 0.5, k / 2 - 0.5, 0);
          contact.n_W = n;
          contact.fn = load / points;
          contact.friction = 0.5;
          contact.ft = (0.3 + 0.2 * noise(i, 9)) * contact.fn;
          contact.ft_W = contact.ft * n.unitOrthogonal();
          const bool slip = contact.ft > 0.45 * contact.fn;
          contact.mode = slip ? ContactMode::kSlip : ContactMode::kStick;
          frame.contacts.push_back(contact);
        }
      };
      const int z = i / layer;
      // a few columns carry far more than the others
      const double arch = std::exp(2.2 * noise(i % layer, 11));
      const double load = 1.96 * (layers - z) * arch;
      add(z > 0 ? i - layer : -1, load, Vec3::UnitZ(), i % 2 ? 1 : 4);
      if (i % wide > 0) add(i - 1, 0.3 * load * std::abs(noise(i, 12)), Vec3::UnitX(), 1);
      if (i / wide % wide > 0) add(i - wide, 0.2 * load * std::abs(noise(i, 13)), Vec3::UnitY(), 1);
    }
    snapshot.channels.push_back(std::move(frame));
  }
  snapshot.model = model;
  return snapshot;
}

inline CameraSpec PileCamera(double distance = 2.6) {
  CameraSpec spec;
  spec.target = Vec3(0, 0, 0.28);
  spec.distance = distance;
  spec.azimuth = -1.1;
  spec.elevation = 0.38;
  spec.field_of_view = 0.42;
  return spec;
}

}  // namespace slip::render
