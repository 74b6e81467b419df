#include "app/panels/inspect/joint_footer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/kit/joint_row.h"
#include "app/kit/widgets.h"
#include "app/panels/common/joint_motors.h"
#include "app/session/scene_file.h"
#include "app/state/channel_style.h"
#include "engine/control/holding_gains.h"
#include "engine/scene/robot_scene.h"
#include "engine/tell/format.h"

namespace slip::app {
namespace {

bool IsControlled(const ChannelFrame& frame) {
  return std::any_of(frame.config.robots.begin(), frame.config.robots.end(),
                     [](const RobotDrive& robot) { return robot.id() != ControllerId::kNone; });
}

/// Of the motors that turn, or where none does, of those that slide; with the unit.
std::string StiffnessText(const std::vector<JointDrive>& motors) {
  for (const bool slides : {false, true}) {
    double low = kInfinity, high = 0;
    for (const JointDrive& motor : motors) {
      if (motor.slides != slides || !(motor.stiffness > 0)) continue;
      low = std::min(low, motor.stiffness);
      high = std::max(high, motor.stiffness);
    }
    if (high == 0) continue;
    const std::string text = FormatSignificant(high, 2);
    return fmt::format("{}{} {}", low < high ? FormatSignificant(low, 2) + " … " : "", text,
                       PrettyUnit(slides ? "N/m" : "N m/rad"));
  }
  return {};
}

void Release(const JointFooterOptions& options, Requests* requests) {
  const std::vector<std::string> by_hand = SetByHand(options.session, options.channel);
  const bool home = !IsControlled(options.session.frame(options.channel)) &&
                    std::all_of(by_hand.begin(), by_hand.end(), [](const std::string& path) {
                      return path.ends_with(".joint_target");
                    });
  const std::string tip = by_hand.empty() ? "No target was set by hand."
                          : home          ? "Targets set by hand go back to the scene's."
                                 : "Targets set by hand go back to the scene's. Motors that the "
                                   "scene does not have let go, and its controller moves alone.";
  if (TextButton("joints/release", home ? "Home" : "Release drag", icon::kReset, false, 0,
                 !by_hand.empty(), tip)) {
    requests->Ask([channel = options.channel, by_hand, alone = options.alone](Session* s) {
      s->params().AsOneEdit([&] { ReleaseJoints(s, channel, alone, by_hand); });
    });
  }
}

}  // namespace

bool HasTargets(const ChannelFrame& frame) {
  return std::any_of(frame.joints.begin(), frame.joints.end(),
                     [](const JointFrame& joint) { return !std::isnan(joint.target); });
}

std::string GainsLine(const Session& session) {
  const Scene* scene = session.scene();
  if (scene == nullptr || !IsRobotFile(scene->file) || scene->channels.empty()) return {};
  const std::vector<JointDrive>& motors = scene->channels.front().config.joints;
  const std::string text = StiffnessText(motors);
  if (text.empty()) return {};
  return (scene->chose_gains ? "gains from its masses: " : "motor gains: ") + text;
}

bool JointFooter(const JointFooterOptions& options, Requests* requests) {
  const Session& session = options.session;
  const ChannelFrame& frame = session.frame(options.channel);
  const Rect& rect = options.rect;
  const float height = options.height;
  ImGui::GetWindowDrawList()->AddLine(ImVec2(rect.min.x, rect.max.y - height),
                                      ImVec2(rect.max.x, rect.max.y - height), Color(Token::kLine),
                                      Snap(1));
  ImGui::SetCursorPos(ImVec2(Px(16), ImGui::GetWindowHeight() - height + Px(4)));
  JointLegend(StyleOf(session, options.channel).colour, HasTargets(frame));
  if (!options.gains.empty()) {
    ImGui::SetCursorPos(ImVec2(Px(16), ImGui::GetWindowHeight() - height + Px(26)));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x - Px(16);
    const float wide =
        DrawText(ImGui::GetWindowDrawList(), at, Ellipsize(options.gains, Role::kCaption, width),
                 Role::kCaption, Color(Token::kText3));
    ImGui::InvisibleButton("gains", ImVec2(wide, Px(16)));
    RegisterWidget("joints/gains-line", at, ImVec2(at.x + wide, at.y + Px(16)),
                   MeasureText(options.gains, Role::kCaption).x > width, options.gains);
    TooltipBeside(
        fmt::format("The weight that a joint moves turns it by {:g} rad; the damping ratio is 1. "
                    "Motor gains, below, has those of every joint.",
                    kHoldingAngle));
  }
  ImGui::SetCursorPos(ImVec2(Px(12), ImGui::GetWindowHeight() - Px(40)));
  bool gains = false;
  if (!HasTargets(frame)) {
    const char* tip = IsControlled(frame)
                          ? "The controller is switched off, and motors hold the joints where they "
                            "are: each gets a knob. One step of undo."
                          : "Motors hold the joints where they are, with gains from their masses: "
                            "each gets a knob. One step of undo.";
    if (TextButton("joints/take-over", "Move by hand", icon::kParameters, false, 0, true, tip))
      requests->Ask([channel = options.channel, alone = options.alone](Session* s) {
        // a removed channel takes its requests along
        if (channel < s->channel_count())
          s->params().AsOneEdit([&] { TakeOverJoints(s, channel, alone); });
      });
  } else if (TextButton("joints/gains", "Motor gains", icon::kParameters, false, 0, true,
                        "Stiffness and damping of the joints' motors, among the parameters")) {
    gains = true;
  }
  ImGui::SameLine(0, Px(8));
  Release(options, requests);
  if (WhyNoSceneFile(session) == nullptr) {
    ImGui::SameLine(0, Px(8));
    if (TextButton("joints/save", "Save …", nullptr, false, 0, true,
                   "Writes the scene as it is now: a text file to go on from"))
      requests->Do(Action::kSaveScene);
  }
  return gains;
}

}  // namespace slip::app
