#include "render/quantities/joint_marks.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/core/numbers.h"
#include "render/quantities/quantity.h"
#include "render/quantities/world_lines.h"

namespace slip::render {
namespace {

// per metre of distance to the eye
constexpr double kHalfAxis = 0.022;
constexpr double kArcRadius = 0.02;
constexpr double kFullArrow = 0.07;
constexpr double kArcHead = 0.009, kArcHeadHalf = 0.005;
constexpr double kPositiveEnd = 0.0019;
constexpr double kLeastEffort = 0.004;  // a shorter arc is only its head
constexpr float kTrackAlpha = 0.3f;

/// A flat head that ends in `tip`; `side` is across, both unit vectors.
void AppendHead(const DrawContext& context, const Vec3& tip, const Vec3& along, const Vec3& side,
                double d, const Colour& colour, DrawList* list) {
  const Vec3 back = tip - kArcHead * d * along;
  const std::array corners{tip, Vec3(back + kArcHeadHalf * d * side),
                           Vec3(back - kArcHeadHalf * d * side)};
  AppendFill(context, corners, colour, false, list);
}

void AppendMark(const DrawContext& context, const JointMark& mark, const Colour& colour,
                DrawList* list) {
  const double d = GlyphDistance(context.camera, mark.origin_W);
  const Vec3& axis = mark.axis_W;
  const std::array ends{Vec3(mark.origin_W - kHalfAxis * d * axis),
                        Vec3(mark.origin_W + kHalfAxis * d * axis)};
  AppendLine(context, ends, {colour, 1.5, {}, false}, list);
  // which end is positive is seen by the origin's distance from it
  AppendFill(context,
             MakeArc(ends[1], context.camera.forward_W(), context.camera.right_W(),
                     kPositiveEnd * d, 2 * M_PI),
             colour, false, list);
  if (!(std::abs(mark.effort) > kLeastEffort)) return;

  if (!mark.turns) {
    const double sign = mark.effort < 0 ? -1 : 1;
    const LineLook track{colour.WithAlpha(kTrackAlpha), 1.5, {}, false};
    const LineLook line{colour, 3, {}, false};
    const Vec3 full = sign * kFullArrow * d * axis;
    const Vec3 tip = mark.origin_W + std::abs(mark.effort) * full;
    AppendLine(context, std::array{mark.origin_W, Vec3(mark.origin_W + full)}, track, list);
    AppendLine(context, std::array{mark.origin_W, tip}, line, list);
    Vec3 side = axis.cross(context.camera.forward_W());
    side = side.norm() > 1e-6 ? Vec3(side.normalized()) : axis.unitOrthogonal();
    AppendHead(context, Vec3(tip + 0.5 * kArcHead * d * sign * axis), Vec3(sign * axis), side, d,
               colour, list);
    return;
  }
  AppendTorque(context, mark.origin_W, axis, mark.effort, colour, list);
}

}  // namespace

void AppendTorque(const DrawContext& context, const Vec3& centre_W, const Vec3& axis_W,
                  double share, const Colour& colour, DrawList* list) {
  if (!(std::abs(share) > kLeastEffort)) return;
  const double d = GlyphDistance(context.camera, centre_W), sign = share < 0 ? -1 : 1;
  // from the top, where it can be compared with others; about an axis that stands, from the right
  Vec3 start = context.camera.up_W() - axis_W.dot(context.camera.up_W()) * axis_W;
  if (start.norm() < 0.1)
    start = context.camera.right_W() - axis_W.dot(context.camera.right_W()) * axis_W;
  start.normalize();
  const double radius = kArcRadius * d, angle = kFullArc * share;
  AppendLine(context, MakeArc(centre_W, axis_W, start, radius, sign * kFullArc),
             {colour.WithAlpha(kTrackAlpha), 1.5, {}, false}, list);
  AppendLine(context, MakeArc(centre_W, axis_W, start, radius, angle), {colour, 3, {}, false},
             list);
  const Vec3 out = std::cos(angle) * start + std::sin(angle) * axis_W.cross(start);
  const Vec3 along = sign * axis_W.cross(out);
  AppendHead(context, centre_W + radius * out + 0.5 * kArcHead * d * along, along, out, d, colour,
             list);
}

std::optional<JointMark> CalcJointMark(const Model& model, const JointFrame& joint,
                                       const Pose& X_WB) {
  if (joint.body < 0 || static_cast<std::size_t>(joint.body) >= model.bodies.size()) return {};
  const Joint& own = model.body(joint.body).joint;
  if (own.kind != JointKind::kRevolute && own.kind != JointKind::kPrismatic) return {};
  JointMark mark;
  mark.origin_W = X_WB * own.X_BM.p;
  mark.axis_W = X_WB.q * (own.X_BM.q * own.axis);
  if (!mark.origin_W.allFinite() || !mark.axis_W.allFinite()) return {};
  mark.turns = own.kind == JointKind::kRevolute;
  if (std::isfinite(joint.force) && joint.limit > 0 && std::isfinite(joint.limit)) {
    mark.effort = std::clamp(joint.force / joint.limit, -1.0, 1.0);
  }
  return mark;
}

void AppendJointMarks(const DrawContext& context, DrawList* list) {
  const Snapshot& snapshot = context.snapshot;
  const ViewRequest& request = context.request;
  if (!snapshot.model || (!request.joint_marks && request.selected_body < 0)) return;
  const int lead = LeadChannel(snapshot, request);
  const auto add = [&](int channel) {
    if (!ChannelShown(snapshot, request, channel)) return;
    const Colour colour = StyleOfChannel(snapshot, channel, request.theme).colour;
    for (const JointFrame& joint : At(snapshot.channels, channel).joints) {
      if (!request.joint_marks && joint.body != request.selected_body) continue;
      if (request.hidden.Has(joint.body)) continue;
      const Pose X_WB = DrawnPose(snapshot, request, channel, joint.body);
      if (const auto mark = CalcJointMark(*snapshot.model, joint, X_WB)) {
        AppendMark(context, *mark, colour, list);
      }
    }
  };
  ForGhostsAndLead(snapshot, request, [&](int channel) {
    // of the others, as of their forces
    if (channel == lead || (request.joint_marks && request.ghost_forces)) add(channel);
  });
}

constinit const Quantity kJointMarks{
    .name = "Joint axes and torques",
    .doc =
        "Every joint's axis; the arc is its motor's torque, three quarters of a turn at its limit. "
        "Of a selected link by itself.",
    .key = 'J',
    .on = &ViewStyle::joint_marks,
    .of_robots = true,
    .draw = [](const DrawContext& context, DrawList* list, ViewPicture*) {
      AppendJointMarks(context, list);
    }};

}  // namespace slip::render
