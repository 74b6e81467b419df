// On the picture: a robot has fallen, and its controller has given up.
#include <algorithm>
#include <vector>

#include "app/kit/widgets.h"
#include "app/panels/picture/over_view.h"
#include "engine/control/fallen.h"

namespace slip::app {
namespace {

bool AnyGivenUp(const ChannelFrame& frame) {
  return std::find(frame.given_up.begin(), frame.given_up.end(), 1) != frame.given_up.end();
}

/// A robot of the channel lies on the ground; one on a fixed base cannot.
bool AnyFallen(const Model& model, const ChannelFrame& frame) {
  std::vector<Pose> X_WB;
  for (const BodyFrame& body : frame.bodies) X_WB.push_back(body.X_WB);
  if (X_WB.size() < model.bodies.size()) return false;
  return std::any_of(model.robots.begin(), model.robots.end(),
                     [&](const Robot& robot) { return IsFallen(model, robot, X_WB); });
}

}  // namespace

void DrawFallenSign(const Session& session, const Pane& pane, FrameMarks* marks,
                    Requests* requests) {
  std::string who;
  bool fallen = true;  // all of them
  for (int c = 0; c < session.channel_count(); ++c) {
    if (!render::ChannelShown(session.snapshot(), pane.request, c)) continue;
    if (!AnyGivenUp(session.frame(c))) continue;
    who += (who.empty() ? "" : ", ") + session.looks().Name(c);
    fallen = fallen && AnyFallen(*session.model(), session.frame(c));
  }
  if (who.empty()) return;
  const std::string key = requests->keys().Label(Action::kReset);
  const std::string text =
      who + (fallen ? " fallen, motors brake: " : " out of control, motors brake: ") +
      (key.empty() ? "Reset" : key) + " starts again";
  const float height = Px(32), icon_width = MeasureText(icon::kWarning, Role::kIconSmall).x;
  const float width = Px(12) + icon_width + Px(8) + MeasureText(text, Role::kLabel).x + Px(12);
  const ImVec2 at = UnderOverlays(*marks, ImVec2(pane.min.x + Px(12), pane.min.y + Px(12 + 32 + 8)),
                                  ImVec2(width, height));
  if (at.x + width > pane.max.x || at.y + height > pane.max.y) return;
  const ImVec2 end(at.x + width, at.y + height);
  ImDrawList* list = ImGui::GetWindowDrawList();
  DrawGlass(list, at, end);
  marks->overlays.push_back({at, end});
  const float y = at.y + height / 2;
  DrawText(list, ImVec2(at.x + Px(12), y - FontPx(Role::kIconSmall) / 2), icon::kWarning,
           Role::kIconSmall, Color(Token::kWarn));
  DrawText(list, ImVec2(at.x + Px(20) + icon_width, y - FontPx(Role::kLabel) / 2), text,
           Role::kLabel, Color(Token::kText));
  ImGui::SetCursorScreenPos(at);
  if (ImGui::InvisibleButton("fallen", ImVec2(width, height))) requests->Do(Action::kReset);
  RegisterLastItem("overlay/fallen");
  RegisterWidget("overlay/fallen/text", at, end, false, text);
  Tooltip(
      "No controller gets up from the ground: from there on the motors only brake. A click starts "
      "again, too.");
}

}  // namespace slip::app
