// The window without a screen: own context, own framebuffer, own input, stepped time.
#include <backends/imgui_impl_opengl3.h>
#include <glad/gl.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/frame/record_actions.h"
#include "app/host/keys_file.h"
#include "app/host/process.h"
#include "app/host/window.h"
#include "app/kit/widget_registry.h"
#include "engine/core/thread_stop.h"
#include "render/gl/gl.h"
#include "render/gl/offscreen.h"

namespace slip::app {

Result<std::unique_ptr<OffscreenUi>> OffscreenUi::Create(const UiSetup& setup, int width,
                                                         int height) {
  Result<std::shared_ptr<const Scene>> scene =
      setup.scene != nullptr ? Result<std::shared_ptr<const Scene>>(setup.scene) : FirstScene();
  if (!scene.ok()) return scene.errors();
  Result<std::unique_ptr<render::OffscreenContext>> context = render::OffscreenContext::Create();
  if (!context.ok()) return context.errors();
  std::unique_ptr<OffscreenUi> out(new OffscreenUi);
  out->context_ = std::move(context).value();
  auto link = std::make_unique<SteppedLink>();
  out->link_ = link.get();
  const StopPoll stop = setup.stop ? setup.stop : [] { return Interrupted() != 0; };
  out->link_->SetStop(stop);
  out->session_ = std::make_unique<Session>(std::move(link));
  out->session_->playback().SetStaged(setup.staged);
  out->ui_ = std::make_unique<Ui>(out->session_.get());
  Ui& ui = *out->ui_;
  if (setup.theme) ui.state.shell.theme = *setup.theme;
  ui.content_scale = setup.scale > 0 ? setup.scale : 1;
  ui.keys_file = KeysFile();
  ui.machine.gl_renderer = render::GlDescription();
  ui.machine.software_gl = ui.machine.gl_renderer.find("llvmpipe") != std::string::npos;
  ui.state.shell.only = setup.only;
  ui.state.shell.shows_machine = setup.shows_machine;
  ui.state.shell.reduced_motion = true;  // a picture does not wait for a flight
  out->kit_ = StartImGui();
  MapKeys();
  SetTheme(ui.state.shell.shown_theme(), ui.scale());
  ImGui_ImplOpenGL3_Init("#version 330 core");
  out->MakeTarget(width, height);
  if (const std::string error = ui.panes.Start(); !error.empty()) return Error{error, "", 0, 0, ""};
  ui.panes.PaintLater(true);
  {
    const ThreadStop on_this(stop);
    out->session_->files().Open(std::move(scene).value(), setup.paths, {}, setup.tracks);
  }
  out->session_->params().Schedule(setup.changes);
  out->session_->files().foreign().Ask(setup.foreign);
  if (!setup.plots.empty()) {
    SetUpScene(&ui);  // else before the first frame
    ui.state.plots.count = static_cast<int>(setup.plots.size());
  }
  for (std::size_t i = 0; i < setup.plots.size() && i < ui.state.plots.slots.size(); ++i) {
    ui.state.plots.slots[i].Choose(setup.plots[i]);
  }
  if (setup.look) {
    out->session_->Update(0);  // knows its channels from now on
    SetUpScene(&ui);
    ApplyLook(*setup.look, &ui);
    ui.requests.Perform();
  }
  out->session_->playback().SetPlaying(!setup.paused);
  return out;
}

OffscreenUi::~OffscreenUi() {
  if (ui_ != nullptr) {
    ui_->thumbnails.Stop();
    ui_->panes.Stop();
  }
  if (kit_ != nullptr) {
    kit_->MakeCurrent();
    ImGui_ImplOpenGL3_Shutdown();
  }
}

void OffscreenUi::MakeTarget(int width, int height) {
  width_ = std::clamp(width, 1, 16384);
  height_ = std::clamp(height, 1, 16384);
  target_ = render::MakeColourTarget(width_, height_);
  has_before_ = false;
}

void OffscreenUi::Resize(int width, int height) { MakeTarget(width, height); }

void OffscreenUi::Skip(double seconds) {
  now_ += seconds;
  skipped_ += seconds;
  link_->RunFor(seconds);
  session_->RenewNumbers();
  session_->Update(now_);
}

void OffscreenUi::Frame(double seconds) {
  // Clicks take time on the session's clock even when the simulation stands still.
  const double dt = std::max(seconds, 1.0 / 60);
  link_->RunFor(seconds);
  LayOut(dt);
}

void OffscreenUi::SkipTo(double time) {
  now_ += std::max(0.0, time - session_->snapshot().time);
  // how far a recorded run is from the channels is told from what was on the screen
  const bool beside =
      session_->files().foreign().waiting() || session_->files().foreign().count() > 0;
  constexpr double kFrame = 1.0 / 60;
  for (double at = session_->snapshot().time + kFrame; beside && at < time; at += kFrame) {
    link_->RunTo(at);
    session_->Update(now_);
  }
  link_->RunTo(time);
  session_->RenewNumbers();
  session_->Update(now_);
}

void OffscreenUi::FrameAt(double time, double seconds) {
  link_->RunTo(time);
  LayOut(std::max(seconds, 1.0 / 1000));
}

void OffscreenUi::LayOut(double dt) {
  now_ += dt;
  session_->Update(now_);
  ui_->machine.fps = 60;
  kit_->MakeCurrent();
  ui_->most_scale = MostScale({static_cast<float>(width_), static_cast<float>(height_)});
  ApplyTheme(ui_.get());
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = ImVec2(static_cast<float>(width_), static_cast<float>(height_));
  // its clock is the session's
  io.DeltaTime = static_cast<float>(dt + std::exchange(skipped_, 0));
  io.MousePos = mouse_;
  for (int i = 0; i < 3; ++i) io.MouseDown[i] = buttons_[i];
  io.MouseWheel = wheel_;
#if IMGUI_VERSION_NUM >= 18900
  io.AddKeyEvent(ImGuiMod_Ctrl, ctrl_);
  io.AddKeyEvent(ImGuiMod_Shift, shift_);
#else
  io.KeyCtrl = ctrl_;
  io.KeyShift = shift_;
#endif
  wheel_ = 0;
  if (!typed_.empty()) io.AddInputCharactersUTF8(typed_.c_str());
  typed_.clear();
  feed_.Feed(ui_.get());
  ImGui_ImplOpenGL3_NewFrame();
  ImGui::NewFrame();
  DrawUi(ui_.get(), io.DisplaySize, dt);
  ImGui::Render();
  painted_ = false;
  // a live video has every frame, also those that nobody reads
  if (ui_->live != nullptr) Paint();
  FinishPlotExport(ui_.get());
  ui_->requests.Perform();
}

void OffscreenUi::Paint() const {
  ui_->panes.Paint(*session_);
  glBindFramebuffer(GL_FRAMEBUFFER, target_.framebuffer.id());
  glViewport(0, 0, width_, height_);
  glDisable(GL_SCISSOR_TEST);
  ClearFrame();
  painter_.Paint(ui_.get(), target_.framebuffer.id(), width_, height_);
  painted_ = true;
}

render::Image OffscreenUi::Read() const {
  if (!painted_) Paint();
  return render::ReadPixels(target_.framebuffer.id(), width_, height_);
}

render::Image OffscreenUi::ReadBefore() {
  ui_->panes.PaintLater(false);  // a film has every frame
  render::Image image;
  if (has_before_) {
    image = render::ReadPixels(before_.framebuffer.id(), width_, height_);
  } else {
    before_ = render::MakeColourTarget(width_, height_);
  }
  Paint();
  glFlush();
  std::swap(target_, before_);
  has_before_ = true;
  return image;
}

render::Image OffscreenUi::Read(const Rect& rect) const {
  return render::Crop(Read(), static_cast<int>(rect.min.x), static_cast<int>(rect.min.y),
                      static_cast<int>(rect.width()), static_cast<int>(rect.height()));
}

void OffscreenUi::Click(ImVec2 position, int button) {
  MoveMouse(position);
  Frame(0);
  SetButton(button, true);
  Frame(0);
  SetButton(button, false);
  Frame(0);
}

bool OffscreenUi::Click(const std::string& widget, int button) {
  const WidgetRecord* record = FindWidget(widget);
  if (record == nullptr) return false;
  Click(ImVec2((record->min.x + record->max.x) / 2, (record->min.y + record->max.y) / 2), button);
  return true;
}

void OffscreenUi::Drag(ImVec2 from, ImVec2 to) {
  MoveMouse(from);
  Frame(0);
  SetButton(0, true);
  Frame(0);
  // Two moves: the first may only be taken as the start of a drag.
  MoveMouse(ImVec2((from.x + to.x) / 2, (from.y + to.y) / 2));
  Frame(0);
  MoveMouse(to);
  Frame(0);
  SetButton(0, false);
  Frame(0);
}

}  // namespace slip::app
