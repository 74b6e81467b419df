#include "app/view/pane.h"

#include "engine/geometry/shape.h"
#include "render/scene/draw_list.h"

namespace slip::app {

std::optional<ImVec2> OnScreen(const Pane& pane, const Vec3& p_W) {
  const std::optional<Vec3> at = pane.camera.Project(p_W, pane.viewport());
  if (!at) return std::nullopt;
  return ImVec2(pane.min.x + static_cast<float>(at->x()), pane.min.y + static_cast<float>(at->y()));
}

std::optional<Rect> BodyOnScreen(const Snapshot& snapshot, const Pane& pane, int channel,
                                 int body) {
  const Pose pose = render::DrawnPose(snapshot, pane.request, channel, body);
  const std::optional<Vec3> at = pane.camera.Project(pose.p, pane.viewport());
  if (!at) return std::nullopt;
  const Body& drawn = snapshot.model->Drawn(body);
  const double r = drawn.bound / pane.camera.MetresPerPixel(at->z(), pane.viewport());
  Vec2 low = at->head<2>() - Vec2(r, r), high = at->head<2>() + Vec2(r, r);
  // the ball about a card is far larger than the card; the box about a mesh is too expensive
  const ShapeKind kind = drawn.shape.kind;
  if (kind == ShapeKind::kBox || kind == ShapeKind::kCapsule || kind == ShapeKind::kCylinder) {
    Vec3 min, max;
    CalcBounds(drawn.shape, Pose{}, &min, &max);
    Vec2 corner_low = high, corner_high = low;
    for (int i = 0; i < 8; ++i) {
      const Vec3 p(i & 1 ? max.x() : min.x(), i & 2 ? max.y() : min.y(), i & 4 ? max.z() : min.z());
      const std::optional<Vec3> pixel = pane.camera.Project(pose * p, pane.viewport());
      if (!pixel) return std::nullopt;
      corner_low = corner_low.cwiseMin(pixel->head<2>());
      corner_high = corner_high.cwiseMax(pixel->head<2>());
    }
    low = low.cwiseMax(corner_low);
    high = high.cwiseMin(corner_high);
  }
  const auto in_window = [&pane](const Vec2& p) {
    return ImVec2(pane.min.x + static_cast<float>(p.x()), pane.min.y + static_cast<float>(p.y()));
  };
  return Rect{in_window(low), in_window(high)};
}

}  // namespace slip::app
