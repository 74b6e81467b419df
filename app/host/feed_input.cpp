#include "app/host/feed_input.h"

#include <GLFW/glfw3.h>

#include <cfloat>
#include <cstddef>
#include <utility>

#include "app/frame/input.h"
#include "app/kit/kit.h"

namespace slip::app {
namespace {

using Kind = InputEvent::Kind;

/// Keys that text boxes act on.
constexpr std::pair<int, int> kKeys[] = {{ImGuiKey_Tab, GLFW_KEY_TAB},
                                         {ImGuiKey_LeftArrow, GLFW_KEY_LEFT},
                                         {ImGuiKey_RightArrow, GLFW_KEY_RIGHT},
                                         {ImGuiKey_UpArrow, GLFW_KEY_UP},
                                         {ImGuiKey_DownArrow, GLFW_KEY_DOWN},
                                         {ImGuiKey_Home, GLFW_KEY_HOME},
                                         {ImGuiKey_End, GLFW_KEY_END},
                                         {ImGuiKey_Delete, GLFW_KEY_DELETE},
                                         {ImGuiKey_Backspace, GLFW_KEY_BACKSPACE},
                                         {ImGuiKey_Enter, GLFW_KEY_ENTER},
                                         {ImGuiKey_Escape, GLFW_KEY_ESCAPE},
                                         {ImGuiKey_A, GLFW_KEY_A},
                                         {ImGuiKey_C, GLFW_KEY_C},
                                         {ImGuiKey_V, GLFW_KEY_V},
                                         {ImGuiKey_X, GLFW_KEY_X},
                                         {ImGuiKey_Y, GLFW_KEY_Y},
                                         {ImGuiKey_Z, GLFW_KEY_Z}};

/// A box that the user has opened has not got the keyboard yet.
bool OpensBox(const Ui& ui) {
  return !ImGui::GetIO().WantTextInput && (CurrentKit().edit.id != 0 || WaitsForText(ui));
}

}  // namespace

void InputFeed::Feed(Ui* ui, const std::function<void(const InputEvent&)>& backend) {
  for (const InputEvent& event : queue_.Take(OpensBox(*ui))) {
    used_ = true;
    if (event.kind == Kind::kKey && event.down)
      DispatchKey(ui, event.code, event.mods, event.repeat, ImGui::GetIO().WantTextInput);
    if (backend) {
      backend(event);
    } else {
      Give(event);
    }
  }
  if (!used_ || backend) return;
  ImGuiIO& io = ImGui::GetIO();
  // the mouse has not left the window
  if (mouse_ && io.MousePos.x != -FLT_MAX) io.MousePos = *mouse_;
  for (std::size_t i = 0; i < buttons_.size(); ++i) io.MouseDown[i] = buttons_[i];
#if IMGUI_VERSION_NUM < 18700
  const auto down = [&io](int left, int right) { return io.KeysDown[left] || io.KeysDown[right]; };
  io.KeyCtrl = down(GLFW_KEY_LEFT_CONTROL, GLFW_KEY_RIGHT_CONTROL);
  io.KeyShift = down(GLFW_KEY_LEFT_SHIFT, GLFW_KEY_RIGHT_SHIFT);
  io.KeyAlt = down(GLFW_KEY_LEFT_ALT, GLFW_KEY_RIGHT_ALT);
  io.KeySuper = down(GLFW_KEY_LEFT_SUPER, GLFW_KEY_RIGHT_SUPER);
#endif
}

void InputFeed::Give(const InputEvent& event) {
  ImGuiIO& io = ImGui::GetIO();
  const auto code = static_cast<std::size_t>(event.code);
  if (event.kind == Kind::kText) {
    io.AddInputCharacter(static_cast<unsigned>(event.code));
    return;
  }
  if (event.kind == Kind::kMove) mouse_ = ImVec2(event.x, event.y);
  if (event.kind == Kind::kButton && code < buttons_.size()) buttons_[code] = event.down;
  if (event.kind == Kind::kWheel) {
    io.MouseWheelH += event.x;
    io.MouseWheel += event.y;
  }
  if (event.kind != Kind::kKey) return;
#if IMGUI_VERSION_NUM < 18700
  if (code < std::size(io.KeysDown)) io.KeysDown[code] = event.down;
#else
  io.AddKeyEvent(ImGuiMod_Ctrl, (event.mods & GLFW_MOD_CONTROL) != 0);
  io.AddKeyEvent(ImGuiMod_Shift, (event.mods & GLFW_MOD_SHIFT) != 0);
  for (const auto& [name, key] : kKeys) {
    if (key == event.code) io.AddKeyEvent(static_cast<ImGuiKey>(name), event.down);
  }
#endif
}

void MapKeys() {
#if IMGUI_VERSION_NUM < 18700
  for (const auto& [name, key] : kKeys) ImGui::GetIO().KeyMap[name] = key;
#endif
}

}  // namespace slip::app
