// Draws the user interface without a window: an ImGui context with injected input, and on demand an
// off-screen OpenGL context (EGL surfaceless) that turns frames into PNG files.
#pragma once

#include <imgui.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "app/kit/kit.h"

namespace slip::test {

class UiHarness {
 public:
  struct Options {
    int width = 1280, height = 720;  ///< pixels
    float scale = 1;
    app::Theme theme = app::Theme::kDark;
    bool pictures = false;  ///< needs EGL; see ok()
  };
  explicit UiHarness(const Options& options);
  ~UiHarness();
  UiHarness(const UiHarness&) = delete;
  UiHarness& operator=(const UiHarness&) = delete;

  /// False when pictures were asked for and no off-screen context could be made.
  bool ok() const { return ok_; }

  /// One frame of 1/60 s: `draw` inside a window that fills the screen.
  void Frame(const std::function<void()>& draw);
  void Frames(int count, const std::function<void()>& draw);
  /// The last frame as PNG. False without pictures.
  bool SavePng(const std::string& path);
  /// Vertices and draw commands of the last frame.
  int vertices() const { return vertices_; }
  int largest_command_vertices() const { return largest_; }

  // One change of state per frame, as a hand would do.
  void MoveMouse(ImVec2 position);
  void Button(int button, bool down);
  void Wheel(float steps);
  void Keys(bool ctrl, bool shift);
  void TypeText(std::string_view utf8);
  void Enter(bool down);
  /// Moves onto the widget, presses and releases, a frame each. False when there is none.
  bool Click(std::string_view id, const std::function<void()>& draw, ImVec2 at = {0.5f, 0.5f});
  /// Drags from one place of a widget to another (0..1 of its rectangle).
  bool Drag(std::string_view id, ImVec2 from, ImVec2 to, const std::function<void()>& draw,
            int button = 0);

 private:
  bool StartGl();
  void StopGl();
  ImVec2 Place(std::string_view id, ImVec2 at, bool* found) const;

  app::Kit kit_;
  Options options_;
  bool ok_ = true;
  int vertices_ = 0, largest_ = 0;
  void* display_ = nullptr;  // EGLDisplay
  void* context_ = nullptr;  // EGLContext
  unsigned framebuffer_ = 0, texture_ = 0;
};

}  // namespace slip::test
