// What GLFW tells of hands, queued for the frames to come.
#pragma once

#include "app/host/feed_input.h"

struct GLFWwindow;

namespace slip::app {

class GlfwInput {
 public:
  /// Takes the window's user pointer and its callbacks.
  GlfwInput(GLFWwindow* window, Ui* ui);
  GlfwInput(const GlfwInput&) = delete;
  GlfwInput& operator=(const GlfwInput&) = delete;

  /// Between the backend's part of the frame and ImGui::NewFrame.
  void Feed();
  bool waiting() const { return feed_.waiting(); }
  /// On GLFW's clock [s].
  double last_input() const { return last_input_; }

 private:
  static GlfwInput* Of(GLFWwindow* window);
  static void Push(GLFWwindow* window, const InputEvent& event);
  static void Touch(GLFWwindow* window);

  [[maybe_unused]] GLFWwindow* window_;
  Ui* ui_;
  InputFeed feed_;
  double last_input_;
};

}  // namespace slip::app
