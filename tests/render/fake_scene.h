// A hand-made snapshot for the renderer's tests: a box on a conveyor, three channels.
#pragma once

#include <memory>

#include "engine/sim/camera_spec.h"
#include "engine/sim/snapshot.h"
#include "tests/support/methods.h"

namespace slip::render {

inline ContactFrame FakeContact(const Vec3& p, double fn, double ft, ContactMode mode) {
  ContactFrame contact;
  contact.p_W = p;
  contact.fn = fn;
  contact.ft = ft;
  contact.ft_W = Vec3(-ft, 0, 0);
  contact.vt = mode == ContactMode::kSlip ? 0.557 : 0;
  contact.vt_W = Vec3(contact.vt, 0, 0);
  contact.friction = 0.5;
  contact.mode = mode;
  return contact;
}

/// Box of 20 cm, 1 kg; gaps of 2.5, 0 and 1.1 mm for SAP, Lagged and Similar.
inline Snapshot MakeConveyorSnapshot() {
  auto model = std::make_shared<Model>();
  Body box;
  box.name = "box";
  box.shape.kind = ShapeKind::kBox;
  box.shape.size = Vec3::Constant(0.2);
  box.points_B = {Vec3(0, 0, -0.1)};
  model->bodies.push_back(box);
  Surface belt;
  belt.name = "belt";
  belt.drive = 0;
  belt.display_size = Vec2(4, 1.5);
  belt.point = Vec3(0, 0.25, 0);
  model->surfaces.push_back(belt);
  model->Finish();

  Snapshot snapshot;
  constexpr MethodId kModels[] = {method_id::kSap, method_id::kLagged, method_id::kSimilar};
  constexpr double kGaps[] = {0.0025, 0, 0.0011}, kNormal[] = {9.63, 9.81, 9.73};
  for (int i = 0; i < 3; ++i) {
    ChannelFrame frame;
    frame.time = 3.662;
    frame.config.step.method = static_cast<int>(kModels[i]);
    frame.config.surfaces.push_back({"belt", -1.069, 0, 0, 0});
    BodyFrame body;
    body.X_WB.p = Vec3(0.1, 0, 0.1 + kGaps[i]);
    frame.bodies.push_back(body);
    frame.contacts.push_back(FakeContact(Vec3(0.1, 0, kGaps[i]), kNormal[i], 0.5 * kNormal[i],
                                         i == 1 ? ContactMode::kStick : ContactMode::kSlip));
    snapshot.channels.push_back(frame);
  }
  snapshot.model = model;
  snapshot.time = 3.662;
  return snapshot;
}

inline CameraSpec ConveyorCamera() {
  CameraSpec spec;
  spec.target = Vec3(0.0, 0.2, 0.06);
  spec.distance = 3.0;
  spec.azimuth = -1.15;
  spec.elevation = 0.42;
  spec.field_of_view = 0.42;
  return spec;
}

}  // namespace slip::render
