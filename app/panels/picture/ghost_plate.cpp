// On the picture: which run is drawn as a ghost, so that nobody takes it for a model.
#include <fmt/format.h>

#include <algorithm>

#include "app/kit/widgets.h"
#include "app/panels/picture/over_view.h"

namespace slip::app {
namespace {

constexpr const char* kWords = "ghost: run ";

/// Why there is no ghost now, or from where on it may be seen.
std::string Remark(const GhostRun& ghost) {
  switch (ghost.place) {
    case GhostRun::Place::kShared:
      return fmt::format("the same until {:.4g} s", ghost.shared_until);
    case GhostRun::Place::kOver:
      return fmt::format("ended at {:.4g} s", ghost.end);
    case GhostRun::Place::kNone:
      return "not there yet";
    case GhostRun::Place::kApart:
      break;
  }
  return {};
}

}  // namespace

void DrawGhostPlate(const Session& session, const Pane& pane, FrameMarks* marks) {
  const GhostRun& ghost = session.snapshot().ghost;
  if (!pane.request.run_ghost || ghost.branch < 0) return;
  const float pad = Px(12), height = Px(28), sample = Px(26);
  const auto lead =
      static_cast<std::size_t>(pane.channel >= 0 ? pane.channel : session.looks().lead());
  std::string remark = Remark(ghost);
  if (remark.empty() && lead < ghost.channels.size() && ghost.channels[lead].empty())
    remark = "without this model";
  const float words = MeasureText(kWords, Role::kCaption).x;
  const float least = pad + sample + Px(10) + words + pad;
  float room = pane.max.x - pane.min.x - Px(24) - least;
  float width = least;
  const float more = Px(10) + MeasureText(remark, Role::kCaption).x;
  if (room - more < Px(40)) remark.clear();
  if (!remark.empty()) width += more, room -= more;
  const std::string name = EllipsizeRich(LiteralRich(session.branches().Name(ghost.branch)),
                                         Role::kTitle, std::min(Px(180), room));
  const float name_width = MeasureRich(name, Role::kTitle).x;
  width += name_width;
  const ImVec2 at = UnderOverlays(*marks, ImVec2(pane.min.x + Px(12), pane.min.y + Px(12 + 32 + 8)),
                                  ImVec2(width, height));
  const ImVec2 end(at.x + width, at.y + height);
  ImDrawList* list = ImGui::GetWindowDrawList();
  DrawGlass(list, at, end);
  marks->overlays.push_back({at, end});
  RegisterWidget("overlay/ghost", at, end, end.x > pane.max.x, kWords + name + " " + remark);
  const float y = at.y + height / 2;
  const ImU32 colour = render::RunGhostStyle(pane.request.theme).colour.Packed();
  DrawDashedLine(list, ImVec2(at.x + pad, y), ImVec2(at.x + pad + sample, y), colour, Px(1.5f),
                 Px(3), Px(3));
  float x = at.x + pad + sample + Px(10);
  DrawText(list, ImVec2(x, y - FontPx(Role::kCaption) / 2), kWords, Role::kCaption,
           Color(Token::kText2));
  x += words;
  DrawRich(list, ImVec2(x, y - FontPx(Role::kTitle) / 2), name, Role::kTitle, Color(Token::kText2));
  if (remark.empty()) return;
  DrawText(list, ImVec2(x + name_width + Px(10), y - FontPx(Role::kCaption) / 2), remark,
           Role::kCaption, Color(Token::kText3));
}

}  // namespace slip::app
