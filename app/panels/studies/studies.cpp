#include "app/panels/studies/studies.h"

#include <algorithm>

#include "app/kit/widgets.h"
#include "app/panels/common/region.h"
#include "app/panels/studies/study_words.h"

namespace slip::app {
namespace {

constexpr float kListWidth = 408, kFoot = 56;  // [design px]

/// What to do, where there is nothing to show.
void DrawNothing(const Studies& studies) {
  if (studies.listing()) {
    Paragraph("The studies are being read.", Role::kBody, Token::kText2);
    return;
  }
  Paragraph("There is no study yet.", Role::kCardTitle, Token::kText);
  Paragraph(
      "Drop the .toml file of one on this window. 'slipscope list studies' tells where those "
      "of the program should be.",
      Role::kBody, Token::kText2);
}

}  // namespace

void DrawStudies(const StudiesParts& parts) {
  if (!BeginRegion("studies", parts.rect, ImVec2(0, 0), Token::kPanel,
                   ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse))
    return;
  const float width = parts.rect.width(), height = parts.rect.height();
  const float left = std::round(std::min(Px(kListWidth), 0.36f * width));
  const ImVec2 origin = parts.rect.min;
  const ImGuiWindowFlags flags = ImGuiWindowFlags_AlwaysUseWindowPadding;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(Px(12), Px(12)));
  ImGui::BeginChild("list", ImVec2(left, height), false, flags);
  DrawStudyList(parts);
  ImGui::EndChild();
  ImGui::PopStyleVar();
  ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(origin.x + left, origin.y),
                                            ImVec2(origin.x + left + Snap(1), origin.y + height),
                                            Color(Token::kLine));

  const int chosen = FindEntry(parts.studies().list(), parts.view.file);
  const float right = width - left - Snap(1);
  const float foot = chosen >= 0 ? Px(kFoot) : 0;
  ImGui::SetCursorScreenPos(ImVec2(origin.x + left + Snap(1), origin.y));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(Px(24), Px(16)));
  ImGui::BeginChild("study", ImVec2(right, height - foot), false, flags);
  if (chosen < 0) {
    DrawNothing(parts.studies());
  } else {
    DrawStudy(parts, static_cast<std::size_t>(chosen));
  }
  ImGui::EndChild();
  ImGui::PopStyleVar();
  if (chosen >= 0) {
    ImGui::SetCursorScreenPos(ImVec2(origin.x + left + Snap(1), origin.y + height - foot));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(Px(24), Px(12)));
    ImGui::BeginChild("foot", ImVec2(right, foot), false,
                      flags | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    DrawStudyFoot(parts, static_cast<std::size_t>(chosen));
    ImGui::EndChild();
    ImGui::PopStyleVar();
  }
  EndRegion();
}

}  // namespace slip::app
