#include "app/panels/handles.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/kit/widgets.h"
#include "app/view/drag_geometry.h"
#include "app/view/target_handles.h"

namespace slip::app {
namespace {

// Design pixels: arrows, where they begin, the dot, how near the mouse must come to them.
constexpr float kArrowLength = 62, kArrowGap = 13, kDot = 5, kReach = 8;
// An arrow that is seen shorter than this cannot be dragged along.
constexpr float kLeastArrow = 20;
// The double arrow stands so far beside the fingers, and is at least so long to either side.
constexpr float kBeside = 30, kLeastHalf = 18;
// How strong handles are drawn: at rest, of a selected robot, while another one is dragged.
constexpr float kAtRest = 0.5f, kSelected = 0.85f, kOthers = 0.25f;
// A palm farther than this from its target is joined to it by a dashed line.
constexpr float kApart = 6;
// Targets go in whole tenths of a millimetre, as in the tab of joints.
constexpr double kDragGrid = 1e4;  // [1/m]
constexpr double kNudgeGrid = 1e6;

/// A robot's handles on the screen.
struct HandleShape {
  struct Arrow {
    ImVec2 from, to;
    bool shown = false;
  };
  ImVec2 middle, palm;
  bool shown = false;
  std::vector<Arrow> arrows;  // as TargetHandles::slides
  Arrow opening;              // to the leading finger, from the other one
};

float Distance(ImVec2 a, ImVec2 b) { return std::hypot(a.x - b.x, a.y - b.y); }

float DistanceToLine(ImVec2 p, const HandleShape::Arrow& line) {
  const float dx = line.to.x - line.from.x, dy = line.to.y - line.from.y;
  const float s = ((p.x - line.from.x) * dx + (p.y - line.from.y) * dy) / (dx * dx + dy * dy);
  const float t = std::clamp(s, 0.0f, 1.0f);
  return Distance(p, {line.from.x + t * dx, line.from.y + t * dy});
}

std::vector<TargetHandles> HandlesOf(const Session& session, int channel) {
  const Model* model = session.model();
  if (model == nullptr || model->robots.empty() || channel >= session.channel_count()) return {};
  return FindTargetHandles(*model, session.frame(channel),
                           [&](const std::string& path) { return session.Param(channel, path); });
}

int ChannelOf(const Ui& ui, const Pane& pane) {
  return pane.channel >= 0 ? pane.channel
                           : render::LeadChannel(ui.session.snapshot(), pane.request);
}

bool Shows(const Ui& ui, const Pane& pane) {
  const Model* model = ui.session.model();
  return ui.state.show_handles && ui.state.only == Only::kWindow && model != nullptr &&
         !model->robots.empty() && ui.session.channel_count() > 0 &&
         pane.max.y - pane.min.y > Px(4 * kArrowLength) / 2;
}

Vec3 OffsetOf(const Ui& ui, const Pane& pane) {
  return render::FanOffset(ui.session.snapshot(), pane.request, ChannelOf(ui, pane));
}

std::optional<ImVec2> OnScreen(const Pane& pane, const Vec3& p_W) {
  const std::optional<Vec3> at = pane.camera.Project(p_W, pane.viewport());
  if (!at) return std::nullopt;
  return ImVec2(pane.min.x + static_cast<float>(at->x()), pane.min.y + static_cast<float>(at->y()));
}

/// The double arrow between the fingers, beside them on the side where no arrow of a slide is.
HandleShape::Arrow ShapeOpening(const Pane& pane, const FingerPair& fingers, const Vec3& offset,
                                const HandleShape& shape) {
  const std::optional<ImVec2> a = OnScreen(pane, fingers.p_WG + offset);
  const std::optional<ImVec2> b = OnScreen(pane, fingers.p_WF + offset);
  // the way of a closed pair is seen along the axis
  const Vec3 middle = 0.5 * (fingers.p_WF + fingers.p_WG) + offset;
  const double metres = pane.camera.MetresPerPixel(pane.camera.Depth(middle), pane.viewport());
  const double reach = metres * static_cast<double>(Px(kArrowLength));
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
    const std::optional<ImVec2> from = at(kArrowGap), to = at(kArrowLength);
    HandleShape::Arrow arrow;
    if (from && to) arrow = {*from, *to, Distance(*middle, *to) >= Px(kLeastArrow)};
    shape.arrows.push_back(arrow);
  }
  if (handles.fingers) shape.opening = ShapeOpening(pane, *handles.fingers, offset, shape);
  return shape;
}

/// The nearest part of a robot's handles within reach.
HandlePart HitHandle(const TargetHandles& handles, const HandleShape& shape, ImVec2 mouse) {
  HandlePart part;
  if (!shape.shown) return part;
  part.robot = handles.robot;
  if (handles.slides.size() > 1 && Distance(mouse, shape.middle) < Px(kReach)) return part;
  float nearest = Px(kReach);
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
  if (slides.size() == 1) return OnLine(ray, p_W, slides[0].axis_W, facing);
  if (slides.size() == 2)
    return OnPlane(ray, p_W, slides[0].axis_W.cross(slides[1].axis_W).normalized(), facing);
  return facing;
}

double OnGrid(const TargetSlide& slide, double target, double grid) {
  return std::clamp(std::round(target * grid) / grid, slide.lower, slide.upper);
}

void Grasp(Ui* ui, const Pane& pane, const TargetHandles& handles, const HandlePart& part) {
  TargetDrag& drag = ui->state.target_drag;
  const std::vector<TargetSlide> slides = SlidesOf(handles, part);
  if (slides.empty()) return;
  Vec3 place = handles.p_WT;
  if (part.slide == HandlePart::kOpening)
    place = part.side > 0 ? handles.fingers->p_WF : handles.fingers->p_WG;
  drag.held = part;
  drag.p_WS = MousePoint(pane, slides, place + OffsetOf(*ui, pane));
  drag.targets.clear();
  for (const TargetSlide& slide : slides) drag.targets.push_back(slide.target);
  ui->state.selection = {slides.back().body, -1, ChannelOf(*ui, pane)};
}

/// The targets follow the mouse; what the scene's path adds to them goes on by itself.
void Move(Ui* ui, const Pane& pane, const TargetHandles& handles) {
  const TargetDrag& drag = ui->state.target_drag;
  const std::vector<TargetSlide> slides = SlidesOf(handles, drag.held);
  if (slides.size() != drag.targets.size() || slides.empty()) return;
  Vec3 way = MousePoint(pane, slides, drag.p_WS) - drag.p_WS;
  if (!way.allFinite()) return;
  if (drag.held.slide == HandlePart::kOpening) way *= drag.held.side;
  const VectorX change = CalcSlideChanges(slides, way);
  ui->session.AsOneEdit([&] {
    for (std::size_t i = 0; i < slides.size(); ++i) {
      const double moved = drag.targets[i] + change[static_cast<Eigen::Index>(i)];
      const double target = OnGrid(slides[i], moved, kDragGrid);
      if (target != slides[i].target)
        SetJointTarget(ui, ChannelOf(*ui, pane), slides[i].path, target);
    }
  });
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
  float y = shape.middle.y - Px(kArrowLength);
  for (const TargetSlide& slide : slides) {
    const std::string number = Millimetres(slide);
    const ImU32 bar = AxisColour(slide.axis_W);
    const ImVec2 size = GlassLabel(list, ImVec2(0, 0), slide.name, number, bar, false);
    const float x = std::min(shape.middle.x + Px(kArrowLength + 18), pane.max.x - size.x - Px(4));
    const ImVec2 at(std::max(x, pane.min.x + Px(4)), std::max(y, pane.min.y + Px(14)));
    GlassLabel(list, at, slide.name, number, bar);
    RegisterWidget("handle/readout/" + slide.name, ImVec2(at.x, at.y - size.y / 2),
                   ImVec2(at.x + size.x, at.y + size.y / 2), false, number);
    y = at.y + Px(23);
  }
}

void RegisterHandle(const std::string& robot, const std::string& name, ImVec2 at) {
  const float half = Px(kReach) / 2;
  RegisterWidget("handle/" + robot + "/" + name, ImVec2(at.x - half, at.y - half),
                 ImVec2(at.x + half, at.y + half));
}

ImVec2 Between(const HandleShape::Arrow& arrow, float share) {
  return {arrow.from.x + share * (arrow.to.x - arrow.from.x),
          arrow.from.y + share * (arrow.to.y - arrow.from.y)};
}

void DrawHandle(const Ui& ui, const TargetHandles& handles, const HandleShape& shape) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const Model& model = *ui.session.model();
  const std::string& robot = model.robots[static_cast<std::size_t>(handles.robot)].name;
  const TargetDrag& drag = ui.state.target_drag;
  const HandlePart& hot = drag.held ? drag.held : drag.hot;
  const int selected = ui.state.selection.body;
  const bool chosen = selected >= 0 && static_cast<std::size_t>(selected) < model.bodies.size() &&
                      model.bodies[static_cast<std::size_t>(selected)].robot == handles.robot;
  const float rest = drag.held ? kOthers : chosen || drag.hot ? kSelected : kAtRest;
  const auto strength = [&](int slide) { return hot.Is(handles.robot, slide) ? 1.0f : rest; };
  const auto width = [&](int slide) { return hot.Is(handles.robot, slide) ? 3.0f : 2.0f; };
  const auto arrow = [&](ImVec2 from, ImVec2 to, ImU32 colour, int slide) {
    DrawArrow(list, from, to, WithAlpha(Color(Token::kApp), 0.6f * strength(slide)),
              width(slide) + 1.5f);
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

/// What an action of the keys moves.
struct Nudge {
  int axis = 0;    ///< 0 to 2: x, y, z; 3 = the opening
  double way = 0;  ///< [m]
};

std::optional<Nudge> NudgeOf(Action action) {
  if (action < Action::kHandXBack || action > Action::kHandFarOpen) return std::nullopt;
  const int place = static_cast<int>(action) - static_cast<int>(Action::kHandXBack);
  return Nudge{place % 8 / 2, (place % 2 != 0 ? 1 : -1) * (place >= 8 ? 0.01 : 0.001)};
}

/// The handles of the selected robot, or of the only one that has some.
std::optional<TargetHandles> ChosenHandles(const Ui& ui) {
  std::vector<TargetHandles> all = HandlesOf(ui.session, ui.session.lead());
  const int body = ui.state.selection.body;
  for (TargetHandles& handles : all) {
    const auto& bodies = ui.session.model()->bodies;
    if (all.size() == 1 || (body >= 0 && static_cast<std::size_t>(body) < bodies.size() &&
                            bodies[static_cast<std::size_t>(body)].robot == handles.robot))
      return std::move(handles);
  }
  return std::nullopt;
}

/// The slide that a nudge moves, and its change [m].
std::optional<std::pair<TargetSlide, double>> FindNudged(const TargetHandles& handles,
                                                         const Nudge& nudge) {
  if (nudge.axis == 3) {
    if (!handles.fingers) return std::nullopt;
    return std::pair{handles.fingers->slide, nudge.way};
  }
  const int slide = FindSlideAlong(handles.slides, Vec3::Unit(nudge.axis));
  if (slide < 0) return std::nullopt;
  const TargetSlide& found = handles.slides[static_cast<std::size_t>(slide)];
  return std::pair{found, found.axis_W[nudge.axis] < 0 ? -nudge.way : nudge.way};
}

}  // namespace

bool HasTargetHandles(const Session& session) {
  return session.channel_count() > 0 && !HandlesOf(session, session.lead()).empty();
}

void DragTargets(Ui* ui, const Pane& pane, bool hovered) {
  TargetDrag& drag = ui->state.target_drag;
  const ImGuiIO& io = ImGui::GetIO();
  const bool mine = drag.pane == pane.index;
  if (drag.held && !ImGui::IsMouseDown(ImGuiMouseButton_Left)) drag.held = {};
  if (!Shows(*ui, pane)) {
    if (mine) drag.hot = drag.held = {};
    return;
  }
  const std::vector<TargetHandles> all = HandlesOf(ui->session, ChannelOf(*ui, pane));
  if (drag.held) {
    if (!mine) return;
    const auto held = std::find_if(all.begin(), all.end(), [&](const TargetHandles& handles) {
      return handles.robot == drag.held.robot;
    });
    if (held == all.end()) {
      drag.held = {};
    } else if (io.MouseDelta.x != 0 || io.MouseDelta.y != 0) {
      Move(ui, pane, *held);
    }
    return;
  }
  if (!hovered || ui->state.pull.active || ui->state.pull.pressed || io.KeyCtrl) {
    if (mine) drag.hot = {};
    return;
  }
  // another button turns the picture: what is under the mouse then is not meant
  if (ImGui::IsMouseDown(ImGuiMouseButton_Left) && !ImGui::IsMouseClicked(ImGuiMouseButton_Left))
    return;
  drag.pane = pane.index;
  drag.hot = {};
  for (const TargetHandles& handles : all) {
    const HandleShape shape = ShapeOf(pane, handles, OffsetOf(*ui, pane));
    const HandlePart part = HitHandle(handles, shape, io.MousePos);
    if (!part) continue;
    drag.hot = part;
    Tooltip(HoverText(SlidesOf(handles, part), part));
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) Grasp(ui, pane, handles, part);
    return;
  }
}

void DrawTargetHandles(Ui* ui, const Pane& pane) {
  if (!Shows(*ui, pane)) return;
  const TargetDrag& drag = ui->state.target_drag;
  for (const TargetHandles& handles : HandlesOf(ui->session, ChannelOf(*ui, pane))) {
    const HandleShape shape = ShapeOf(pane, handles, OffsetOf(*ui, pane));
    if (!shape.shown) continue;
    DrawHandle(*ui, handles, shape);
    if (drag.held.robot == handles.robot && drag.pane == pane.index)
      Readout(pane, shape, SlidesOf(handles, drag.held));
  }
}

bool NudgeHand(Ui* ui, Action action) {
  const std::optional<Nudge> nudge = NudgeOf(action);
  if (!nudge) return false;
  const std::optional<TargetHandles> handles = ChosenHandles(*ui);
  if (!handles) return true;
  if (const auto nudged = FindNudged(*handles, *nudge)) {
    const auto& [slide, way] = *nudged;
    SetJointTarget(ui, ui->session.lead(), slide.path,
                   OnGrid(slide, slide.target + way, kNudgeGrid));
  }
  return true;
}

const char* WhyHandStays(const Ui& ui, Action action) {
  const std::optional<Nudge> nudge = NudgeOf(action);
  if (!nudge) return nullptr;
  if (!HasTargetHandles(ui.session))
    return "No robot of this scene hangs on slides whose motors hold it.";
  const std::optional<TargetHandles> handles = ChosenHandles(ui);
  if (!handles) return "Several robots have targets: select one.";
  if (FindNudged(*handles, *nudge)) return nullptr;
  return nudge->axis == 3 ? "This robot has no pair of fingers." : "No slide goes that way.";
}

}  // namespace slip::app
