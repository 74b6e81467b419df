// Pan, zoom, scrub, cursors and the right-click menu of the time plot.
#include "app/plots/plot_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/kit/widget_registry.h"

namespace slip::app {
namespace {

constexpr float kScrubReach = 6;  // design pixels about the play head
constexpr float kDragThreshold = 4;
constexpr double kWheelPause = 0.5;  // [s]
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
  // one turn of the wheel is one step of the zoom history
  if (ImGui::GetTime() - x->wheeled_at > kWheelPause) x->Remember();
  x->wheeled_at = ImGui::GetTime();
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

/// Limits of an axis as text boxes; Enter sets them. `factor` = shown units per SI unit.
bool RangeBoxes(const char* axis, const AxisUnit& unit, AxisScale scale, AxisRange* range) {
  bool changed = false;
  for (const bool upper : {false, true}) {
    double* limit = upper ? &range->max : &range->min;
    double shown = *limit * unit.factor;
    const std::string label = fmt::format("{} {} [{}]", axis, upper ? "to" : "from", unit.text);
    ImGui::SetNextItemWidth(Px(110));
    const bool entered = ImGui::InputDouble(label.c_str(), &shown, 0, 0, "%.6g",
                                            ImGuiInputTextFlags_EnterReturnsTrue);
    RegisterLastItem(fmt::format("plot/range/{}/{}", axis, upper ? "to" : "from"));
    if (!entered) continue;
    AxisRange wanted = *range;
    (upper ? wanted.max : wanted.min) = shown / unit.factor;
    const bool sound = std::isfinite(shown) && wanted.max > wanted.min &&
                       (scale != AxisScale::kLog || wanted.min > 0);
    if (!sound) continue;  // the box shows the old limit again
    *range = wanted;
    changed = true;
  }
  return changed;
}

void RangeMenu(const PlotFrame& frame, PlotState* state, LinkedX* x) {
  const bool open = ImGui::BeginMenu("Exact range");
  RegisterLastItem("plot/menu/range");
  if (!open) return;
  AxisRange wanted = x->range;
  if (RangeBoxes("x", {1, "s"}, AxisScale::kLinear, &wanted) && wanted.span() >= kLeastSpan) {
    x->Remember();
    x->range = wanted;
    x->follow = FollowMode::kFree;
  }
  wanted = state->y;
  if (RangeBoxes("y", frame.y_unit, frame.y_scale, &wanted)) {
    state->y = wanted;
    state->y_locked = state->y_valid = true;
  }
  ImGui::TextDisabled("Enter sets a limit.");
  ImGui::EndMenu();
}

void Menu(const PlotSpec& spec, const PlotFrame& frame, PlotState* state, LinkedX* x,
          PlotResult* result) {
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
  if (ImGui::MenuItem("Centred on the play head", nullptr, x->follow == FollowMode::kCentred)) {
    x->last_seconds = x->range.span();
    x->follow = FollowMode::kCentred;
  }
  RegisterLastItem("plot/menu/centred");
  if (ImGui::MenuItem("Stand still", nullptr, x->follow == FollowMode::kFree)) {
    x->follow = FollowMode::kFree;
  }
  if (ImGui::MenuItem("Fit height", nullptr, !state->y_locked)) {
    state->y_locked = state->y_valid = false;
  }
  ImGui::MenuItem("Rim where curves coincide", nullptr, &state->halo);
  RegisterLastItem("plot/menu/halo");
  ImGui::MenuItem("Weight, limit, stick", nullptr, &state->annotations);
  RegisterLastItem("plot/menu/annotations");
  if (ImGui::MenuItem("Zoom back", std::string(spec.undo_key).c_str(), false, !x->history.empty()))
    x->Undo();
  RangeMenu(frame, state, x);
  ImGui::Separator();
  ExportMenu(result);
  ImGui::EndPopup();
}

}  // namespace

void ExportMenu(PlotResult* result) {
  const auto item = [result](const char* label, PlotExport wanted, int scale, bool white) {
    const bool chosen = ImGui::MenuItem(label);
    RegisterLastItem(std::string("plot/menu/") + label);
    if (!chosen) return;
    result->wanted = wanted;
    result->picture_scale = scale;
    result->white = white;
  };
  item("Copy visible range as CSV", PlotExport::kCopyCsv, 1, false);
  item("Copy command line", PlotExport::kCopyCommand, 1, false);
  ImGui::Separator();
  item("CSV file, visible range", PlotExport::kCsvVisible, 1, false);
  item("CSV file, all", PlotExport::kCsvAll, 1, false);
  item("SVG for print", PlotExport::kSvg, 1, true);
  const bool open = ImGui::BeginMenu("PNG");
  RegisterLastItem("plot/menu/png");
  if (!open) return;
  item("As shown", PlotExport::kPng, 1, false);
  item("Twice the size", PlotExport::kPng, 2, false);
  item("Four times the size", PlotExport::kPng, 4, false);
  ImGui::Separator();
  item("White ground", PlotExport::kPng, 1, true);
  item("White ground, twice the size", PlotExport::kPng, 2, true);
  item("White ground, four times the size", PlotExport::kPng, 4, true);
  ImGui::EndMenu();
}

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
  const ImVec2 moved = ImGui::GetIO().MouseDelta;
  const bool has_cursor = x->hover_owner != kKeyboardOwner || moved.x != 0 || moved.y != 0;
  if (hovered && has_cursor) {
    x->hover = frame->XAt(mouse.x);
    x->hover_owner = self;
  } else if (x->hover_owner == self) {
    x->hover.reset();
    x->hover_owner = 0;
  }
  Menu(spec, *frame, state, x, result);
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
