#include "app/panels/picture/handle_shape.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/kit/widgets.h"

namespace slip::app {
namespace {

// Where an arrow begins, from the dot [design px].
constexpr float kArrowGap = 13;
// An arrow that is seen shorter than this cannot be dragged along.
constexpr float kLeastArrow = 20;
// The double arrow stands so far beside the fingers, and is at least so long to either side.
constexpr float kBeside = 30, kLeastHalf = 18;

float DistanceToLine(ImVec2 p, const HandleShape::Arrow& line) {
  const float dx = line.to.x - line.from.x, dy = line.to.y - line.from.y;
  const float s = ((p.x - line.from.x) * dx + (p.y - line.from.y) * dy) / (dx * dx + dy * dy);
  const float t = std::clamp(s, 0.0f, 1.0f);
  return Distance(p, {line.from.x + t * dx, line.from.y + t * dy});
}

/// The double arrow between the fingers, beside them on the side where no arrow of a slide is.
HandleShape::Arrow ShapeOpening(const Pane& pane, const FingerPair& fingers, const Vec3& offset,
                                const HandleShape& shape) {
  const std::optional<ImVec2> a = OnScreen(pane, fingers.p_WG + offset);
  const std::optional<ImVec2> b = OnScreen(pane, fingers.p_WF + offset);
  // the way of a closed pair is seen along the axis
  const Vec3 middle = 0.5 * (fingers.p_WF + fingers.p_WG) + offset;
  const double metres = pane.camera.MetresPerPixel(pane.camera.Depth(middle), pane.viewport());
  const double reach = metres * static_cast<double>(Px(kHandleLength));
  const std::optional<ImVec2> centre = OnScreen(pane, middle);
  const std::optional<ImVec2> ahead = OnScreen(pane, middle + reach * fingers.slide.axis_W);
  if (!a || !b || !centre || !ahead) return {};
  const float seen = Distance(*centre, *ahead);
  if (seen < Px(kLeastArrow)) return {};
  const ImVec2 along((ahead->x - centre->x) / seen, (ahead->y - centre->y) / seen);
  ImVec2 side(-along.y, along.x);
  float sum = 0;
  for (const HandleShape::Arrow& arrow : shape.arrows) {
    if (arrow.shown)
      sum += (arrow.to.x - shape.middle.x) * side.x + (arrow.to.y - shape.middle.y) * side.y;
  }
  if (sum > 0) side = {-side.x, -side.y};
  const float half = std::max(Distance(*a, *b) / 2, Px(kLeastHalf));
  const ImVec2 at(centre->x + Px(kBeside) * side.x, centre->y + Px(kBeside) * side.y);
  return {{at.x - half * along.x, at.y - half * along.y},
          {at.x + half * along.x, at.y + half * along.y},
          true};
}

}  // namespace

float Distance(ImVec2 a, ImVec2 b) { return std::hypot(a.x - b.x, a.y - b.y); }

HandleShape ShapeOf(const Pane& pane, const TargetHandles& handles, const Vec3& offset) {
  HandleShape shape;
  const Vec3 origin = handles.p_WT + offset;
  const std::optional<ImVec2> middle = OnScreen(pane, origin);
  const std::optional<ImVec2> palm = OnScreen(pane, handles.p_WP + offset);
  if (!middle || !palm) return shape;
  shape.middle = *middle;
  shape.palm = *palm;
  shape.shown = true;
  const double metres = pane.camera.MetresPerPixel(pane.camera.Depth(origin), pane.viewport());
  for (const TargetSlide& slide : handles.slides) {
    const auto at = [&](float pixels) {
      return OnScreen(pane, origin + metres * static_cast<double>(Px(pixels)) * slide.axis_W);
    };
    const std::optional<ImVec2> from = at(kArrowGap), to = at(kHandleLength);
    HandleShape::Arrow arrow;
    if (from && to) arrow = {*from, *to, Distance(*middle, *to) >= Px(kLeastArrow)};
    shape.arrows.push_back(arrow);
  }
  if (handles.fingers) shape.opening = ShapeOpening(pane, *handles.fingers, offset, shape);
  return shape;
}

HandlePart HitHandle(const TargetHandles& handles, const HandleShape& shape, ImVec2 mouse) {
  HandlePart part;
  if (!shape.shown) return part;
  part.robot = handles.robot;
  if (handles.slides.size() > 1 && Distance(mouse, shape.middle) < Px(kHandleReach)) return part;
  float nearest = Px(kHandleReach);
  bool found = false;
  for (std::size_t i = 0; i < shape.arrows.size(); ++i) {
    if (!shape.arrows[i].shown) continue;
    const float distance = DistanceToLine(mouse, shape.arrows[i]);
    if (distance < nearest) part.slide = static_cast<int>(i), nearest = distance, found = true;
  }
  if (shape.opening.shown && DistanceToLine(mouse, shape.opening) < nearest) {
    part.slide = HandlePart::kOpening;
    part.side = Distance(mouse, shape.opening.to) <= Distance(mouse, shape.opening.from) ? 1 : -1;
    found = true;
  }
  return found ? part : HandlePart{};
}

}  // namespace slip::app
