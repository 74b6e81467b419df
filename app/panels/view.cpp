// The 3-D view: one pane, or one per channel, each with its picture, mouse and overlays.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "app/kit/widgets.h"
#include "app/panels/handles.h"
#include "app/panels/panels.h"

namespace slip::app {
namespace {

std::vector<Pane> ArrangePanes(const Ui& ui) {
  const Rect& rect = ui.regions.view;
  const Session& session = ui.session;
  std::vector<int> shown;
  for (int i = 0; i < session.channel_count(); ++i) {
    if (session.looks().Present(i)) shown.push_back(i);
  }
  const Compare compare = ui.state.compare;
  const bool split = compare == Compare::kSplit2 || compare == Compare::kSplit4;
  std::vector<Pane> panes;
  if (!split || shown.size() < 2) {
    Pane pane;
    pane.min = rect.min;
    pane.max = rect.max;
    pane.request = LeadRequest(ui);
    pane.request.compare =
        compare == Compare::kGhosts ? render::CompareMode::kGhosts : render::CompareMode::kSingle;
    if (ShowsDifference(ui)) {
      pane.request.compare = render::CompareMode::kDifference;
      pane.request.lead = session.looks().lead();
      pane.request.solo = -1;  // solo chooses what is compared, not the lead
    }
    panes.push_back(pane);
    return panes;
  }
  // The lead comes first, whatever its place among the channels.
  std::stable_partition(shown.begin(), shown.end(),
                        [&](int i) { return i == session.looks().lead(); });
  const std::size_t count =
      std::min<std::size_t>(shown.size(), compare == Compare::kSplit2 ? 2 : 4);
  const std::size_t rows = count > 2 ? 2 : 1;
  const float gap = Px(4);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t row = i / 2;
    const bool alone = row == rows - 1 && count % 2 == 1;  // the third of three takes the whole row
    const float width = (rect.width() - gap) / 2,
                height =
                    (rect.height() - gap * static_cast<float>(rows - 1)) / static_cast<float>(rows);
    Pane pane;
    pane.index = static_cast<int>(i);
    pane.channel = shown[i];
    pane.min.x = std::round(rect.min.x + static_cast<float>(i % 2) * (width + gap));
    pane.min.y = std::round(rect.min.y + static_cast<float>(row) * (height + gap));
    pane.max.x = alone ? rect.max.x : std::round(pane.min.x + width);
    pane.max.y = std::round(pane.min.y + height);
    pane.request = LeadRequest(ui);
    pane.request.lead = shown[i];
    pane.request.solo = shown[i];
    pane.request.compare = render::CompareMode::kSingle;
    pane.request.fan_out = 0;
    pane.request.tint_lead = true;
    panes.push_back(pane);
  }
  return panes;
}

/// What takes the mouse over a picture. The overlays drawn after it come first in input order: a
/// click on a gauge is not a click on the ground.
void PaneButton(ImVec2 size) {
#if IMGUI_VERSION_NUM >= 18970
  ImGui::SetNextItemAllowOverlap();
#endif
  ImGui::InvisibleButton("pane", size,
                         ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight |
                             ImGuiButtonFlags_MouseButtonMiddle);
#if IMGUI_VERSION_NUM < 18970
  ImGui::SetItemAllowOverlap();
#endif
}

}  // namespace

render::ViewRequest LeadRequest(const Ui& ui) {
  render::ViewRequest request{ui.state.view};
  const Session& session = ui.session;
  request.theme = RenderTheme(ui.state.shown_theme());
  request.lead = session.looks().lead();
  request.solo = session.looks().solo();
  for (int i = 0; i < Snapshot::kMaxChannels; ++i) {
    request.visible[static_cast<std::size_t>(i)] =
        i < session.channel_count() && session.looks().Present(i);
  }
  const Selection& selected = ui.state.selection;
  request.selected_body = selected.key >= 0 ? -1 : selected.body;
  request.selected_key = selected.key;
  // of a few bodies the tool tip says enough, and a new picture for each would be expensive
  const bool pile = session.channel_count() > 0 && render::IsPile(session.snapshot(), request);
  const Selection& hover = ui.state.hover;
  request.hover_body = pile && hover.channel == session.looks().lead() ? hover.body : -1;
  if (ui.state.hover_body >= 0) request.hover_body = ui.state.hover_body;
  if (ui.state.joints.hovered >= 0) request.hover_body = ui.state.joints.hovered;
  return request;
}

bool ShowsPile(const Ui& ui) { return render::IsPile(ui.session.snapshot(), LeadRequest(ui)); }

ImTextureID TextureId(unsigned texture) {
  const auto wide = static_cast<std::uintptr_t>(texture);
  return (ImTextureID)wide;  // NOLINT: the one cast that serves both kinds
}

void DrawView(Ui* ui, double) {
  const Rect& rect = ui->regions.view;
  if (!BeginRegion("view", rect, ImVec2(0, 0), Token::kApp,
                   ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse |
                       ImGuiWindowFlags_NoBackground)) {
    return;
  }
  if (ui->state.trails_asked != ui->state.view.foot_trails) {
    ui->state.trails_asked = ui->state.view.foot_trails;
    ui->requests.Ask([trail = ui->state.trails_asked](Session* s) { s->Send(TrailFeet{trail}); });
  }
  if (ui->session.branches().ghost_shown() != ui->state.view.run_ghost) {
    ui->requests.Ask(
        [shown = ui->state.view.run_ghost](Session* s) { s->branches().ShowGhost(shown); });
  }
  std::vector<Pane> panes = ArrangePanes(*ui);
  ui->state.hover = {};
  ui->state.hover_body = -1;  // tables are drawn after this
  ui->overlays.clear();
  // the gaps between panes; a single one covers all
  if (panes.size() > 1)
    ImGui::GetWindowDrawList()->AddRectFilled(rect.min, rect.max, Color(Token::kApp));
  for (Pane& pane : panes) {
    const int width = static_cast<int>(pane.max.x - pane.min.x);
    const int height = static_cast<int>(pane.max.y - pane.min.y);
    FitGap(*ui, &pane);
    pane.picture =
        ui->panes.Draw(ui->session, pane.camera, pane.request, width, height, pane.index);
    ImDrawList* list = ImGui::GetWindowDrawList();
    if (pane.picture != nullptr && pane.picture->texture != 0) {
      list->AddImage(TextureId(pane.picture->texture), pane.min, pane.max, ImVec2(0, 1),
                     ImVec2(1, 0));
    } else {
      list->AddRectFilled(pane.min, pane.max, Color(Token::kWell));
    }
    ImGui::SetCursorScreenPos(pane.min);
    ImGui::PushID(pane.index);
    PaneButton(ImVec2(static_cast<float>(width), static_cast<float>(height)));
    RegisterLastItem("view/" + std::to_string(pane.index));
    DragTargets(ui, pane, ImGui::IsItemHovered());
    HandleViewMouse(ui, pane, ImGui::IsItemHovered());
    if (ui->session.model() != nullptr) DrawViewMenu(ui);
    list->PushClipRect(pane.min, pane.max, true);
    DrawTargetHandles(ui, pane);
    const bool tagged =
        ShowsLabels(*ui, pane) && pane.request.selected_key < 0 && DrawModelTags(ui, pane);
    DrawOverlays(ui, pane);
    DrawForceLabels(ui, pane, tagged);  // which keep clear of all these
    DrawOutsideSigns(ui, pane);
    DrawPullHint(*ui, pane);
    list->PopClipRect();
    ImGui::PopID();
  }
  FinishPull(ui);
  DrawCard(ui, panes);
  EndRegion();
}

}  // namespace slip::app
