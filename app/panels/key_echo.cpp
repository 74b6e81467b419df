// What the presenter's hands do: the last keys, and a ring where the mouse is pressed. For those
// who watch.
#include <algorithm>

#include "app/kit/widgets.h"
#include "app/panels/panels.h"

namespace slip::app {
namespace {

constexpr double kKeyTime = 1.6, kRingTime = 0.5;  // [s]
constexpr float kRingRadius = 18, kKeyHeight = 36, kKeyMargin = 16;

/// 1, and 0 in the last third of the time.
float Fade(double age, double time) {
  return static_cast<float>(std::clamp(3 * (1 - age / time), 0.0, 1.0));
}

}  // namespace

void EchoKey(Ui* ui, const KeyChord& chord) {
  KeyEcho& echo = ui->echo;
  const std::string label = ui->keys.Label(chord);
  if (!EchoesKeys(*ui) || label.empty()) return;
  const double now = ui->session.now();
  const bool again = echo.keys == label && now - echo.pressed < kKeyTime;
  echo.times = again ? echo.times + 1 : 1;
  echo.keys = label;
  echo.pressed = now;
}

void DrawKeyEcho(Ui* ui) {
  if (!EchoesKeys(*ui)) return;
  KeyEcho& echo = ui->echo;
  const double now = ui->session.now();
  ImDrawList* list = ImGui::GetForegroundDrawList();
  if (!ui->state.record.settings.keys) ui->window_only.push_back(list);
  const bool down =
      ImGui::IsMouseDown(ImGuiMouseButton_Left) || ImGui::IsMouseDown(ImGuiMouseButton_Right);
  if (down) echo.mouse = ImGui::GetIO().MousePos, echo.clicked = now;
  if (const double age = now - echo.clicked; age < kRingTime) {
    const float radius = Px(kRingRadius), alpha = down ? 1 : Fade(age, kRingTime);
    list->AddCircle(echo.mouse, radius, Color(Token::kAccent, alpha), 0, Px(3));
    RegisterWidget("echo/mouse", ImVec2(echo.mouse.x - radius, echo.mouse.y - radius),
                   ImVec2(echo.mouse.x + radius, echo.mouse.y + radius));
  }
  const double age = now - echo.pressed;
  if (echo.keys.empty() || age >= kKeyTime) return;
  const std::string text =
      echo.times > 1 ? echo.keys + " ×" + std::to_string(echo.times) : echo.keys;
  const ImVec2 size = MeasureText(text, Role::kCardTitle);
  const Rect& view = ui->regions.view;
  const float width = size.x + Px(32), height = Px(kKeyHeight);
  const ImVec2 min((view.min.x + view.max.x - width) / 2, view.max.y - Px(kKeyMargin) - height);
  const ImVec2 max(min.x + width, min.y + height);
  const float alpha = Fade(age, kKeyTime);
  list->AddRectFilled(min, max, Color(Token::kRaised, 0.94f * alpha), Px(6));
  list->AddRect(min, max, Color(Token::kLineStrong, alpha), Px(6), 0, Snap(1));
  DrawText(list, ImVec2(min.x + Px(16), min.y + (height - size.y) / 2), text, Role::kCardTitle,
           Color(Token::kText, alpha));
  RegisterWidget("echo/keys", min, max, false, text);
}

}  // namespace slip::app
