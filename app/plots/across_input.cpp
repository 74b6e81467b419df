// Mouse and context menu of plots that are not over time.
#include <algorithm>
#include <cmath>

#include "app/kit/widget_registry.h"
#include "app/plots/across_plot.h"
#include "app/plots/plot_input.h"

namespace slip::app {
namespace {

AxisRange ZoomedAbout(AxisScale scale, const AxisRange& range, double unit, double factor) {
  const double linear = SymlogThreshold(range);
  return {FromUnit(scale, range, unit - unit * factor, linear),
          FromUnit(scale, range, unit + (1 - unit) * factor, linear)};
}

bool IsSound(const AxisRange& range) {
  return std::isfinite(range.min) && std::isfinite(range.max) && range.max > range.min;
}

void SetAcross(PlotFrame* frame, PlotState* state, const AxisRange& range) {
  if (!IsSound(range)) return;
  state->across = frame->x = range;
  state->across_locked = true;
}

void SetHeight(PlotFrame* frame, PlotState* state, const AxisRange& range) {
  if (!IsSound(range)) return;
  state->y = frame->y = range;
  state->y_locked = true;
}

/// AxisPlace of the mouse on both axes, 0 to 1.
struct AxisPlace {
  double x = 0, y = 0;
};
AxisPlace AxisPlaceOf(const PlotFrame& frame, ImVec2 p) {
  return {static_cast<double>((p.x - frame.well_min.x) / (frame.well_max.x - frame.well_min.x)),
          static_cast<double>((frame.well_max.y - p.y) / (frame.well_max.y - frame.well_min.y))};
}

void WheelAcross(bool equal, PlotFrame* frame, PlotState* state) {
  const ImGuiIO& io = ImGui::GetIO();
  if (io.MouseWheel == 0) return;
  const double factor = std::pow(0.85, static_cast<double>(io.MouseWheel));
  const AxisPlace at = AxisPlaceOf(*frame, io.MousePos);
  SetHeight(frame, state, ZoomedAbout(frame->y_scale, frame->y, at.y, factor));
  if (!io.KeyCtrl || equal)
    SetAcross(frame, state, ZoomedAbout(frame->x_scale, frame->x, at.x, factor));
}

void PanAcross(PlotFrame* frame, PlotState* state) {
  constexpr float kDrag = 4;  // design pixels before it is one
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const bool moved = std::fabs(mouse.x - state->drag_from.x) > Px(kDrag) ||
                     std::fabs(mouse.y - state->drag_from.y) > Px(kDrag);
  if (!moved && !state->across_locked) return;
  const AxisPlace from = AxisPlaceOf(*frame, state->drag_from), to = AxisPlaceOf(*frame, mouse);
  const auto shifted = [](AxisScale scale, const AxisRange& range, double by) {
    const double linear = SymlogThreshold(range);
    return AxisRange{FromUnit(scale, range, by, linear), FromUnit(scale, range, 1 + by, linear)};
  };
  SetAcross(frame, state, shifted(frame->x_scale, state->drag_x, from.x - to.x));
  SetHeight(frame, state, shifted(frame->y_scale, state->drag_y, from.y - to.y));
}

/// A box is zoomed to; a click opens the menu.
void FinishAcrossBox(bool may_zoom, PlotFrame* frame, PlotState* state) {
  const ImVec2 mouse = ImGui::GetIO().MousePos, from = state->drag_from;
  const float dx = std::fabs(mouse.x - from.x), dy = std::fabs(mouse.y - from.y);
  if (dx < Px(4) && dy < Px(4)) {
    ImGui::OpenPopup("plot_menu");
    return;
  }
  if (!may_zoom || dx < Px(8) || dy < Px(8)) return;
  const PlotFrame old = *frame;
  SetAcross(frame, state, {old.XAt(std::min(mouse.x, from.x)), old.XAt(std::max(mouse.x, from.x))});
  SetHeight(frame, state, {old.YAt(std::max(mouse.y, from.y)), old.YAt(std::min(mouse.y, from.y))});
}

void ScaleItem(const char* label, AxisScale of, AxisScale now, bool* valid, bool* locked,
               std::optional<AxisScale>* chosen) {
  const bool picked = ImGui::MenuItem(label, nullptr, of == now);
  RegisterLastItem(std::string("plot/menu/") + label);
  if (!picked || of == now) return;
  *chosen = of;
  *valid = *locked = false;
}

void AcrossMenu(const PlotSpec& spec, const PlotFrame& frame, PlotState* state,
                PlotResult* result) {
  if (!ImGui::BeginPopup("plot_menu")) return;
  const bool bars = spec.kind == PlotKind::kHistogram;
  const auto across = [&](const char* label, AxisScale scale) {
    ScaleItem(label, scale, frame.x_scale, &state->across_valid, &state->across_locked,
              &state->across_scale);
  };
  const auto height = [&](const char* label, AxisScale scale) {
    ScaleItem(label, scale, frame.y_scale, &state->y_valid, &state->y_locked, &state->scale);
  };
  across("x: linear", AxisScale::kLinear);
  across("x: logarithmic", AxisScale::kLog);
  if (!bars) {
    across("x: symmetric logarithmic", AxisScale::kSymlog);
    ImGui::Separator();
    height("y: linear", AxisScale::kLinear);
    height("y: logarithmic", AxisScale::kLog);
    height("y: symmetric logarithmic", AxisScale::kSymlog);
    ImGui::Separator();
    const bool equal = HasEqualAxes(spec, *state, frame), may = MayBeEqual(spec, frame);
    if (ImGui::MenuItem("Equal axes", may ? nullptr : "needs one unit, linear", equal, may))
      state->equal_axes = !equal;
    RegisterLastItem("plot/menu/equal");
    if (ImGui::MenuItem("Fit", "double click")) state->FitAgain();
    RegisterLastItem("plot/menu/fit");
  }
  ImGui::Separator();
  ExportMenu(result);
  ImGui::EndPopup();
}

}  // namespace

void HandleAcrossInput(const PlotSpec& spec, PlotFrame* frame, PlotState* state,
                       PlotResult* result) {
  const ImVec2 cursor = ImGui::GetCursorScreenPos();
  ImGui::SetCursorScreenPos(frame->well_min);
  ImGui::InvisibleButton(
      "well", {frame->well_max.x - frame->well_min.x, frame->well_max.y - frame->well_min.y},
      ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight);
  RegisterLastItem("plot/" + std::string(spec.id) + "/well");
  const bool active = ImGui::IsItemActive();
  result->hovered = ImGui::IsItemHovered();
  const bool may_zoom = spec.kind == PlotKind::kAgainst;
  const bool equal = HasEqualAxes(spec, *state, *frame);
  const auto set = [&](PlotGesture gesture) { state->drag = static_cast<int>(gesture); };
  if (result->hovered) {
    if (may_zoom) WheelAcross(equal, frame, state);
    const bool left = ImGui::IsItemClicked(ImGuiMouseButton_Left);
    if (left || ImGui::IsItemClicked(ImGuiMouseButton_Right)) {
      state->drag_from = ImGui::GetIO().MousePos;
      state->drag_x = frame->x;
      state->drag_y = frame->y;
      set(!left ? PlotGesture::kBox : may_zoom ? PlotGesture::kPan : PlotGesture::kNone);
      if (left && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
        state->FitAgain();
        set(PlotGesture::kNone);
      }
    }
  }
  const auto gesture = static_cast<PlotGesture>(state->drag);
  if (gesture == PlotGesture::kPan) {
    if (active) PanAcross(frame, state);
    if (!active) set(PlotGesture::kNone);
  } else if (gesture == PlotGesture::kBox && !ImGui::IsMouseDown(ImGuiMouseButton_Right)) {
    if (ImGui::IsMouseReleased(ImGuiMouseButton_Right)) FinishAcrossBox(may_zoom, frame, state);
    set(PlotGesture::kNone);
  }
  if (equal) EqualizeAxes(frame);
  AcrossMenu(spec, *frame, state, result);
  // units follow the ranges
  frame->x_unit = ChooseUnit(frame->x, frame->x_scale, spec.across.unit);
  if (may_zoom) frame->y_unit = ChooseUnit(frame->y, frame->y_scale, spec.unit);
  ImGui::SetCursorScreenPos(cursor);
}

}  // namespace slip::app
