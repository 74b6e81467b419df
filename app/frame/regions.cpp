// Regions of the window: sizes of the design tokens, draggable splitters, folding when small.
#include <algorithm>
#include <cmath>
#include <optional>

#include "app/frame/input.h"
#include "app/frame/record_actions.h"
#include "app/frame/ui.h"
#include "app/kit/widget_registry.h"
#include "app/kit/widgets.h"
#include "app/panels/time/time_branches.h"
#include "app/panels/time/time_line.h"
#include "app/session/live_recording.h"

namespace slip::app {
namespace {

constexpr float kMenu = 24, kTools = 40, kTime = 56, kHighTime = 80, kStatus = 24;
// Below these the right panel and the row of plots fold (design pixels).
constexpr float kNarrow = 1280, kLow = 760;
constexpr float kLeastSide = 240, kMostSide = 560, kLeastPlots = 120;
constexpr float kLeastView = 260;
// Most of the height between the bars that plots take, of a low window, and before an audience.
constexpr float kMostPlots = 0.6f, kLowPlots = 0.42f, kPresentedPlots = 0.38f;

/// An invisible handle on the border of a region: changes its `size` by the drag, `sign` times
/// [design px]; a double click gives back the first one.
void Splitter(const char* id, ImVec2 min, ImVec2 max, bool vertical, float sign, float first,
              float* size) {
  ImGui::SetNextWindowPos(min);
  ImGui::SetNextWindowSize(ImVec2(max.x - min.x, max.y - min.y));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1));
  ImGui::Begin(id, nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBackground |
                   ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoFocusOnAppearing);
  ImGui::InvisibleButton(id, ImVec2(max.x - min.x, max.y - min.y));
  RegisterLastItem(id);
  if (ImGui::IsItemHovered() || ImGui::IsItemActive()) {
    ImGui::SetMouseCursor(vertical ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
    const float middle = vertical ? (min.x + max.x) / 2 : (min.y + max.y) / 2;
    const ImVec2 from = vertical ? ImVec2(middle, min.y) : ImVec2(min.x, middle);
    const ImVec2 to = vertical ? ImVec2(middle, max.y) : ImVec2(max.x, middle);
    ImGui::GetWindowDrawList()->AddLine(from, to, Color(Token::kAccent), Snap(2));
  }
  Tooltip("Drag to give one side more room. Double click: as at first.");
  if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
    *size = first;
  } else if (ImGui::IsItemActive()) {
    const ImVec2 moved = ImGui::GetIO().MouseDelta;
    *size += sign * (vertical ? moved.x : moved.y) / UiScale();
  }
  ImGui::End();
  ImGui::PopStyleVar(2);
}

void DrawSplitters(Ui* ui) {
  const Regions& r = ui->regions;
  const float half = Px(3);
  const Shell first;
  Shell& shell = ui->state.shell;
  if (!r.left.empty()) {
    const float x = r.left.max.x;
    Splitter("splitter/left", ImVec2(x - half, r.left.min.y), ImVec2(x + half, r.left.max.y), true,
             1, first.left_width, &shell.left_width);
    shell.left_width = std::clamp(shell.left_width, kLeastSide, kMostSide);
  }
  if (!r.right.empty() && !ui->state.dialects.open) {
    const float x = r.right.min.x;
    Splitter("splitter/right", ImVec2(x - half, r.right.min.y), ImVec2(x + half, r.right.max.y),
             true, -1, first.right_width, &shell.right_width);
    shell.right_width = std::clamp(shell.right_width, kLeastSide, kMostSide);
  }
  if (!r.plots.empty()) {
    const float y = r.plots.min.y;
    Splitter("splitter/plots", ImVec2(r.plots.min.x, y - half), ImVec2(r.plots.max.x, y + half),
             false, -1, first.plots_height, &shell.plots_height);
    shell.plots_height = std::clamp(shell.plots_height, kLeastPlots, 640.0f);
  }
}

/// In a narrow window it is in a tab of the left panel, which comes to the front.
void OpenDrawer(ImVec2 size, UiState* state) {
  DialectsDrawer& drawer = state->dialects;
  if (drawer.open && !drawer.was_open && size.x < Px(kNarrow))
    state->shell.ShowLeft(TabId::kInspect);
  drawer.was_open = drawer.open;
}

}  // namespace

Regions ArrangeRegions(ImVec2 size, const UiState& state) {
  Regions r;
  const auto px = [](float design) { return std::round(Px(design)); };
  const float w = size.x, h = size.y;
  r.narrow = w < Px(kNarrow);
  r.low = h < Px(kLow);
  const float menu = px(kMenu), tools = menu + px(kTools);
  const float status = h - px(kStatus);
  // with other branches it grows, and the plots give the room
  const float grown = state.time_line.high ? px(kHighTime) - px(kTime) : 0;
  const float low_time = status - px(kTime), time = low_time - grown;
  r.menu = {ImVec2(0, 0), ImVec2(w, menu)};
  r.tools = {ImVec2(0, menu), ImVec2(w, tools)};
  r.time = {ImVec2(0, time), ImVec2(w, status)};
  r.status = {ImVec2(0, status), ImVec2(w, h)};
  if (state.shell.only == Only::kView || state.shell.only == Only::kPlots) {
    r = Regions{};
    Rect& only = state.shell.only == Only::kView ? r.view : r.plots;
    only = {ImVec2(0, 0), size};
    return r;
  }
  if (state.shell.only == Only::kViewPlots) {
    r.low = h < Px(kLow - kMenu - kTools - kStatus);  // which are not there
    const float low_clock = h - px(kTime), clock = low_clock - grown;
    const float curves = low_clock - std::min(px(state.shell.plots_height),
                                              low_clock * (r.low ? kLowPlots : kMostPlots));
    r.menu = r.tools = r.status = Rect{};
    r.view = {ImVec2(0, 0), ImVec2(w, curves)};
    r.plots = {ImVec2(0, curves), ImVec2(w, clock)};
    r.time = {ImVec2(0, clock), size};
    return r;
  }
  if (state.shell.hide_all) {
    r.tools = r.time = r.status = Rect{};
    r.view = {ImVec2(0, menu), ImVec2(w, h)};
    return r;
  }
  if (state.studies.open) {
    r.studies = {ImVec2(0, tools), ImVec2(w, status)};
    r.time = Rect{};
    return r;
  }
  float left = state.shell.shown_left() ? px(state.shell.left_width) : 0;
  const bool folds_right = r.narrow || state.record.folds_right;
  float right = state.shell.shown_right() && !folds_right ? px(state.shell.right_width) : 0;
  if (state.dialects.open && !folds_right) right = px(DialectsDrawer::kWidth);
  left = std::min(left, std::max(0.0f, w - px(kLeastView)));
  right = std::min(right, std::max(0.0f, w - left - px(kLeastView)));
  float plots = state.plots.shown ? px(state.shell.plots_height) : 0;
  const float most = !r.low ? kMostPlots : state.shell.presenter ? kPresentedPlots : kLowPlots;
  plots = std::min(plots, std::max(0.0f, (low_time - tools) * most));
  const float plots_y = std::min(low_time - plots, time);
  r.left = {ImVec2(0, tools), ImVec2(left, time)};
  r.right = {ImVec2(w - right, tools), ImVec2(w, plots_y)};
  r.view = {ImVec2(left, tools), ImVec2(w - right, plots_y)};
  r.plots = {ImVec2(left, plots_y), ImVec2(w, time)};
  return r;
}

float MostScale(ImVec2 window) {
  // below this the plots are too low to be read [design px]
  constexpr float kWidth = 960, kHeight = 540;
  // in steps: fonts are made anew for each, and a window's border is dragged
  constexpr float kSteps = 8;
  const float fits = std::min(window.x / kWidth, window.y / kHeight);
  return std::max(1.0f, std::floor(kSteps * fits) / kSteps);
}

void DrawUi(Ui* ui, ImVec2 size, double dt) {
  BeginWidgetFrame();
  ui->marks.window_only.clear();
  ui->marks.video_only.clear();
  ui->marks.record_card = nullptr;
  ui->requests.Perform();  // of what came since the last frame
  PerformActions(ui);
  ui->requests.session().params().SetHeld(ImGui::IsMouseDown(ImGuiMouseButton_Left));
  ui->state.time_line.high = HasOtherBranches(ui->session);
  ui->state.param_rows.glows = ui->rig.flies = !ui->state.shell.reduced_motion;
  // it would stand beside the picture in a live video of view and plots
  ui->state.record.folds_right = ui->live != nullptr && ui->live->region() == "view-plots";
  OpenDrawer(size, &ui->state);
  PlaceStudies(ui);
  ui->regions = ArrangeRegions(size, ui->state);
  SetUpScene(ui);
  FrameComparison(ui);
  ShowAskedLink(ui);
  ui->rig.camera.Update(dt);
  ui->rig.camera.SetGravity(ui->session.snapshot().gravity_W);
  FollowBody(ui);
  UpdateKeepInView(ui, dt);
  ShowLoop(ui->session, &ui->state.time_line.range, &ui->requests);
  UpdateRecording(ui);
  ui->requests.Perform();
  const SeriesStore& series = ui->session.series();
  const Snapshot& snapshot = ui->session.snapshot();
  // Curves of a long run would close up into bands: then the newest part is followed.
  const Scene* scene = ui->session.scene();
  LinkedX& x = ui->state.plots.linked_x;
  using Moment = std::optional<SeriesStore::Moment>;
  const auto moment_at = [&](const std::optional<double>& t) {
    return t ? series.MomentAt(ui->session.looks().lead(), *t) : Moment();
  };
  const Moment moment = moment_at(x.hover), anchor = moment_at(x.anchor);
  x.hover_step = moment ? moment->step : -1;
  x.hover_time = moment ? moment->time : 0;
  x.anchor_time = anchor ? std::optional(anchor->time) : std::nullopt;
  if (scene != nullptr && x.follow == FollowMode::kAll && !ui->state.plots.follow_chosen &&
      series.end() > 2.5 * scene->duration) {
    x.follow = FollowMode::kLast;
    x.last_seconds = 2.5 * scene->duration;
    ui->state.plots.follow_chosen = true;
  }
  const auto shows_force = [](const PlotSlot& plot) { return ForetoldForces::Has(plot.signal); };
  const auto& plots = ui->state.plots.slots;
  const bool asks = ui->sources.foretold.Update(
      snapshot, !ui->session.playback().playing(),
      std::any_of(plots.begin(), plots.end(), shows_force), ui->session.now());
  if (asks) ui->requests.session().Send(ForetellForces{});
  std::vector<ContactKey> contacts;
  for (const PlotSlot& plot : plots) {
    if (plot.contact >= 0) contacts.push_back(plot.contact);
  }
  if (const auto tell =
          ui->sources.contact_curves.Update(snapshot, series.epoch(), contacts, ui->session.now()))
    ui->requests.session().Send(*tell);
  double last = std::max(series.end(), snapshot.time);
  if (ui->state.plots.along_opacity > 0 && scene != nullptr) {
    // what is drawn along is seen to its end, as far as this leaves room for the run itself
    last = std::max(last, std::min(ui->session.branches().along().End(), 2.5 * scene->duration));
  }
  const std::optional<double> staged = ui->session.playback().StagedSpan();
  if (staged && x.follow == FollowMode::kAll) {
    x.range = {0, *staged};
  } else {
    x.Update(series.start(), std::max(last, ui->sources.foretold.end().value_or(last)),
             snapshot.time);
  }
  ui->requests.session().series().SetSeen(x.range.min, x.range.max);
  DrawPanels(ui);
  DrawSplitters(ui);
  DrawOverPanels(ui);
  ui->requests.Perform();
}

}  // namespace slip::app
