// What the presenter's hands do: the last keys, and a ring where the mouse is pressed. For those
// who watch.
#include <algorithm>

#include "app/kit/widgets.h"
#include "app/panels/bars/key_echo.h"

namespace slip::app {
namespace {

constexpr double kKeyTime = 1.6, kRingTime = 0.5;  // [s]
constexpr float kRingRadius = 18, kKeyHeight = 36, kKeyMargin = 16;

/// 1, and 0 in the last third of the time.
float Fade(double age, double time) {
  return static_cast<float>(std::clamp(3 * (1 - age / time), 0.0, 1.0));
}

}  // namespace

void EchoKey(const std::string& label, double now, KeyEcho* echo) {
  if (label.empty()) return;
  const bool again = echo->keys == label && now - echo->pressed < kKeyTime;
  echo->times = again ? echo->times + 1 : 1;
  echo->keys = label;
  echo->pressed = now;
}

void DrawKeyEcho(double now, const Rect& view, bool in_video, KeyEcho* own, FrameMarks* marks) {
  ImDrawList* list = ImGui::GetForegroundDrawList();
  if (!in_video) marks->window_only.push_back(list);
  const bool down =
      ImGui::IsMouseDown(ImGuiMouseButton_Left) || ImGui::IsMouseDown(ImGuiMouseButton_Right);
  if (down) own->mouse = ImGui::GetIO().MousePos, own->clicked = now;
  if (const double age = now - own->clicked; age < kRingTime) {
    const float radius = Px(kRingRadius), alpha = down ? 1 : Fade(age, kRingTime);
    list->AddCircle(own->mouse, radius, Color(Token::kAccent, alpha), 0, Px(3));
    RegisterWidget("echo/mouse", ImVec2(own->mouse.x - radius, own->mouse.y - radius),
                   ImVec2(own->mouse.x + radius, own->mouse.y + radius));
  }
  const double age = now - own->pressed;
  if (own->keys.empty() || age >= kKeyTime) return;
  const std::string text =
      own->times > 1 ? own->keys + " ×" + std::to_string(own->times) : own->keys;
  const ImVec2 size = MeasureText(text, Role::kCardTitle);
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
