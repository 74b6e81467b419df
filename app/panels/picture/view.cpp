// The 3-D view: one pane, or one per channel, each with its picture, mouse and overlays.
#include <algorithm>
#include <cmath>
#include <vector>

#include "app/kit/widgets.h"
#include "app/panels/common/messages.h"
#include "app/panels/common/region.h"
#include "app/panels/picture/handles.h"
#include "app/panels/picture/over_view.h"
#include "app/panels/picture/view.h"

namespace slip::app {
namespace {

std::vector<Pane> ArrangePanes(const Session& session, const Rect& rect, const ViewState& view,
                               Theme theme, const Picked& picked) {
  std::vector<int> shown;
  for (int i = 0; i < session.channel_count(); ++i) {
    if (session.looks().Present(i)) shown.push_back(i);
  }
  const Compare compare = view.compare;
  const bool split = compare == Compare::kSplit2 || compare == Compare::kSplit4;
  std::vector<Pane> panes;
  if (!split || shown.size() < 2) {
    Pane pane;
    pane.min = rect.min;
    pane.max = rect.max;
    pane.request = LeadRequest(session, view, theme, picked);
    pane.request.compare =
        compare == Compare::kGhosts ? render::CompareMode::kGhosts : render::CompareMode::kSingle;
    if (ShowsDifference(session, compare)) {
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
    pane.request = LeadRequest(session, view, theme, picked);
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

void DrawView(const ViewParts& parts) {
  const Session& session = parts.session;
  const Rect& rect = parts.rect;
  ViewState& view = parts.view;
  Picked& picked = parts.picked;
  FrameMarks& marks = parts.marks;
  Requests& requests = parts.requests;
  if (!BeginRegion("view", rect, ImVec2(0, 0), Token::kApp,
                   ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse |
                       ImGuiWindowFlags_NoBackground)) {
    return;
  }
  if (view.trails_asked != view.foot_trails) {
    view.trails_asked = view.foot_trails;
    requests.Ask([trail = view.trails_asked](Session* s) { s->Send(TrailFeet{trail}); });
  }
  if (session.branches().along().ghost_shown() != view.run_ghost)
    requests.Ask([shown = view.run_ghost](Session* s) { s->branches().along().ShowGhost(shown); });
  std::vector<Pane> panes = ArrangePanes(session, rect, view, parts.shell.shown_theme(), picked);
  picked.hover = {};
  picked.hover_body = -1;  // tables are drawn after this
  marks.overlays.clear();
  // the gaps between panes; a single one covers all
  if (panes.size() > 1)
    ImGui::GetWindowDrawList()->AddRectFilled(rect.min, rect.max, Color(Token::kApp));
  for (Pane& pane : panes) {
    const int width = static_cast<int>(pane.max.x - pane.min.x);
    const int height = static_cast<int>(pane.max.y - pane.min.y);
    FitGap(session, view, parts.rig, &pane);
    pane.picture = parts.panes.Draw(session, pane.camera, pane.request, width, height, pane.index);
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
    pane.hovered = ImGui::IsItemHovered();
    pane.handles =
        view.show_handles && parts.shell.only == Only::kWindow && HasRoomForHandles(session, pane);
    DragTargets(session, pane, parts.joints.alone, &parts.mouse, &picked, &requests);
    HandleViewMouse(session, pane, &parts.rig, &picked, &parts.mouse, &requests);
    if (session.model() != nullptr)
      DrawViewMenu(session, parts.actions, &view, &picked, &parts.plots, &requests);
    list->PushClipRect(pane.min, pane.max, true);
    DrawTargetHandles(session, pane, parts.joints.alone, parts.mouse.target_drag,
                      picked.selection.body);
    const bool labels = view.show_labels && HasRoomForLabels(pane);
    const bool tagged = labels && pane.request.selected_key < 0 &&
                        DrawModelTags(session, pane, picked.selection.body, &parts.tags, &marks);
    DrawOverlays(parts, pane);
    // which keep clear of all these
    if (labels)
      DrawForceLabels(session, pane, tagged, picked.selection.channel, marks, &parts.label_numbers,
                      &parts.labels);
    DrawOutsideSigns(session, pane, &marks);
    DrawPullHint(session, pane, parts.mouse.pull, view.show_info, marks);
    list->PopClipRect();
    ImGui::PopID();
  }
  FinishPull(session, &parts.mouse, &requests);
  parts.card.drawn = false;
  if (parts.shell.only == Only::kWindow)
    DrawCard(session, panes, rect, &parts.card, &marks, &requests);
  EndRegion();
}

}  // namespace slip::app
