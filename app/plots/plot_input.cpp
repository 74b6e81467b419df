// Pan, zoom, scrub, cursors and the right-click menu of the time plot.
#include "app/plots/plot_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/widget_registry.h"

namespace slip::app {
namespace {

constexpr float kScrubReach = 6;  // design pixels about the play head
constexpr float kDragThreshold = 4;
constexpr double kLeastSpan = 1e-7;  // [s]; below it times lose figures

PlotGesture Gesture(const PlotState& state) { return static_cast<PlotGesture>(state.drag); }
void SetGesture(PlotState* state, PlotGesture gesture) { state->drag = static_cast<int>(gesture); }

/// Range scaled by `factor` about the place `unit` of an axis, in the axis' own measure.
AxisRange Zoomed(AxisScale scale, const AxisRange& range, double unit, double factor) {
  const double linear = SymlogThreshold(range);
  return {FromUnit(scale, range, unit - unit * factor, linear),
          FromUnit(scale, range, unit + (1 - unit) * factor, linear)};
}

void Fit(PlotState* state, LinkedX* x) {
  x->Remember();
  x->follow = FollowMode::kAll;
  x->range = {0, 0};  // forces LinkedX::Update to choose anew
  x->anchor.reset();
  state->y_locked = false;
  state->y_valid = false;
}

void Wheel(PlotFrame* frame, PlotState* state, LinkedX* x) {
  const ImGuiIO& io = ImGui::GetIO();
  if (io.MouseWheel == 0) return;
  const double factor = std::pow(0.85, static_cast<double>(io.MouseWheel));
  if (io.KeyCtrl) {
    const auto unit = static_cast<double>((frame->well_max.y - io.MousePos.y) /
                                          (frame->well_max.y - frame->well_min.y));
    const AxisRange zoomed = Zoomed(frame->y_scale, frame->y, unit, factor);
    if (std::isfinite(zoomed.min) && std::isfinite(zoomed.max) && zoomed.max > zoomed.min) {
      state->y = frame->y = zoomed;
      state->y_locked = true;
    }
    return;
  }
  const auto unit = static_cast<double>((io.MousePos.x - frame->well_min.x) /
                                        (frame->well_max.x - frame->well_min.x));
  const AxisRange zoomed = Zoomed(AxisScale::kLinear, x->range, unit, factor);
  if (zoomed.span() < kLeastSpan) return;
  x->range = frame->x = zoomed;
  x->follow = FollowMode::kFree;
}

void Press(const PlotSpec& spec, const PlotFrame& frame, PlotState* state, LinkedX* x) {
  const ImGuiIO& io = ImGui::GetIO();
  state->drag_from = io.MousePos;
  state->drag_x = x->range;
  state->drag_y = frame.y;
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Right)) {
    SetGesture(state, PlotGesture::kBox);
    return;
  }
  if (!ImGui::IsMouseClicked(ImGuiMouseButton_Left)) return;
  if (io.KeyShift) {
    if (x->anchor) {
      x->anchor.reset();
    } else {
      x->anchor = frame.XAt(io.MousePos.x);
    }
    return;
  }
  if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
    SetGesture(state, PlotGesture::kNone);
    Fit(state, x);
    return;
  }
  const bool near_head =
      spec.play_head && std::fabs(frame.X(*spec.play_head) - io.MousePos.x) <= Px(kScrubReach);
  SetGesture(state, near_head ? PlotGesture::kScrub : PlotGesture::kPan);
}

void Pan(PlotFrame* frame, PlotState* state, LinkedX* x) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const float dx = mouse.x - state->drag_from.x, dy = mouse.y - state->drag_from.y;
  const bool moved = std::fabs(dx) > Px(kDragThreshold) || std::fabs(dy) > Px(kDragThreshold);
  if (!moved && x->range == state->drag_x) return;
  if (x->follow != FollowMode::kFree) {
    x->Remember();
    x->follow = FollowMode::kFree;
  }
  const double move = state->drag_x.span() * static_cast<double>(dx) /
                      static_cast<double>(frame->well_max.x - frame->well_min.x);
  x->range = frame->x = {state->drag_x.min - move, state->drag_x.max - move};

  // y moves only when it was released from the automatic fit, or clearly pulled
  if (!state->y_locked && std::fabs(dy) < Px(24)) return;
  state->y_locked = true;
  const auto unit = static_cast<double>(dy / (frame->well_max.y - frame->well_min.y));
  const double linear = SymlogThreshold(state->drag_y);
  state->y = frame->y = {FromUnit(frame->y_scale, state->drag_y, unit, linear),
                         FromUnit(frame->y_scale, state->drag_y, 1 + unit, linear)};
}

void FinishBox(PlotFrame* frame, PlotState* state, LinkedX* x) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const float dx = std::fabs(mouse.x - state->drag_from.x);
  const float dy = std::fabs(mouse.y - state->drag_from.y);
  if (dx < Px(kDragThreshold) && dy < Px(kDragThreshold)) {
    ImGui::OpenPopup("plot_menu");
    return;
  }
  if (dx > Px(8)) {
    const double a = frame->XAt(std::min(mouse.x, state->drag_from.x));
    const double b = frame->XAt(std::max(mouse.x, state->drag_from.x));
    if (b - a > kLeastSpan) {
      x->Remember();
      x->range = frame->x = {a, b};
      x->follow = FollowMode::kFree;
    }
  }
  if (dy > Px(8)) {
    state->y = frame->y = {frame->YAt(std::max(mouse.y, state->drag_from.y)),
                           frame->YAt(std::min(mouse.y, state->drag_from.y))};
    state->y_locked = true;
  }
}

void Menu(const PlotSpec& spec, PlotState* state, LinkedX* x, PlotResult* result) {
  if (!ImGui::BeginPopup("plot_menu")) return;
  const auto scale_item = [&](const char* label, AxisScale scale) {
    const bool now = state->scale.value_or(spec.scale) == scale;
    if (ImGui::MenuItem(label, nullptr, now) && !now) {
      state->scale = scale;
      state->y_valid = state->y_locked = false;
    }
  };
  scale_item("Linear", AxisScale::kLinear);
  scale_item("Logarithmic", AxisScale::kLog);
  scale_item("Symmetric logarithmic", AxisScale::kSymlog);
  ImGui::Separator();
  if (ImGui::MenuItem("Show all", nullptr, x->follow == FollowMode::kAll)) Fit(state, x);
  for (const double seconds : {1.0, 4.0, 10.0}) {
    const bool now = x->follow == FollowMode::kLast && x->last_seconds == seconds;
    if (ImGui::MenuItem(fmt::format("Last {:g} s", seconds).c_str(), nullptr, now)) {
      x->follow = FollowMode::kLast;
      x->last_seconds = seconds;
    }
  }
  if (ImGui::MenuItem("Stand still", nullptr, x->follow == FollowMode::kFree)) {
    x->follow = FollowMode::kFree;
  }
  if (ImGui::MenuItem("Fit height", nullptr, !state->y_locked)) {
    state->y_locked = state->y_valid = false;
  }
  if (ImGui::MenuItem("Zoom back", "Alt+Z", false, !x->history.empty())) x->Undo();
  ImGui::Separator();
  if (ImGui::MenuItem("Copy visible range as CSV")) {
    result->csv = PlotCsv(spec, x->range);
    ImGui::SetClipboardText(result->csv.c_str());
  }
  ImGui::EndPopup();
}

}  // namespace

void HandlePlotInput(const PlotSpec& spec, PlotFrame* frame, PlotState* state, LinkedX* x,
                     PlotResult* result) {
  const ImVec2 cursor = ImGui::GetCursorScreenPos();
  ImGui::SetCursorScreenPos(frame->well_min);
  ImGui::InvisibleButton(
      "well", {frame->well_max.x - frame->well_min.x, frame->well_max.y - frame->well_min.y},
      ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight);
  RegisterLastItem("plot/" + std::string(spec.id) + "/well");
  const bool hovered = ImGui::IsItemHovered(), active = ImGui::IsItemActive();
  const unsigned self = ImGui::GetID("well");
  ImGui::SetCursorScreenPos(cursor);
  result->hovered = hovered;

  if (hovered) {
    Wheel(frame, state, x);
    if (ImGui::IsItemClicked(ImGuiMouseButton_Left) ||
        ImGui::IsItemClicked(ImGuiMouseButton_Right)) {
      Press(spec, *frame, state, x);
    }
  }
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  switch (Gesture(*state)) {
    case PlotGesture::kNone:
      break;
    case PlotGesture::kPan:
      Pan(frame, state, x);
      if (!active) SetGesture(state, PlotGesture::kNone);
      break;
    case PlotGesture::kScrub:
      if (active) result->seek = std::clamp(frame->XAt(mouse.x), frame->x.min, frame->x.max);
      if (!active) SetGesture(state, PlotGesture::kNone);
      break;
    case PlotGesture::kBox:
      if (ImGui::IsMouseReleased(ImGuiMouseButton_Right)) {
        FinishBox(frame, state, x);
        SetGesture(state, PlotGesture::kNone);
      } else if (!ImGui::IsMouseDown(ImGuiMouseButton_Right)) {
        SetGesture(state, PlotGesture::kNone);
      }
      break;
  }

  // one crosshair for all linked plots: set by the plot under the mouse, cleared by the same
  if (hovered) {
    x->hover = frame->XAt(mouse.x);
    x->hover_owner = self;
  } else if (x->hover_owner == self) {
    x->hover.reset();
    x->hover_owner = 0;
  }
  Menu(spec, state, x, result);
}

void DrawRubberBand(const PlotFrame& frame, const PlotState& state) {
  if (Gesture(state) != PlotGesture::kBox) return;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const ImVec2 a{
      std::clamp(std::min(mouse.x, state.drag_from.x), frame.well_min.x, frame.well_max.x),
      std::clamp(std::min(mouse.y, state.drag_from.y), frame.well_min.y, frame.well_max.y)};
  const ImVec2 b{
      std::clamp(std::max(mouse.x, state.drag_from.x), frame.well_min.x, frame.well_max.x),
      std::clamp(std::max(mouse.y, state.drag_from.y), frame.well_min.y, frame.well_max.y)};
  frame.list->AddRectFilled(a, b, Color(Token::kAccent, 0.15f));
  frame.list->AddRect(a, b, Color(Token::kAccent), 0, 0, Snap(1));
}

}  // namespace slip::app
