// What a pull with the mouse spring is bound to, and why it moves nothing.
#include <algorithm>
#include <string>

#include "app/kit/widgets.h"
#include "app/panels/picture/over_view.h"
#include "engine/core/numbers.h"
#include "engine/method/mouse_spring.h"

namespace slip::app {
namespace {

/// Why the pull moves nothing, or not that way; empty when it does.
std::string WhyStill(const Session& session, const Pull& pull) {
  const ChannelFrame& lead = session.frame(session.looks().lead());
  if (pull.waits) return "it acts when the run goes on";
  if (lead.state != ChannelState::kRunning)
    return session.looks().Name(session.looks().lead()) + " has stopped";
  if (pull.axis < 0) return {};
  const Body& body = session.model()->body(pull.body);
  // the links before it may let it go where its own joint does not
  if (body.joint.parent >= 0) return {};
  const int component = pull.twist ? pull.axis : 3 + pull.axis;
  const bool free = std::find(body.dof, body.dof + body.nv, component) != body.dof + body.nv;
  return free ? std::string()
              : std::string("this body cannot ") + (pull.twist ? "turn" : "move") + " that way";
}

/// The spring that waits, from the grabbed point to the anchor, with the force on a body at rest:
/// until the run goes on the engine knows nothing of it. Nothing to draw of a twist.
void DrawWaitingSpring(const Session& session, const Pane& pane, const Pull& pull) {
  const std::vector<BodyFrame>& bodies = session.frame(session.looks().lead()).bodies;
  const Grab& spring = pull.spring;
  if (spring.twist || spring.body < 0 || spring.body >= static_cast<int>(bodies.size())) return;
  const Pose& X_WB = At(bodies, spring.body).X_WB;
  const auto from = OnScreen(pane, X_WB * spring.p_BP + pull.offset);
  const auto to = OnScreen(pane, spring.p_WA + pull.offset);
  if (!from || !to) return;
  const double force =
      std::min(spring.stiffness * CalcGrabStretch(spring, X_WB).norm(), spring.force_limit);
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddLine(*from, *to, Color(Token::kText), Px(2));
  list->AddCircleFilled(*to, Px(5), Color(Token::kText), 16);
  const std::string number = FormatSignal(Signal::kNormalForce, force);
  const ImVec2 at(to->x + Px(12), to->y);
  const ImVec2 size = GlassLabel(list, at, "pull", number, Color(Token::kText2));
  RegisterWidget("view/waiting_pull", at, ImVec2(at.x + size.x, at.y + size.y), false, number);
}

}  // namespace

void DrawPullHint(const Session& session, const Pane& pane, const Pull& pull, bool under_info,
                  const FrameMarks& marks) {
  if (!pull.active) return;
  static constexpr const char* kAxes[] = {"x", "y", "z"};
  std::string text = pull.twist ? "Twist" : "Pull";
  if (pull.axis >= 0) {
    text += std::string(pull.twist ? " about " : " along ") + kAxes[pull.axis];
  } else if (!pull.twist && ImGui::GetIO().KeyShift) {
    text += " in the contact plane";
  } else {
    text += pull.twist ? ", X Y Z lock an axis" : ", X Y Z lock an axis, Shift the contact plane";
  }
  if (pull.waits) DrawWaitingSpring(session, pane, pull);
  const std::string why = WhyStill(session, pull);
  if (!why.empty()) text += ": " + why;
  // under the readouts and tags: the foot of the picture belongs to the legend
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImU32 bar = Color(why.empty() ? Token::kAccent : Token::kWarn);
  const ImVec2 size = GlassLabel(list, ImVec2(0, 0), text, "", bar, false);
  const float top = Px(under_info ? 52 : 14);
  const ImVec2 at = UnderOverlays(marks, ImVec2(pane.min.x + Px(12), pane.min.y + top), size);
  GlassLabel(list, ImVec2(at.x, at.y + size.y / 2), text, "", bar);
  RegisterWidget("view/pull", at, ImVec2(at.x + size.x, at.y + size.y), false, text);
}

}  // namespace slip::app
