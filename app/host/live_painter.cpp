#include "app/host/live_painter.h"

#include <backends/imgui_impl_opengl3.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "app/host/window.h"
#include "app/panels/record/record.h"
#include "app/session/live_recording.h"

namespace slip::app {
namespace {

/// These draw lists of the frame, and no others.
void PaintLists(const ImDrawData& all, std::vector<ImDrawList*> lists) {
  ImDrawData some = all;
  some.TotalVtxCount = some.TotalIdxCount = 0;
  for (const ImDrawList* list : lists) {
    some.TotalVtxCount += list->VtxBuffer.Size;
    some.TotalIdxCount += list->IdxBuffer.Size;
  }
  some.CmdListsCount = static_cast<int>(lists.size());
#if IMGUI_VERSION_NUM >= 18980
  some.CmdLists.resize(0);
  for (ImDrawList* list : lists) some.CmdLists.push_back(list);
#else
  some.CmdLists = lists.data();
#endif
  ImGui_ImplOpenGL3_RenderDrawData(&some);
}

/// A tool tip's, by the name that ImGui gives its window: it is of who moves the mouse, and may
/// reach over the border of what is recorded.
bool IsToolTip(const ImDrawList& list) {
  return list._OwnerName != nullptr && std::string_view(list._OwnerName).starts_with("##Tooltip");
}

bool Holds(const std::vector<const ImDrawList*>& lists, const ImDrawList* list) {
  return std::find(lists.begin(), lists.end(), list) != lists.end();
}

}  // namespace

void LivePainter::HandOver(Ui* ui, std::optional<render::FrameReader::Frame> frame) {
  if (ui->live != nullptr && frame) ui->live->TakeFrame(std::move(frame->image), frame->time);
}

void LivePainter::Capture(Ui* ui, unsigned framebuffer, int width, int height) {
  const Rect rect = RecordedRect(ui->regions, ui->live->region());
  const ImVec2 scale = ImGui::GetIO().DisplayFramebufferScale;
  const auto pixel = [](float x, float by, int most) {
    return std::clamp(static_cast<int>(std::lround(x * by)), 0, most);
  };
  render::FrameReader::Part part;
  part.x = pixel(rect.min.x, scale.x, width);
  part.y = pixel(rect.min.y, scale.y, height);
  part.width = pixel(rect.max.x, scale.x, width) - part.x;
  part.height = pixel(rect.max.y, scale.y, height) - part.y;
  HandOver(ui, reader_.Read(framebuffer, height, part, ui->live->time()));
  if (ui->live->phase() != LiveRecording::Phase::kEndCard) return;
  if (auto card = reader_.Take()) ui->live->TakeEndCard(std::move(card->image));
}

void LivePainter::Paint(Ui* ui, unsigned framebuffer, int width, int height) {
  const ImDrawData& all = *ImGui::GetDrawData();
  std::vector<ImDrawList*> shared, window, whole;
  const ImDrawList* front = ImGui::GetForegroundDrawList();
  bool over_card = false;  // its lists and tool tips
  for (int i = 0; i < all.CmdListsCount; ++i) {
    ImDrawList* list = all.CmdLists[i];
    over_card = over_card || list == ui->marks.record_card;
    const bool of_video = Holds(ui->marks.video_only, list);
    const bool of_window = Holds(ui->marks.window_only, list) || IsToolTip(*list) ||
                           (over_card && list != front && !of_video);
    if (!of_window) shared.push_back(list);
    if (of_window) window.push_back(list);
    if (!of_video) whole.push_back(list);
  }
  const bool captures = ui->live != nullptr && ui->live->WantsFrame();
  if (!captures) {
    HandOver(ui, reader_.Take());
    return PaintLists(all, std::move(whole));
  }
  PaintLists(all, std::move(shared));
  Capture(ui, framebuffer, width, height);
  if (ui->marks.video_only.empty()) return PaintLists(all, std::move(window));
  ClearFrame();
  PaintLists(all, std::move(whole));
}

}  // namespace slip::app
