#include "app/host/glfw_input.h"

#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>

namespace slip::app {
namespace {

using Kind = InputEvent::Kind;

#if IMGUI_VERSION_NUM >= 18700
void GiveToImGui(GLFWwindow* window, const InputEvent& event) {
  const int action = event.repeat ? GLFW_REPEAT : event.down ? GLFW_PRESS : GLFW_RELEASE;
  const auto x = static_cast<double>(event.x), y = static_cast<double>(event.y);
  switch (event.kind) {
    case Kind::kMove:
      return ImGui_ImplGlfw_CursorPosCallback(window, x, y);
    case Kind::kButton:
      return ImGui_ImplGlfw_MouseButtonCallback(window, event.code, action, event.mods);
    case Kind::kWheel:
      return ImGui_ImplGlfw_ScrollCallback(window, x, y);
    case Kind::kKey:
      return ImGui_ImplGlfw_KeyCallback(window, event.code, glfwGetKeyScancode(event.code), action,
                                        event.mods);
    case Kind::kText:
      return ImGui_ImplGlfw_CharCallback(window, static_cast<unsigned>(event.code));
  }
}
#endif

}  // namespace

GlfwInput* GlfwInput::Of(GLFWwindow* window) {
  return static_cast<GlfwInput*>(glfwGetWindowUserPointer(window));
}

void GlfwInput::Touch(GLFWwindow* window) { Of(window)->last_input_ = glfwGetTime(); }

void GlfwInput::Push(GLFWwindow* window, const InputEvent& event) {
  Touch(window);
  Of(window)->feed_.Push(event);
}

GlfwInput::GlfwInput(GLFWwindow* window, Ui* ui)
    : window_(window), ui_(ui), last_input_(glfwGetTime()) {
  glfwSetWindowUserPointer(window, this);
  glfwSetCursorPosCallback(window, [](GLFWwindow* w, double x, double y) {
    Push(w, {.x = static_cast<float>(x), .y = static_cast<float>(y)});
  });
  glfwSetMouseButtonCallback(window, [](GLFWwindow* w, int button, int action, int mods) {
    Push(w, {.kind = Kind::kButton, .code = button, .down = action == GLFW_PRESS, .mods = mods});
  });
  glfwSetScrollCallback(window, [](GLFWwindow* w, double x, double y) {
    Push(w, {.kind = Kind::kWheel, .x = static_cast<float>(x), .y = static_cast<float>(y)});
  });
  glfwSetKeyCallback(window, [](GLFWwindow* w, int key, int, int action, int mods) {
    if (key < 0) return;  // GLFW has no name for it
    Push(w, {.kind = Kind::kKey,
             .code = key,
             .down = action != GLFW_RELEASE,
             .repeat = action == GLFW_REPEAT,
             .mods = mods});
  });
  glfwSetCharCallback(window, [](GLFWwindow* w, unsigned character) {
    Push(w, {.kind = Kind::kText, .code = static_cast<int>(character)});
  });
  glfwSetDropCallback(window, [](GLFWwindow* w, int count, const char** paths) {
    Touch(w);
    Of(w)->ui_->requests.session().files().Load(std::vector<std::string>(paths, paths + count));
  });
  glfwSetWindowContentScaleCallback(window, [](GLFWwindow* w, float scale, float) {
    Touch(w);
    Of(w)->ui_->content_scale = static_cast<double>(scale);
  });
  glfwSetWindowRefreshCallback(window, [](GLFWwindow* w) { Touch(w); });
}

void GlfwInput::Feed() {
#if IMGUI_VERSION_NUM >= 18700
  // our queue knows which frame an event is for; a second one behind it would delay it once more
  ImGui::GetIO().ConfigInputTrickleEventQueue = false;
  feed_.Feed(ui_, [this](const InputEvent& event) { GiveToImGui(window_, event); });
#else
  feed_.Feed(ui_);
#endif
}

}  // namespace slip::app
