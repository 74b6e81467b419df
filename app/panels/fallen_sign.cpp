// On the picture: a robot that lies on the ground though a controller drives it. None gets up
// again.
#include <algorithm>
#include <cmath>
#include <limits>

#include "app/kit/widgets.h"
#include "app/panels/panels.h"

namespace slip::app {
namespace {

// Farther from where it began than this it does not come back [rad]; no recipe leans half as far.
constexpr double kFallenTilt = 1.05;
// Share of its height above its own lowest link; a deep crouch keeps nearly half.
constexpr double kFallenHeight = 0.3;

std::size_t Place(int i) { return static_cast<std::size_t>(i); }

/// Height of the base above the lowest link, with the poses from `pose` [m].
template <class PoseOf>
double CalcClearance(const Robot& robot, const PoseOf& pose) {
  double lowest = std::numeric_limits<double>::infinity();
  for (int b = robot.first_body; b < robot.first_body + robot.bodies; ++b)
    lowest = std::min(lowest, pose(b).p.z());
  return pose(robot.first_body).p.z() - lowest;
}

bool IsFallen(const Model& model, std::size_t r, const ChannelFrame& frame) {
  const Robot& robot = model.robots[r];
  if (r >= frame.config.robots.size() || frame.bodies.size() != model.bodies.size()) return false;
  if (frame.config.robots[r].id() == ControllerId::kNone) return false;
  if (model.bodies[Place(robot.first_body)].joint.kind != JointKind::kFree) return false;
  const auto start = [&](int b) -> const Pose& { return model.bodies[Place(b)].X_WB; };
  const auto now = [&](int b) -> const Pose& { return frame.bodies[Place(b)].X_WB; };
  const Vec3 up_B = start(robot.first_body).q.conjugate() * Vec3::UnitZ();
  const double cosine = (now(robot.first_body).q * up_B).z();
  if (cosine < std::cos(kFallenTilt)) return true;
  return CalcClearance(robot, now) < kFallenHeight * CalcClearance(robot, start);
}

}  // namespace

void DrawFallenSign(Ui* ui, const Pane& pane) {
  const Session& session = ui->session;
  const Model* model = session.model();
  if (model == nullptr) return;
  std::string who;
  for (int c = 0; c < session.channel_count(); ++c) {
    if (!render::ChannelShown(session.snapshot(), pane.request, c)) continue;
    bool fallen = false;
    for (std::size_t r = 0; r < model->robots.size(); ++r)
      fallen = fallen || IsFallen(*model, r, session.frame(c));
    if (fallen) who += (who.empty() ? "" : ", ") + ui->ChannelName(c);
  }
  if (who.empty()) return;
  const std::string key = ui->keys.Label(Action::kReset);
  const std::string text = who + " fallen: " + (key.empty() ? "Reset" : key) + " starts again";
  const float height = Px(32), icon_width = MeasureText(icon::kWarning, Role::kIconSmall).x;
  const float width = Px(12) + icon_width + Px(8) + MeasureText(text, Role::kLabel).x + Px(12);
  const ImVec2 at = UnderOverlays(*ui, ImVec2(pane.min.x + Px(12), pane.min.y + Px(12 + 32 + 8)),
                                  ImVec2(width, height));
  if (at.x + width > pane.max.x || at.y + height > pane.max.y) return;
  const ImVec2 end(at.x + width, at.y + height);
  ImDrawList* list = ImGui::GetWindowDrawList();
  DrawGlass(list, at, end);
  ui->overlays.push_back({at, end});
  const float y = at.y + height / 2;
  DrawText(list, ImVec2(at.x + Px(12), y - FontPx(Role::kIconSmall) / 2), icon::kWarning,
           Role::kIconSmall, Color(Token::kWarn));
  DrawText(list, ImVec2(at.x + Px(20) + icon_width, y - FontPx(Role::kLabel) / 2), text,
           Role::kLabel, Color(Token::kText));
  ImGui::SetCursorScreenPos(at);
  if (ImGui::InvisibleButton("fallen", ImVec2(width, height))) Queue(ui, Action::kReset);
  RegisterLastItem("overlay/fallen");
  RegisterWidget("overlay/fallen/text", at, end, false, text);
  Tooltip("No controller gets up from the ground. A click here starts again, too.");
}

}  // namespace slip::app
