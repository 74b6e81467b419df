#include "app/panels/picture/handles.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/kit/widgets.h"
#include "app/panels/common/joint_motors.h"
#include "app/panels/picture/handle_shape.h"
#include "engine/core/numbers.h"
#include "render/scene/drag_geometry.h"

namespace slip::app {
namespace {

// The dot [design px].
constexpr float kDot = 5;
// How strong handles are drawn: at rest, of a selected robot, while another one is dragged.
constexpr float kAtRest = 0.9f, kSelected = 1.0f, kOthers = 0.25f;
// A palm farther than this from its target is joined to it by a dashed line.
constexpr float kApart = 6;
// Targets go in whole tenths of a millimetre, as in the tab of joints.
constexpr double kDragGrid = 1e4;  // [1/m]

int ChannelOf(const Session& session, const Pane& pane) {
  return pane.channel >= 0 ? pane.channel : render::LeadChannel(session.snapshot(), pane.request);
}

Vec3 OffsetOf(const Session& session, const Pane& pane) {
  return render::FanOffset(session.snapshot(), pane.request, ChannelOf(session, pane));
}

/// The slides whose targets a handle moves.
std::vector<TargetSlide> SlidesOf(const TargetHandles& handles, const HandlePart& part) {
  if (part.slide == HandlePart::kOpening)
    return handles.fingers ? std::vector{handles.fingers->slide} : std::vector<TargetSlide>{};
  if (part.slide == HandlePart::kPlane) return handles.slides;
  const auto i = static_cast<std::size_t>(part.slide);
  return i < handles.slides.size() ? std::vector{handles.slides[i]} : std::vector<TargetSlide>{};
}

/// Where the mouse is on the line or in the plane that a handle moves in, through p_W.
Vec3 MousePoint(const Pane& pane, const std::vector<TargetSlide>& slides, const Vec3& p_W) {
  const render::Ray ray = pane.camera.PixelRay(MousePixel(pane), pane.viewport());
  const Vec3 facing = render::DragPoint(pane.camera, pane.viewport(), MousePixel(pane), p_W);
  if (slides.size() == 1) return render::OnLine(ray, p_W, slides[0].axis_W, facing);
  if (slides.size() == 2)
    return render::OnPlane(ray, p_W, slides[0].axis_W.cross(slides[1].axis_W).normalized(), facing);
  return facing;
}

void Grasp(const Session& session, const Pane& pane, const TargetHandles& handles,
           const HandlePart& part, TargetDrag* drag, Picked* picked) {
  const std::vector<TargetSlide> slides = SlidesOf(handles, part);
  if (slides.empty()) return;
  Vec3 place = handles.p_WT;
  if (part.slide == HandlePart::kOpening)
    place = part.side > 0 ? handles.fingers->p_WF : handles.fingers->p_WG;
  drag->held = part;
  drag->p_WS = MousePoint(pane, slides, place + OffsetOf(session, pane));
  drag->targets.clear();
  for (const TargetSlide& slide : slides) drag->targets.push_back(slide.target);
  picked->selection = {slides.back().body, -1, ChannelOf(session, pane)};
}

/// The targets follow the mouse; what the scene's path adds to them goes on by itself.
void Move(const Session& session, const Pane& pane, const TargetHandles& handles, bool alone,
          TargetDrag* drag, Requests* requests) {
  const std::vector<TargetSlide> slides = SlidesOf(handles, drag->held);
  if (slides.size() != drag->targets.size() || slides.empty()) return;
  Vec3 way = MousePoint(pane, slides, drag->p_WS) - drag->p_WS;
  if (!way.allFinite()) return;
  if (drag->held.slide == HandlePart::kOpening) way *= drag->held.side;
  const VectorX change = CalcSlideChanges(slides, way);
  for (std::size_t i = 0; i < slides.size(); ++i) {
    const double moved = drag->targets[i] + change[static_cast<Eigen::Index>(i)];
    const double target = slides[i].OnGrid(moved, kDragGrid);
    if (target != slides[i].target) drag->asked.emplace_back(slides[i].path, target);
  }
  if (!drag->asked.empty()) SetJointTargets(ChannelOf(session, pane), drag->asked, alone, requests);
}

/// As the axes of the world are drawn in the corner; grey for others.
ImU32 AxisColour(const Vec3& axis_W) {
  if (std::abs(axis_W.x()) > 0.9) return IM_COL32(226, 106, 92, 255);
  if (std::abs(axis_W.y()) > 0.9) return Color(Token::kOk);
  return Color(std::abs(axis_W.z()) > 0.9 ? Token::kAccent : Token::kText2);
}

std::string Millimetres(const TargetSlide& slide) {
  std::string text = fmt::format("{:.1f} mm", 1e3 * slide.asked());
  if (slide.from_path != 0)
    text += fmt::format(" = {:.1f} {} {:.1f} path", 1e3 * slide.target,
                        slide.from_path < 0 ? "−" : "+", 1e3 * std::abs(slide.from_path));
  if (slide.target <= slide.lower || slide.target >= slide.upper) text += ", limit";
  return text;
}

std::string HoverText(const std::vector<TargetSlide>& slides, const HandlePart& part) {
  std::string text = part.slide == HandlePart::kOpening ? "Opening"
                     : part.slide == HandlePart::kPlane ? "Target in the plane of the picture"
                                                        : "Target";
  for (const TargetSlide& slide : slides)
    text += fmt::format("\n{}   {}", slide.name, Millimetres(slide));
  return text + "\nDrag it.";
}

/// Beside the handles, one line per target that is dragged.
void Readout(const Pane& pane, const HandleShape& shape, const std::vector<TargetSlide>& slides) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  float y = shape.middle.y - Px(kHandleLength);
  for (const TargetSlide& slide : slides) {
    const std::string number = Millimetres(slide);
    const ImU32 bar = AxisColour(slide.axis_W);
    const ImVec2 size = GlassLabel(list, ImVec2(0, 0), slide.name, number, bar, false);
    const float x = std::min(shape.middle.x + Px(kHandleLength + 18), pane.max.x - size.x - Px(4));
    const ImVec2 at(std::max(x, pane.min.x + Px(4)), std::max(y, pane.min.y + Px(14)));
    GlassLabel(list, at, slide.name, number, bar);
    RegisterWidget("handle/readout/" + slide.name, ImVec2(at.x, at.y - size.y / 2),
                   ImVec2(at.x + size.x, at.y + size.y / 2), false, number);
    y = at.y + Px(23);
  }
}

void RegisterHandle(const std::string& robot, const std::string& name, ImVec2 at) {
  const float half = Px(kHandleReach) / 2;
  RegisterWidget("handle/" + robot + "/" + name, ImVec2(at.x - half, at.y - half),
                 ImVec2(at.x + half, at.y + half));
}

ImVec2 Between(const HandleShape::Arrow& arrow, float share) {
  return {arrow.from.x + share * (arrow.to.x - arrow.from.x),
          arrow.from.y + share * (arrow.to.y - arrow.from.y)};
}

void DrawHandle(const Session& session, const TargetHandles& handles, const HandleShape& shape,
                const TargetDrag& drag, int selected) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const Model& model = *session.model();
  const std::string& robot = At(model.robots, handles.robot).name;
  const HandlePart& hot = drag.held ? drag.held : drag.hot;
  const bool chosen = selected >= 0 && static_cast<std::size_t>(selected) < model.bodies.size() &&
                      model.body(selected).robot == handles.robot;
  const float rest = drag.held ? kOthers : chosen || drag.hot ? kSelected : kAtRest;
  const auto strength = [&](int slide) { return hot.Is(handles.robot, slide) ? 1.0f : rest; };
  const auto width = [&](int slide) { return hot.Is(handles.robot, slide) ? 3.5f : 2.5f; };
  const auto arrow = [&](ImVec2 from, ImVec2 to, ImU32 colour, int slide) {
    // a rim parts it from arrows of forces, which may lie right under it
    DrawArrow(list, from, to, WithAlpha(Color(Token::kApp), 0.9f * strength(slide)),
              width(slide) + 3);
    DrawArrow(list, from, to, WithAlpha(colour, strength(slide)), width(slide));
  };
  if (Distance(shape.middle, shape.palm) > Px(kApart)) {
    const ImU32 colour = Color(Token::kText2, rest);
    DrawDashedLine(list, shape.palm, shape.middle, colour, Px(1), 4, 3);
    list->AddCircleFilled(shape.palm, Px(2), colour);
  }
  for (std::size_t i = 0; i < shape.arrows.size(); ++i) {
    if (!shape.arrows[i].shown) continue;
    arrow(shape.arrows[i].from, shape.arrows[i].to, AxisColour(handles.slides[i].axis_W),
          static_cast<int>(i));
    RegisterHandle(robot, handles.slides[i].name, Between(shape.arrows[i], 0.6f));
  }
  if (shape.opening.shown) {
    const ImVec2 middle = Between(shape.opening, 0.5f);
    for (const ImVec2 end : {shape.opening.from, shape.opening.to})
      arrow(middle, end, Color(Token::kText), HandlePart::kOpening);
    RegisterHandle(robot, handles.fingers->slide.name, Between(shape.opening, 0.75f));
  }
  if (handles.slides.size() < 2) return;
  const float alpha = strength(HandlePart::kPlane);
  const bool big = hot.Is(handles.robot, HandlePart::kPlane);
  list->AddCircleFilled(shape.middle, Px(big ? kDot + 1 : kDot), Color(Token::kApp, 0.6f * alpha));
  list->AddCircle(shape.middle, Px(big ? kDot + 1 : kDot), Color(Token::kText, alpha), 0, Px(1.5f));
  RegisterHandle(robot, "plane", shape.middle);
}

}  // namespace

bool HasRoomForHandles(const Session& session, const Pane& pane) {
  const Model* model = session.model();
  return model != nullptr && !model->robots.empty() && session.channel_count() > 0 &&
         pane.max.y - pane.min.y > Px(2 * kHandleLength);
}

void DragTargets(const Session& session, const Pane& pane, bool alone, MouseState* mouse,
                 Picked* picked, Requests* requests) {
  TargetDrag& drag = mouse->target_drag;
  const ImGuiIO& io = ImGui::GetIO();
  const bool mine = drag.pane == pane.index;
  if (mine) drag.asked.clear();
  if (drag.held && !ImGui::IsMouseDown(ImGuiMouseButton_Left)) drag.held = {};
  if (!pane.handles) {
    if (mine) drag.hot = drag.held = {};
    return;
  }
  const std::vector<TargetHandles> all = HandlesOf(session, ChannelOf(session, pane));
  if (drag.held) {
    if (!mine) return;
    const auto held = std::find_if(all.begin(), all.end(), [&](const TargetHandles& handles) {
      return handles.robot == drag.held.robot;
    });
    if (held == all.end()) {
      drag.held = {};
    } else if (io.MouseDelta.x != 0 || io.MouseDelta.y != 0) {
      Move(session, pane, *held, alone, &drag, requests);
    }
    return;
  }
  if (!pane.hovered || mouse->pull.active || mouse->pull.pressed || io.KeyCtrl) {
    if (mine) drag.hot = {};
    return;
  }
  // another button turns the picture: what is under the mouse then is not meant
  if (ImGui::IsMouseDown(ImGuiMouseButton_Left) && !ImGui::IsMouseClicked(ImGuiMouseButton_Left))
    return;
  drag.pane = pane.index;
  drag.hot = {};
  for (const TargetHandles& handles : all) {
    const HandleShape shape = ShapeOf(pane, handles, OffsetOf(session, pane));
    const HandlePart part = HitHandle(handles, shape, io.MousePos);
    if (!part) continue;
    drag.hot = part;
    Tooltip(HoverText(SlidesOf(handles, part), part));
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left))
      Grasp(session, pane, handles, part, &drag, picked);
    return;
  }
}

void DrawTargetHandles(const Session& session, const Pane& pane, bool alone, const TargetDrag& drag,
                       int selected) {
  if (!pane.handles) return;
  const bool one_for_all = drag.pane == pane.index || !alone;
  using Asked = std::span<const std::pair<std::string, double>>;
  const Asked asked = drag.held && one_for_all ? Asked(drag.asked) : Asked();
  for (const TargetHandles& handles : HandlesOf(session, ChannelOf(session, pane), asked)) {
    const HandleShape shape = ShapeOf(pane, handles, OffsetOf(session, pane));
    if (!shape.shown) continue;
    DrawHandle(session, handles, shape, drag, selected);
    if (drag.held.robot == handles.robot && drag.pane == pane.index)
      Readout(pane, shape, SlidesOf(handles, drag.held));
  }
}

}  // namespace slip::app
