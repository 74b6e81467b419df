// Message cards over the view: what, where, likely cause, what to do. Nothing is modal.
#include <fmt/format.h>

#include <algorithm>

#include "app/panels/panels.h"
#include "app/widgets.h"

namespace slip::app {

void DrawMessages(Ui* ui) {
  Session& session = ui->session;
  const Rect& view = ui->regions.view;
  if (session.messages().empty() || view.empty()) return;
  const float width = std::min(Px(420), view.width() - Px(24));
  float bottom = view.max.y - Px(84);
  // Drawn from copies: an action may add or drop messages.
  const std::vector<Message> messages = session.messages();
  for (std::size_t i = messages.size(); i-- > 0;) {
    const Message& message = messages[i];
    const Token bar = message.level == Message::Level::kError     ? Token::kErr
                      : message.level == Message::Level::kWarning ? Token::kWarn
                                                                  : Token::kAccent;
    const char* icon = message.level == Message::Level::kInfo ? icon::kInfo : icon::kWarning;
    const std::string name = "message" + std::to_string(i);
    ImGui::SetNextWindowPos(ImVec2(view.min.x + (view.width() - width) / 2, bottom), ImGuiCond_Always, ImVec2(0, 1));
    ImGui::SetNextWindowSize(ImVec2(width, 0));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(Px(16), Px(12)));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, Px(6));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, Snap(1));
    ImGui::PushStyleColor(ImGuiCol_WindowBg, Color(Token::kRaised));
    ImGui::Begin(name.c_str(), nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav);
    const ImVec2 at = ImGui::GetWindowPos();
    const ImVec2 size = ImGui::GetWindowSize();
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->AddRectFilled(at, ImVec2(at.x + Px(3), at.y + size.y), Color(bar), Px(2));
    const ImVec2 cursor = ImGui::GetCursorScreenPos();
    DrawText(list, ImVec2(cursor.x, cursor.y + Px(1)), icon, Role::kIcon, Color(bar));
    ImGui::SetCursorScreenPos(ImVec2(cursor.x + Px(24), cursor.y));
    ImGui::BeginGroup();
    ImGui::PushTextWrapPos(width - Px(44));
    const std::string what = message.repeats > 1 ? fmt::format("{} (×{})", message.what, message.repeats) : message.what;
    ImGui::TextUnformatted(what.c_str());
    PushRole(Role::kCaption);
    ImGui::PushStyleColor(ImGuiCol_Text, Color(Token::kText2));
    if (!message.where.empty()) ImGui::TextUnformatted(message.where.c_str());
    if (!message.advice.empty()) ImGui::TextUnformatted(message.advice.c_str());
    ImGui::PopStyleColor();
    PopRole();
    ImGui::PopTextWrapPos();
    bool used = false;
    for (std::size_t a = 0; a < message.actions.size(); ++a) {
      if (a > 0) ImGui::SameLine(0, Px(8));
      const std::string id = fmt::format("message/{}/{}", i, a);
      if (TextButton(id, message.actions[a].label, nullptr, a == 0)) {
        message.actions[a].run(&session);
        used = true;
      }
    }
    if (!message.actions.empty()) {
      ImGui::SameLine(0, Px(8));
      if (LinkText(fmt::format("message/{}/copy", i), "Copy details")) ImGui::SetClipboardText(message.Text().c_str());
    }
    ImGui::EndGroup();
    ImGui::SetCursorScreenPos(ImVec2(at.x + size.x - Px(32), at.y + Px(6)));
    if (IconButton(fmt::format("message/{}/close", i), icon::kClose, "Close", 24)) used = true;
    bottom -= size.y + Px(8);
    ImGui::End();
    ImGui::PopStyleColor();
    ImGui::PopStyleVar(3);
    if (used) {
      session.Dismiss(i);
      break;  // the rest is drawn in the next frame
    }
  }
}

}  // namespace slip::app
