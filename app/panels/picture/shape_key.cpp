// On the picture: what is drawn of robots, what collides, and what the lines through them are.
#include <algorithm>
#include <string>
#include <vector>

#include "app/kit/widgets.h"
#include "app/panels/picture/over_view.h"
#include "engine/tell/robot_shapes.h"

namespace slip::app {
namespace {

// A picture lower or narrower than this has no room for it [design px].
constexpr float kKeyRoom = 240, kKeyWidth = 360;

enum class KeySign { kDrawn, kCollides, kAxis };
struct KeyRow {
  KeySign sign;
  std::string text;
};

ImU32 Packed(const render::Colour& colour) { return colour.Packed(); }

void DrawSign(ImDrawList* list, ImVec2 centre, KeySign sign, const render::SceneColours& colours) {
  const float half = Px(6);
  const ImVec2 min(centre.x - half, centre.y - half), max(centre.x + half, centre.y + half);
  switch (sign) {
    case KeySign::kDrawn:
      list->AddRectFilled(min, max, Packed(colours.box), Px(2));
      list->AddRect(min, max, Color(Token::kLineStrong), Px(2), 0, Snap(1));
      break;
    case KeySign::kCollides:
      list->AddRectFilled(min, max, Packed(colours.shape_fill), Px(2));
      list->AddRect(min, max, Packed(colours.shape_line), Px(2), 0, Snap(1.5f));
      break;
    case KeySign::kAxis:
      DrawDashedLine(list, ImVec2(min.x - Px(1), centre.y), ImVec2(max.x + Px(1), centre.y),
                     Packed(colours.ink), Px(1.5f), 5, 3);
      break;
  }
}

/// A plate of rows under what is there already.
void Plate(const Pane& pane, const char* id, const std::vector<KeyRow>& rows, FrameMarks* marks) {
  const float pad = Px(12), sign = Px(22), line = Px(20);
  float width = 0;
  std::string all;
  for (const KeyRow& row : rows) {
    width = std::max(width, MeasureText(row.text, Role::kCaption).x);
    all += (all.empty() ? "" : "\n") + row.text;
  }
  const ImVec2 size(width + 2 * pad + sign, line * static_cast<float>(rows.size()) + Px(8));
  const ImVec2 at =
      UnderOverlays(*marks, ImVec2(pane.min.x + Px(12), pane.min.y + Px(12 + 32 + 8)), size);
  const ImVec2 end(at.x + size.x, at.y + size.y);
  if (end.y > pane.max.y - Px(56)) return;  // the legend stands there
  ImDrawList* list = ImGui::GetWindowDrawList();
  DrawGlass(list, at, end);
  marks->overlays.push_back({at, end});
  RegisterWidget(id, at, end, end.x > pane.max.x, all);
  const render::SceneColours& colours = render::ColoursOf(pane.request.theme);
  float y = at.y + Px(4) + line / 2;
  for (const KeyRow& row : rows) {
    DrawSign(list, ImVec2(at.x + pad + Px(6), std::round(y)), row.sign, colours);
    DrawText(list, ImVec2(at.x + pad + sign, y - FontPx(Role::kCaption) / 2), row.text,
             Role::kCaption, Color(Token::kText));
    y += line;
  }
}

}  // namespace

void DrawShapeKey(const Session& session, const Pane& pane, FrameMarks* marks) {
  const Scene* scene = session.scene();
  if (scene == nullptr || scene->robots.empty() || !session.TakenOver()) return;
  if (pane.max.y - pane.min.y < Px(kKeyRoom) || pane.max.x - pane.min.x < Px(kKeyWidth)) return;
  const render::ViewRequest& request = pane.request;
  if (request.collision_shapes) {
    Plate(pane, "overlay/shapes",
          {{KeySign::kDrawn, request.visual_meshes
                                 ? "what is drawn: " + ShapeCountText(CountDrawn(*scene))
                                 : "what is drawn: hidden"},
           {KeySign::kCollides, "what collides: " + ShapeCountText(CountColliding(*scene))}},
          marks);
  }
  if (request.joint_axes) Plate(pane, "overlay/axes", {{KeySign::kAxis, "axes of joints"}}, marks);
}

}  // namespace slip::app
