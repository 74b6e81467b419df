// What lies over the 3-D picture: readouts, legend, arrow scale, triad.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/kit/widgets.h"
#include "app/panels/picture/over_view.h"
#include "app/panels/picture/view.h"
#include "app/state/channel_style.h"
#include "engine/core/numbers.h"
#include "render/quantities/force_chains.h"
#include "render/quantities/quantity.h"

namespace slip::app {
namespace {

// A picture lower than this has no room for a legend, for what moves ghosts apart, or for that in
// words of its own row [design px].
constexpr float kLegendRoom = 140, kFanRoom = 240, kFanRowRoom = 420;
// A picture narrower than this has no room for words on feet [design px].
constexpr float kFeetRoom = 720;

void Glass(ImVec2 min, ImVec2 max, FrameMarks* marks) {
  DrawGlass(ImGui::GetWindowDrawList(), min, max);
  marks->overlays.push_back({min, max});
}

/// Top left: how fast it really runs, and the time step.
void Readout(const Session& session, const Pane& pane, FrameMarks* marks) {
  const Snapshot& snapshot = session.snapshot();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const int channel = pane.channel >= 0 ? pane.channel : session.looks().lead();
  const ImVec2 at(pane.min.x + Px(12), pane.min.y + Px(12));
  const float h = Px(32);
  const double factor =
      snapshot.playing ? session.written().snapshot().real_time_factor : snapshot.speed;
  const std::string speed = std::isinf(factor) ? "max" : FormatPace(factor);
  // a loop that shows its record again runs for whoever looks
  const bool runs =
      snapshot.playing || (session.playback().looping() && session.playback().playing());
  const std::string word = runs ? "real time" : session.AllStopped() ? "stopped" : "paused";
  const QuantityText step = SplitQuantity(session.frame(channel).config.step.time_step, "s");
  const std::string step_text = step.number + " " + step.unit;
  const std::string name = session.looks().Name(channel);
  const float pad = Px(12);
  float width = pad;
  if (pane.channel >= 0) {
    width += Px(20) + MeasureText(name, Role::kTitle).x + pad;
  } else {
    width += MeasureText(speed, Role::kValueStrong).x + Px(6) +
             MeasureText(word, Role::kCaption).x + Px(25);
  }
  width +=
      MeasureRich("δt", Role::kCaption).x + Px(8) + MeasureText(step_text, Role::kValue).x + pad;
  // in a narrow picture tags stand beside it
  const std::string feet = pane.channel < 0 && pane.max.x - pane.min.x >= Px(kFeetRoom)
                               ? DescribeFeet(session)
                               : std::string();
  if (!feet.empty()) width += Px(12) + MeasureText(feet, Role::kCaption).x + pad;
  Glass(at, ImVec2(at.x + width, at.y + h), marks);
  const auto middle = [&](Role role) { return at.y + (h - FontPx(role)) / 2; };
  float x = at.x + pad;
  if (pane.channel >= 0) {
    DrawMark(list, ImVec2(x + Px(6), at.y + h / 2), StyleOf(session, channel), 5);
    x += Px(20);
    x += DrawText(list, ImVec2(x, middle(Role::kTitle)), name, Role::kTitle, Color(Token::kText)) +
         pad;
  } else {
    x += DrawText(list, ImVec2(x, middle(Role::kValueStrong)), speed, Role::kValueStrong,
                  Color(Token::kText));
    x += Px(6);
    x += DrawText(list, ImVec2(x, middle(Role::kCaption)), word, Role::kCaption,
                  Color(Token::kText2));
    x += Px(12);
    list->AddLine(ImVec2(x, at.y + Px(9)), ImVec2(x, at.y + h - Px(9)), Color(Token::kLineStrong),
                  Snap(1));
    x += Px(13);
  }
  x += DrawRich(list, ImVec2(x, middle(Role::kCaption)), "δt", Role::kCaption,
                Color(Token::kText2)) +
       Px(8);
  x +=
      DrawText(list, ImVec2(x, middle(Role::kValue)), step_text, Role::kValue, Color(Token::kText));
  if (!feet.empty()) {
    x += Px(12);
    list->AddLine(ImVec2(x, at.y + Px(9)), ImVec2(x, at.y + h - Px(9)), Color(Token::kLineStrong),
                  Snap(1));
    DrawText(list, ImVec2(x + Px(12), middle(Role::kCaption)), feet, Role::kCaption,
             Color(Token::kText));
  }
  RegisterWidget("overlay/readout", at, ImVec2(at.x + width, at.y + h), false, feet);
}

std::string Centimetres(double metres) { return fmt::format("{:.3g} cm", metres * 100); }

void FanMenu(double* fan_out) {
  if (!ImGui::BeginPopup("fan-out")) return;
  for (double distance : {0.0, 0.05, 0.1, 0.25, 0.5}) {
    const std::string label = distance > 0 ? Centimetres(distance) : "In place";
    if (ImGui::MenuItem(label.c_str(), nullptr, std::abs(*fan_out - distance) < 1e-9)) {
      *fan_out = distance;
    }
  }
  ImGui::EndPopup();
}

/// One line and mark of the legend.
struct LegendRow {
  ChannelStyle style;
  std::string name, difference;
};

std::vector<LegendRow> LegendRows(const Session& session) {
  std::vector<LegendRow> rows;
  for (int i = 0; i < session.channel_count(); ++i) {
    if (!session.looks().Present(i)) continue;
    rows.push_back({StyleOf(session, i), session.looks().Name(i), session.looks().Difference(i)});
  }
  const ForeignRuns& foreign = session.files().foreign();
  for (int i = 0; i < foreign.count(); ++i) {
    if (foreign.Visible(i)) rows.push_back({ForeignStyle(i), foreign.run(i).name(), "recorded"});
  }
  return rows;
}

/// Bottom left: which line and mark is which model; where the ghosts are. Returns its right end.
float Legend(const Session& session, const Pane& pane, double* fan_out, FrameMarks* marks) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float room = pane.max.y - pane.min.y;
  if (room < Px(kLegendRoom)) return pane.max.x;
  const bool ghosts = room >= Px(kFanRoom) &&
                      pane.request.compare == render::CompareMode::kGhosts &&
                      session.channel_count() > 1;
  const bool row_of_fan = ghosts && room >= Px(kFanRowRoom);
  const float pad = Px(12), sample = Px(40);
  float width = pad - Px(16);
  const std::vector<LegendRow> rows = LegendRows(session);
  for (const LegendRow& item : rows) {
    width += sample + Px(8) + MeasureText(item.name, Role::kLabel).x + Px(16);
    if (!item.difference.empty()) width += MeasureRich(item.difference, Role::kCaption).x + Px(6);
  }
  const std::string fan =
      *fan_out > 0 ? "Ghosts fanned out " + Centimetres(*fan_out) + " sideways" : "Ghosts in place";
  width += pad;
  // names that do not fit are those of the chips above
  const bool names =
      width + Px(ghosts && !row_of_fan ? 20.0f : 0.0f) <= pane.max.x - pane.min.x - 2 * pad;
  if (!names) width = 2 * pad - Px(8) + static_cast<float>(rows.size()) * (sample + Px(8));
  if (row_of_fan) {
    width = std::max(width, MeasureText(fan, Role::kCaption).x + 2 * pad + Px(20));
  } else if (ghosts) {
    width += Px(20);
  }
  const float height = row_of_fan ? Px(56) : Px(32);
  const ImVec2 at(pane.min.x + Px(12), pane.max.y - Px(12) - height);
  Glass(at, ImVec2(at.x + width, at.y + height), marks);
  RegisterWidget("overlay/legend", at, ImVec2(at.x + width, at.y + height),
                 at.x + width > pane.max.x);
  float x = at.x + pad;
  const float row = at.y + Px(16);
  for (const LegendRow& item : rows) {
    DrawLegendSample(list, ImVec2(x, row), item.style);
    x += sample + Px(8);
    if (!names) continue;
    x += DrawText(list, ImVec2(x, row - FontPx(Role::kLabel) / 2), item.name, Role::kLabel,
                  Color(Token::kText));
    if (!item.difference.empty()) {
      x += Px(6);
      x += DrawRich(list, ImVec2(x, row - FontPx(Role::kCaption) / 2), item.difference,
                    Role::kCaption, Color(Token::kText2));
    }
    x += Px(16);
  }
  if (ghosts) {
    const float left = row_of_fan ? at.x + Px(4) : at.x + width - Px(28);
    const float middle = at.y + Px(row_of_fan ? 40.0f : 16.0f);
    ImGui::SetCursorScreenPos(ImVec2(left, middle - Px(12)));
    if (ImGui::InvisibleButton("fan", ImVec2(at.x + width - Px(4) - left, Px(24))))
      ImGui::OpenPopup("fan-out");
    RegisterLastItem("overlay/fan");
    const bool hovered = ImGui::IsItemHovered();
    const ImU32 colour = Color(hovered ? Token::kText : Token::kText2);
    if (row_of_fan) {
      const float y = middle - FontPx(Role::kCaption) / 2;
      DrawText(list, ImVec2(at.x + pad, y), fan, Role::kCaption, colour);
    }
    Tooltip(fan + ". Click for another distance between them.");
    DrawText(list, ImVec2(at.x + width - Px(20), middle - FontPx(Role::kIconSmall) / 2),
             icon::kMenu, Role::kIconSmall, colour);
    FanMenu(fan_out);
  }
  return at.x + width;
}

/// The options of a quantity, as its file in render/ gives them.
void OptionsMenu(const Session& session, const char* popup, const render::Quantity& quantity,
                 ViewState* view) {
  if (!ImGui::BeginPopup(popup)) return;
  for (const render::Choice& choice : quantity.choices) {
    if (choice.only_in_piles && !ShowsPile(session)) continue;
    const bool ticked = choice.chosen != nullptr && choice.chosen(*view);
    if (ImGui::MenuItem(choice.label, nullptr, ticked)) choice.choose(view);
  }
  for (const render::NumberOption& number : quantity.numbers) {
    if (number.used != nullptr && !number.used(*view)) continue;
    double value = number.per_value * view->*number.value;
    if (ValueSlider(number.id, number.label, number.unit, number.least, number.most, true,
                    number.first, &value)) {
      view->*number.value = value / number.per_value;
    }
  }
  ImGui::EndPopup();
}

/// Bars of a pile: as thick as they are drawn at the orbit centre, with their forces. Returns the
/// right end.
float ChainLegend(const Session& session, const Pane& pane, float left, ViewState* view,
                  FrameMarks* marks) {
  const render::ForceRange range = pane.picture->chain_range;
  const double metres = pane.camera.MetresPerPixel(1, pane.viewport());
  const float pad = Px(12), height = Px(32), bar = Px(22);
  const render::Colour colour =
      session.channel_count() > 0
          ? StyleOfChannel(session.snapshot(), pane.request.lead, pane.request.theme).colour
          : render::Colour{};
  // four samples, or the outer two where there is no room
  const ImVec2 at(left + Px(8), pane.max.y - Px(12) - height);
  std::vector<double> forces;
  float width = 0;
  for (const double factor : {10.0, 1000.0}) {
    forces.clear();
    width = pad;
    for (double f = range.least; f < 1.5 * range.most; f *= factor) {
      forces.push_back(f);
      width += bar + Px(6) + MeasureText(FormatQuantity(f, "N"), Role::kTick).x + pad;
    }
    if (at.x + width <= pane.max.x - Px(84)) break;
  }
  if (at.x + width > pane.max.x - Px(84)) return left;  // the triad stands there
  Glass(at, ImVec2(at.x + width, at.y + height), marks);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float y = at.y + height / 2;
  float x = at.x + pad;
  for (const double force : forces) {
    const double strength = render::ChainStrength(force, range);
    const auto thick = static_cast<float>(2 * render::ChainHalfWidth(strength) / metres);
    const render::Colour shade = render::ChainColour(colour, strength, pane.request.theme);
    list->AddLine(ImVec2(x, y), ImVec2(x + bar, y), shade.Packed(),
                  std::clamp(thick, 1.0f, height - Px(8)));
    x += bar + Px(6);
    x += DrawText(list, ImVec2(x, y - FontPx(Role::kTick) / 2), FormatQuantity(force, "N"),
                  Role::kTick, Color(Token::kText2)) +
         pad;
  }
  ImGui::SetCursorScreenPos(at);
  if (ImGui::InvisibleButton("chain-scale", ImVec2(width, height))) ImGui::OpenPopup("chains");
  RegisterLastItem("overlay/chains");
  Tooltip(
      "Force between two bodies, the sum of all their contacts, logarithmic. Square points stick, "
      "round amber ones slip. "
      "Click to hide weaker forces or to draw arrows.");
  OptionsMenu(session, "chains", render::kChains, view);
  return at.x + width;
}

/// Returns its right end, or `left` where there is none.
float ArrowLegend(const Session& session, const Pane& pane, float left, ViewState* view,
                  FrameMarks* marks) {
  if (!pane.request.forces || pane.picture == nullptr) return left;
  if (pane.max.y - pane.min.y < Px(kFanRoom)) return left;
  if (pane.picture->chains) return ChainLegend(session, pane, left, view, marks);
  const double newtons = pane.picture->newtons_per_10cm;
  // other scales are of the screen: the sample is as long as such a force that is seen from its
  // side
  const bool of_world = view->arrow_scale == render::ArrowScale::kFixed;
  const std::string force = FormatQuantity(newtons, "N");
  const std::string text = !(newtons > 0) ? "0.1 N … 1 kN, log"
                           : of_world     ? "10 cm = " + force
                                          : force;
  const bool to_scale = newtons > 0 && !of_world;
  const float sample =
      to_scale ? static_cast<float>(0.1 / pane.camera.MetresPerPixel(1, pane.viewport())) : Px(44);
  const float width = Px(12) + sample + Px(10) + MeasureText(text, Role::kValue).x + Px(12),
              height = Px(32);
  const ImVec2 at(left + Px(8), pane.max.y - Px(12) - height);
  if (at.x + width > pane.max.x - Px(84)) return left;  // the triad stands there
  Glass(at, ImVec2(at.x + width, at.y + height), marks);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float y = at.y + height / 2;
  DrawArrow(list, ImVec2(at.x + Px(12), y), ImVec2(at.x + Px(12) + sample, y), Color(Token::kText2),
            Px(2));
  DrawText(list, ImVec2(at.x + Px(22) + sample, y - FontPx(Role::kValue) / 2), text, Role::kValue,
           Color(Token::kText2));
  ImGui::SetCursorScreenPos(at);
  if (ImGui::InvisibleButton("arrow-scale", ImVec2(width, height))) ImGui::OpenPopup("arrows");
  RegisterLastItem("overlay/arrows");
  RegisterWidget("overlay/arrows/sample", ImVec2(at.x + Px(12), y - Px(4)),
                 ImVec2(at.x + Px(12) + sample, y + Px(4)), false, text);
  Tooltip(
      view->arrow_scale == render::ArrowScale::kAuto
          ? "Length of the force arrows: beyond twice the sample, six tenths of it more for every "
            "tenfold. Click to change the scale."
          : "Length of the force arrows. Click to change the scale.");
  OptionsMenu(session, "arrows", render::kForces, view);
  return at.x + width;
}

/// Bottom right: the world's axes as the camera sees them.
void Triad(const render::Camera& camera, const Pane& pane, FrameMarks* marks) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 centre(pane.max.x - Px(44), pane.max.y - Px(40));
  const float reach = Px(32);
  marks->overlays.push_back(
      {ImVec2(centre.x - reach, centre.y - reach), ImVec2(centre.x + reach, centre.y + reach)});
  const Vec3 right = camera.right_W(), forward = camera.forward_W();
  const Vec3 up = right.cross(forward);
  static constexpr const char* kNames[] = {"x", "y", "z"};
  const ImU32 colours[] = {IM_COL32(226, 106, 92, 255), Color(Token::kOk), Color(Token::kAccent)};
  for (int axis = 0; axis < 3; ++axis) {
    const float dx = static_cast<float>(right[axis]), dy = -static_cast<float>(up[axis]);
    const float length = Px(24);
    const ImVec2 tip(centre.x + dx * length, centre.y + dy * length);
    list->AddLine(centre, tip, colours[axis], Px(2));
    const ImVec2 size = MeasureText(kNames[axis], Role::kTag);
    DrawText(list,
             ImVec2(centre.x + dx * length * 1.35f - size.x / 2,
                    centre.y + dy * length * 1.35f - size.y / 2),
             kNames[axis], Role::kTag, Color(Token::kText2));
  }
}

}  // namespace

ImVec2 UnderOverlays(const FrameMarks& marks, ImVec2 at, ImVec2 size) {
  for (const Rect& taken : marks.overlays) {
    const bool beside = taken.min.x > at.x + size.x || taken.max.x < at.x;
    const bool above_or_below = taken.min.y > at.y + size.y || taken.max.y < at.y;
    if (!beside && !above_or_below) at.y = taken.max.y + Px(8);
  }
  return at;
}

void DrawOverlays(const ViewParts& parts, const Pane& pane) {
  const Session& session = parts.session;
  ViewState& view = parts.view;
  FrameMarks* marks = &parts.marks;
  if (session.channel_count() == 0) return;
  if (view.show_info) Readout(session, pane, marks);
  if (pane.gap != GapForm::kNone &&
      DrawSceneInstrument(session, pane, parts.shell.shows_machine, &view.gap_magnification,
                          &parts.creep, marks))
    parts.popups.explain = true;
  DrawGhostPlate(session, pane, marks);
  if (view.show_legend && pane.index == 0) DrawShapeKey(session, pane, marks);
  if (view.show_legend && pane.channel < 0) {
    const std::size_t below = marks->overlays.size();
    float right = Legend(session, pane, &view.fan_out, marks);
    if (pane.request.coulomb_distance)
      DrawDistanceCard(session, pane,
                       marks->overlays.size() > below ? marks->overlays[below].min.y - Px(8)
                                                      : pane.max.y - Px(12),
                       marks);
    right = ArrowLegend(session, pane, right, &view, marks);
    DrawSupportChip(session, pane, right, marks);
    if (pane.max.y - pane.min.y >= Px(kFanRoom)) DrawDifferenceLegend(session, pane, marks);
  }
  if (view.show_legend) Triad(parts.rig.camera, pane, marks);
  DrawFallenSign(session, pane, marks, &parts.requests);
}

}  // namespace slip::app
