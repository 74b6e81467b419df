// Rings and balls at the chosen points.
#include "render/quantities/candidate_marks.h"

#include <algorithm>
#include <cmath>

#include "engine/core/numbers.h"
#include "engine/geometry/mesh.h"
#include "render/quantities/quantity.h"
#include "render/scene/cloud_points.h"

namespace slip::render {
namespace {

// Least radius and width of a ring, per metre of distance to the eye.
constexpr double kLeastMark = 0.0034, kRingWidth = 0.0007;
constexpr double kBallOverPoint = 1.15, kRingOverPoint = 1.7;
constexpr int kRingSides = 16;
// Of the largest force: what an interior point leaves on the points beside is less.
constexpr double kLoaded = 1e-3;

void AppendRing(const DrawContext& context, const Vec3& p, double radius, double width,
                const Colour& colour, DrawList* list) {
  const Vec3 right = context.camera.right_W();
  const Vec3 up = right.cross(context.camera.forward_W());
  const auto at = [&](int i) {
    const double angle = 2 * M_PI * i / kRingSides;
    return Vec3(p + radius * (std::cos(angle) * right + std::sin(angle) * up));
  };
  for (int i = 0; i < kRingSides; ++i) {
    SolidInstance bar = MakeBar(context.camera, at(i), at(i + 1), width, colour);
    bar.params[1] = 0.9f;
    list->marks.push_back(bar);
  }
}

}  // namespace

std::optional<Vec3> CandidateInBody(const Model& model, const CandidatePoint& candidate) {
  if (candidate.body < 0 || candidate.body >= static_cast<int>(model.bodies.size())) return {};
  const Body& body = model.body(candidate.body);
  if (body.shape.kind != ShapeKind::kPointCloud || body.shape.cloud == nullptr) return {};
  const std::vector<Vec3>& points = body.shape.cloud->points;
  if (candidate.point < 0 || candidate.point >= static_cast<int>(points.size())) return {};
  return At(points, candidate.point);
}

void AppendCandidates(const DrawContext& context, DrawList* list) {
  const Snapshot& snapshot = context.snapshot;
  const ViewRequest& request = context.request;
  const int lead = LeadChannel(snapshot, request);
  if (!request.candidates || !snapshot.model || !ChannelShown(snapshot, request, lead)) return;
  const Model& model = *snapshot.model;
  const auto& chosen = At(snapshot.channels, lead).candidates;
  double largest = 0;
  for (const CandidatePoint& of : chosen) largest = std::max(largest, of.fn);
  const Colour strong = StyleOfChannel(snapshot, lead, request.theme).colour;
  for (const CandidatePoint& of : chosen) {
    const std::optional<Vec3> p_B = CandidateInBody(model, of);
    if (!p_B || request.hidden.Has(of.body)) continue;
    const Body& body = model.body(of.body);
    const Vec3 p = DrawnPose(snapshot, request, lead, of.body) * *p_B;
    const double depth = std::max(context.camera.Depth(p), context.camera.near_plane());
    const double point = DisplayRadius(body.shape), least = kLeastMark * depth;
    AppendRing(context, p, std::max(kRingOverPoint * point, 1.4 * least), kRingWidth * depth,
               context.colours.neutral_arrow, list);
    if (!(of.fn > kLoaded * largest)) continue;
    const double r = std::max(kBallOverPoint * point, least);
    SolidInstance ball =
        MakeSolid(context.camera, Pose{p, Quat::Identity()}, Vec3::Constant(r), r, strong);
    ball.params[1] = 0.6f;
    list->marks.push_back(ball);
  }
}

constinit const Quantity kCandidates{
    .name = "Chosen points of clouds",
    .doc =
        "A ring at every point that a quasi-dynamic step keeps apart from something, a ball where "
        "it carries a force; all others were only checked.",
    .on = &ViewStyle::candidates,
    .setting = "candidates",
    .draw = [](const DrawContext& context, DrawList* list, ViewPicture*) {
      AppendCandidates(context, list);
    }};

}  // namespace slip::render
