// EGL surfaceless, one framebuffer, ImGui's own OpenGL backend. No GLFW: it needs a display.
#include "tests/support/ui_harness.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <glad/gl.h>
#include <imgui.h>

#include <algorithm>
#include <cstring>

#include "app/kit/widget_registry.h"

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#include <imgui/backends/imgui_impl_opengl3.h>
#include <stb/stb_image_write.h>

namespace slip::test {

UiHarness::UiHarness(const Options& options) : options_(options) {
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.DisplaySize = {static_cast<float>(options.width), static_cast<float>(options.height)};
  io.DeltaTime = 1.0f / 60.0f;
  io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
#if IMGUI_VERSION_NUM < 18700
  for (int key = 0; key < ImGuiKey_COUNT; ++key) io.KeyMap[key] = key;
#endif
  if (options.pictures) ok_ = StartGl();
  app::SetTheme(options.theme, options.scale);
  if (!options.pictures || !ok_) {
#if IMGUI_VERSION_NUM >= 19200
    io.BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
#else
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    io.Fonts->GetTexDataAsAlpha8(&pixels, &width, &height);
#endif
  }
  app::EnableWidgetRegistry(true);
  MoveMouse({-1000, -1000});
}

UiHarness::~UiHarness() {
  if (options_.pictures && ok_) StopGl();
}

bool UiHarness::StartGl() {
  const auto get_display = reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(
      eglGetProcAddress("eglGetPlatformDisplayEXT"));
  if (!get_display) return false;
  EGLDisplay display = get_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
  if (!eglInitialize(display, nullptr, nullptr) || !eglBindAPI(EGL_OPENGL_API)) return false;
  const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION,
                               3,
                               EGL_CONTEXT_MINOR_VERSION,
                               3,
                               EGL_CONTEXT_OPENGL_PROFILE_MASK,
                               EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                               EGL_NONE};
  EGLContext context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
  if (context == EGL_NO_CONTEXT) return false;
  if (!eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) return false;
  if (!gladLoadGL(reinterpret_cast<GLADloadfunc>(eglGetProcAddress))) return false;
  display_ = display;
  context_ = context;
  glGenTextures(1, &texture_);
  glBindTexture(GL_TEXTURE_2D, texture_);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, options_.width, options_.height, 0, GL_RGBA,
               GL_UNSIGNED_BYTE, nullptr);
  glGenFramebuffers(1, &framebuffer_);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture_, 0);
  return ImGui_ImplOpenGL3_Init("#version 330");
}

void UiHarness::StopGl() {
  ImGui_ImplOpenGL3_Shutdown();
  glDeleteFramebuffers(1, &framebuffer_);
  glDeleteTextures(1, &texture_);
  eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  eglDestroyContext(display_, context_);
}

void UiHarness::Frame(const std::function<void()>& draw) {
  if (options_.pictures && ok_) ImGui_ImplOpenGL3_NewFrame();
  ImGui::NewFrame();
  app::BeginWidgetFrame();
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
  ImGui::Begin("screen", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoSavedSettings);
  draw();
  ImGui::End();
  ImGui::Render();
  const ImDrawData* data = ImGui::GetDrawData();
  vertices_ = data->TotalVtxCount;
  largest_ = 0;
  for (int i = 0; i < data->CmdListsCount; ++i) {
    const ImDrawList* list = data->CmdLists[i];
    for (const ImDrawCmd& command : list->CmdBuffer) {
      unsigned last = 0;
      for (unsigned k = 0; k < command.ElemCount; ++k) {
        const auto index = static_cast<int>(command.IdxOffset + k);
        last = std::max(last, static_cast<unsigned>(list->IdxBuffer[index]));
      }
      // an index past the buffer is the sign of an overflow
      IM_ASSERT(command.ElemCount == 0 ||
                static_cast<int>(command.VtxOffset + last) < list->VtxBuffer.Size);
      largest_ = std::max(largest_, static_cast<int>(last) + 1);
    }
  }
  if (options_.pictures && ok_) {
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    glViewport(0, 0, options_.width, options_.height);
    glClearColor(0, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  }
}

void UiHarness::Frames(int count, const std::function<void()>& draw) {
  for (int i = 0; i < count; ++i) Frame(draw);
}

bool UiHarness::SavePng(const std::string& path) {
  if (!options_.pictures || !ok_) return false;
  const auto stride = static_cast<std::size_t>(options_.width) * 4;
  std::vector<uint8_t> pixels(stride * static_cast<std::size_t>(options_.height));
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, options_.width, options_.height, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
  for (std::size_t i = 3; i < pixels.size(); i += 4) pixels[i] = 255;
  stbi_flip_vertically_on_write(1);
  return stbi_write_png(path.c_str(), options_.width, options_.height, 4, pixels.data(),
                        static_cast<int>(stride)) != 0;
}

void UiHarness::MoveMouse(ImVec2 position) {
#if IMGUI_VERSION_NUM >= 18700
  ImGui::GetIO().AddMousePosEvent(position.x, position.y);
#else
  ImGui::GetIO().MousePos = position;
#endif
}

void UiHarness::Button(int button, bool down) {
#if IMGUI_VERSION_NUM >= 18700
  ImGui::GetIO().AddMouseButtonEvent(button, down);
#else
  ImGui::GetIO().MouseDown[button] = down;
#endif
}

void UiHarness::Wheel(float steps) {
#if IMGUI_VERSION_NUM >= 18700
  ImGui::GetIO().AddMouseWheelEvent(0, steps);
#else
  ImGui::GetIO().MouseWheel = steps;
#endif
}

void UiHarness::Keys(bool ctrl, bool shift) {
#if IMGUI_VERSION_NUM >= 18900
  ImGui::GetIO().AddKeyEvent(ImGuiMod_Ctrl, ctrl);
  ImGui::GetIO().AddKeyEvent(ImGuiMod_Shift, shift);
#else
  ImGui::GetIO().KeyCtrl = ctrl;
  ImGui::GetIO().KeyShift = shift;
#endif
}

void UiHarness::TypeText(std::string_view utf8) {
  ImGui::GetIO().AddInputCharactersUTF8(std::string(utf8).c_str());
}

void UiHarness::Enter(bool down) {
#if IMGUI_VERSION_NUM >= 18700
  ImGui::GetIO().AddKeyEvent(ImGuiKey_Enter, down);
#else
  ImGui::GetIO().KeysDown[ImGuiKey_Enter] = down;
#endif
}

ImVec2 UiHarness::Place(std::string_view id, ImVec2 at, bool* found) const {
  const app::WidgetRecord* record = app::FindWidget(id);
  *found = record != nullptr;
  if (!record) return {0, 0};
  return {record->min.x + at.x * (record->max.x - record->min.x),
          record->min.y + at.y * (record->max.y - record->min.y)};
}

bool UiHarness::Click(std::string_view id, const std::function<void()>& draw, ImVec2 at) {
  bool found = false;
  const ImVec2 place = Place(id, at, &found);
  if (!found) return false;
  MoveMouse(place);
  Frame(draw);
  Button(0, true);
  Frame(draw);
  Button(0, false);
  Frame(draw);
  return true;
}

bool UiHarness::Drag(std::string_view id, ImVec2 from, ImVec2 to, const std::function<void()>& draw,
                     int button) {
  bool found = false;
  const ImVec2 a = Place(id, from, &found), b = Place(id, to, &found);
  if (!found) return false;
  MoveMouse(a);
  Frame(draw);
  Button(button, true);
  Frame(draw);
  constexpr int kSteps = 5;
  for (int i = 1; i <= kSteps; ++i) {
    const float t = static_cast<float>(i) / kSteps;
    MoveMouse({a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)});
    Frame(draw);
  }
  Button(button, false);
  Frame(draw);
  return true;
}

}  // namespace slip::test
