#include "render/quantities/link_marks.h"

#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "engine/core/numbers.h"
#include "render/quantities/joint_marks.h"
#include "render/quantities/quantity.h"
#include "render/quantities/world_lines.h"

namespace slip::render {
namespace {

// per metre of distance to the eye
constexpr double kAxisReach = 0.045, kOrigin = 0.0022, kFrameAxis = 0.028;
constexpr Dash kAxisDash{{6, 4, 0, 0}, 2};
constexpr float kBoxFill = 0.10f;

/// Calls visit(index, body, pose) for the links of all robots in the lead's channel.
template <class Visit>
void ForEachLink(const DrawContext& context, const Visit& visit) {
  const Snapshot& snapshot = context.snapshot;
  if (!snapshot.model || snapshot.channels.empty()) return;
  const int lead = LeadChannel(snapshot, context.request);
  if (!ChannelShown(snapshot, context.request, lead)) return;
  for (int b = 0; b < static_cast<int>(snapshot.model->bodies.size()); ++b) {
    const Body& body = snapshot.model->body(b);
    if (body.robot < 0 || body.shape_of_link >= 0 || context.request.hidden.Has(b)) continue;
    visit(b, body, DrawnPose(snapshot, context.request, lead, b));
  }
}

void AppendJointAxes(const DrawContext& context, DrawList* list) {
  if (!context.request.joint_axes) return;
  ForEachLink(context, [&](int b, const Body&, const Pose& X_WB) {
    JointFrame joint;
    joint.body = b;
    const auto mark = CalcJointMark(*context.snapshot.model, joint, X_WB);
    if (!mark) return;
    const double d = GlyphDistance(context.camera, mark->origin_W);
    const Vec3 half = kAxisReach * d * mark->axis_W;
    // from the joint outwards, so that both halves begin with a dash
    for (const double side : {-1.0, 1.0})
      AppendLine(context, std::array{mark->origin_W, Vec3(mark->origin_W + side * half)},
                 {context.colours.ink, 1.5, kAxisDash, false}, list);
    AppendFill(context,
               MakeArc(mark->origin_W, context.camera.forward_W(), context.camera.right_W(),
                       kOrigin * d, 2 * M_PI),
               context.colours.ink, false, list);
  });
}

void AppendLinkFrames(const DrawContext& context, DrawList* list) {
  if (!context.request.link_frames || !context.snapshot.model) return;
  const Model& model = *context.snapshot.model;
  std::vector<std::vector<Pose>> frames(model.bodies.size());
  for (const Robot& robot : model.robots) {
    for (const Robot::Frame& frame : robot.frames)
      if (frame.body >= 0) At(frames, frame.body).push_back(frame.X_BF);
  }
  ForEachLink(context, [&](int b, const Body&, const Pose& X_WB) {
    for (const Pose& X_BF : At(frames, b)) {
      const Vec3 origin = X_WB * X_BF.p;
      const Mat3 axes = (X_WB.q * X_BF.q).toRotationMatrix();
      const double length = kFrameAxis * GlyphDistance(context.camera, origin);
      for (int i = 0; i < 3; ++i)
        AppendLine(context, std::array{origin, Vec3(origin + length * axes.col(i))},
                   {At(context.colours.axis, i), 2, {}, false}, list);
    }
  });
}

void AppendBox(const DrawContext& context, const Pose& pose, const Vec3& size, DrawList* list) {
  const auto corner = [&](int x, int y, int z) {
    return Vec3(pose * Vec3(0.5 * Vec3(x, y, z).cwiseProduct(size)));
  };
  for (int axis = 0; axis < 3; ++axis) {
    for (const int side : {-1, 1}) {
      // the face across this axis, counter-clockwise
      std::array<Vec3, 5> face;
      for (int i = 0; i < 5; ++i) {
        Eigen::Vector3i at;
        at[axis] = side;
        at[(axis + 1) % 3] = i % 4 == 1 || i % 4 == 2 ? 1 : -1;
        at[(axis + 2) % 3] = i % 4 >= 2 ? 1 : -1;
        At(face, i) = corner(at.x(), at.y(), at.z());
      }
      Vec3 normal = Vec3::Zero();
      normal[axis] = side;
      const Vec3 middle = 0.5 * (face[0] + face[2]);
      const Vec3 to_eye = context.camera.orthographic() ? Vec3(-context.camera.forward_W())
                                                        : Vec3(context.camera.eye_W() - middle);
      if ((pose.q * normal).dot(to_eye) <= 0) continue;
      AppendFill(context, std::span(face).first(4), context.colours.ink.WithAlpha(kBoxFill), false,
                 list);
      AppendLine(context, face, {context.colours.ink, 1.25, {}, false}, list);
    }
  }
}

void AppendInertiaBoxes(const DrawContext& context, DrawList* list) {
  if (!context.request.inertia_boxes) return;
  ForEachLink(context, [&](int, const Body& body, const Pose& X_WB) {
    if (!body.Moves()) return;
    if (const auto size = CalcInertiaBox(body.mass, body.inertia_B))
      AppendBox(context, X_WB, *size, list);
  });
}

}  // namespace

std::optional<Vec3> CalcInertiaBox(double mass, const Vec3& moments) {
  if (!(mass > 0) || !moments.allFinite()) return std::nullopt;
  // I_x = m/12 (b² + c²), and so on
  Vec3 squares;
  for (int i = 0; i < 3; ++i)
    squares[i] = 6 / mass * (moments[(i + 1) % 3] + moments[(i + 2) % 3] - moments[i]);
  // digits of files leave a little below zero where a body is flat
  return Vec3(squares.cwiseMax(Vec3::Zero()).cwiseSqrt());
}

constinit const Quantity kJointAxes{.name = "Joint axes",
                                    .doc = "A dashed line through every joint, along its axis.",
                                    .section = kBodiesSection,
                                    .on = &ViewStyle::joint_axes,
                                    .of_robots = true,
                                    .draw = [](const DrawContext& context, DrawList* list,
                                               ViewPicture*) { AppendJointAxes(context, list); }};

constinit const Quantity kLinkFrames{.name = "Frames",
                                     .doc = "The frame of every link: x red, y green, z blue.",
                                     .section = kBodiesSection,
                                     .on = &ViewStyle::link_frames,
                                     .of_robots = true,
                                     .draw = [](const DrawContext& context, DrawList* list,
                                                ViewPicture*) { AppendLinkFrames(context, list); }};

constinit const Quantity kInertiaBoxes{
    .name = "Inertia boxes",
    .doc = "Of every link the solid box of the same mass and inertia.",
    .section = kBodiesSection,
    .on = &ViewStyle::inertia_boxes,
    .of_robots = true,
    .draw = [](const DrawContext& context, DrawList* list, ViewPicture*) {
      AppendInertiaBoxes(context, list);
    }};

}  // namespace slip::render
