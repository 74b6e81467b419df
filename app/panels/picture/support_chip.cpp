// On the picture: how far inside its support polygon the lead's robot holds its mass.
#include <cmath>

#include "app/kit/widgets.h"
#include "app/panels/picture/over_view.h"
#include "engine/core/numbers.h"
#include "render/quantities/support_polygon.h"

namespace slip::app {
namespace {

// A picture lower than this has no room for it [design px].
constexpr float kChipRoom = 240;

struct SupportWords {
  std::string words, number;
};

/// Of the robot that the picture's polygon is of.
SupportWords Describe(const Session& session, int robot) {
  const Model& model = *session.model();
  const ChannelFrame& lead = session.written().frame(session.looks().lead());
  const auto support =
      render::CalcSupport(model, At(model.robots, robot), lead, session.snapshot().gravity_W);
  if (!support || support->points == 0)
    return {lead.measured ? "no support, in the air" : "support not computed yet", ""};
  const double millimetres = 1000 * std::abs(support->margin);
  return {support->margin >= 0 ? "mass inside support by" : "mass outside support by",
          FormatFixed(millimetres, millimetres < 9.95 ? 1 : 0) + " mm"};
}

}  // namespace

void DrawSupportChip(const Session& session, const Pane& pane, float left, FrameMarks* marks) {
  if (pane.picture == nullptr || pane.picture->support.robot < 0) return;
  if (pane.max.y - pane.min.y < Px(kChipRoom)) return;
  const SupportWords shown = Describe(session, pane.picture->support.robot);
  // as wide as its longest text: it must not jump while the robot walks
  const auto width_of = [](const char* words) {
    return Px(12 + 30) + MeasureText(words, Role::kLabel).x + Px(8) +
           MeasureText("88.8 mm", Role::kValue).x + Px(12);
  };
  const float height = Px(32), width = width_of("mass outside support by");
  ImVec2 at(left + Px(8), pane.max.y - Px(12) - height);
  if (at.x + width > pane.max.x - Px(84)) {  // the triad stands there: under the readout
    at = UnderOverlays(*marks, ImVec2(pane.min.x + Px(12), pane.min.y + Px(12 + 32 + 8)),
                       ImVec2(width, height));
    const bool taken = pane.request.compare == render::CompareMode::kDifference;
    if (taken || at.x + width > pane.max.x - Px(12)) return;
  }
  const ImVec2 end(at.x + width, at.y + height);
  ImDrawList* list = ImGui::GetWindowDrawList();
  DrawGlass(list, at, end);
  marks->overlays.push_back({at, end});
  const float y = at.y + height / 2;
  const ImVec2 corners[] = {
      {at.x + Px(12), y + Px(5)}, {at.x + Px(30), y + Px(5)}, {at.x + Px(23), y - Px(6)}};
  list->AddPolyline(corners, 3, Color(Token::kText), ImDrawFlags_Closed, Px(1.5f));
  list->AddCircleFilled(ImVec2(at.x + Px(22), y + Px(1)), Px(1.75f), Color(Token::kText));
  float x = at.x + Px(42);
  x += DrawText(list, ImVec2(x, y - FontPx(Role::kLabel) / 2), shown.words, Role::kLabel,
                Color(Token::kText2)) +
       Px(8);
  DrawText(list, ImVec2(x, y - FontPx(Role::kValue) / 2), shown.number, Role::kValue,
           Color(Token::kText));
  ImGui::SetCursorScreenPos(at);
  ImGui::InvisibleButton("support", ImVec2(width, height));
  RegisterWidget("overlay/support", at, end, false, shown.words + " " + shown.number);
  Tooltip(
      "Distance of the centre of mass, projected along gravity, from the border of the hull of all "
      "contact points that carry load. A robot that stands still falls when it is outside.");
}

}  // namespace slip::app
