// The visible window: GLFW, pacing, screenshots, settings.
#include "app/host/window.h"
#include "app/frame/record_actions.h"
#include "app/session/autosave.h"
#include "app/session/live_recording.h"
#include "engine/core/output_file.h"
#include "engine/core/side_work.h"
#include "engine/core/thread_stop.h"

#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <fmt/format.h>
#include <glad/gl.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <thread>
#include <vector>

#include "app/host/exit_code.h"
#include "app/host/glfw_input.h"
#include "app/host/keys_file.h"
#include "app/host/least_size.h"
#include "app/host/print.h"
#include "app/host/process.h"
#include "app/host/settings.h"
#include "engine/core/user_folder.h"
#include "render/gl/gl.h"

namespace slip::app {
namespace {

/// What opens sooner than this opens at once [s]; a window that stands still longer looks dead.
constexpr double kPatience = 0.1;
// Of a frame, for measuring recorded runs [s].
constexpr double kForeignBudget = 4e-3;
// The scene it opens with is worth a longer one before the first picture [s].
constexpr double kFirstPatience = 1;

constexpr double kFramePeriod = 1.0 / 60;
// With nothing to show but a blinking caret the processor may rest [s].
constexpr double kIdleWait = 0.1, kIdleAfter = 0.5;

struct Host {
  Ui* ui = nullptr;
  GlfwInput* input = nullptr;
  bool own_keys = false;  ///< keys.json holds
  std::string caps = {};  ///< of the keyboard, as last seen
  double caps_seen = 0;
};

int Fail(const std::string& what) {
  const char* why = nullptr;
  glfwGetError(&why);
  PrintError(why != nullptr ? what + ": " + why : what,
             "without a window: slipscope render SCENE -o picture.png, or video.mp4");
  return kExitGraphics;
}

/// Asked before GLFW is: the libraries that it tries write lines of their own where there is none.
bool HasDisplay() {
  for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"}) {
    const char* value = std::getenv(name);
    if (value != nullptr && *value != '\0') return true;
  }
  return false;
}

/// The free part of the screen, without task bars; zero without a monitor.
WindowSize ScreenRoom() {
  WindowSize room;
  int x = 0, y = 0;
  if (GLFWmonitor* monitor = glfwGetPrimaryMonitor())
    glfwGetMonitorWorkarea(monitor, &x, &y, &room.width, &room.height);
  return room;
}

/// Window coordinates per point of the user interface. They are pixels under X11 and points under
/// Wayland, where the picture has more pixels than the window has coordinates.
double CoordinatesPerPoint(GLFWwindow* window, double ui_scale) {
  int width = 0, pixels = 0, height = 0;
  glfwGetWindowSize(window, &width, &height);
  glfwGetFramebufferSize(window, &pixels, &height);
  return pixels > 0 && width > 0 ? ui_scale * width / pixels : ui_scale;
}

void SaveScreenshot(Ui* ui, int width, int height) {
  const std::string scene = ui->session.scene() != nullptr ? ui->session.scene()->id : "empty";
  const std::string path = FreeName("slipscope-" + scene, "png");
  std::error_code ignored;
  const Status status = render::WritePng(render::ReadPixels(0, width, height), path, false);
  ui->requests.session().Say(status.ok() ? "Screenshot written to " +
                                               std::filesystem::absolute(path, ignored).string()
                                         : "Screenshot failed: " + status.error().message);
}

void SetFullScreen(GLFWwindow* window, bool on, WindowSize* windowed, int* x, int* y) {
  GLFWmonitor* monitor = glfwGetPrimaryMonitor();
  const GLFWvidmode* mode = monitor != nullptr ? glfwGetVideoMode(monitor) : nullptr;
  if (on && mode != nullptr) {
    glfwGetWindowSize(window, &windowed->width, &windowed->height);
    glfwGetWindowPos(window, x, y);
    glfwSetWindowMonitor(window, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
  } else if (!on && glfwGetWindowMonitor(window) != nullptr) {
    glfwSetWindowMonitor(window, nullptr, *x, *y, windowed->width, windowed->height, 0);
  }
}

/// What is wrong with the user's keys, as one card.
void ReportKeys(Session* session, const std::vector<std::string>& problems, KeyMap* keys) {
  if (problems.empty()) return;
  constexpr std::size_t kMost = 4;
  Message message;
  message.level = Message::Level::kWarning;
  message.what = problems.size() == 1
                     ? "An entry of keys.json was not taken."
                     : fmt::format("{} entries of keys.json were not taken.", problems.size());
  message.where = KeysFile();
  for (std::size_t i = 0; i < std::min(kMost, problems.size()); ++i)
    message.advice += problems[i] + "\n";
  if (problems.size() > kMost)
    message.advice += fmt::format("... and {} more.\n", problems.size() - kMost);
  message.advice += "These actions keep their usual keys; the file is untouched.";
  message.actions.push_back(
      {"Read it again", [keys](Session* s) { ReportKeys(s, LoadKeys(KeysFile(), keys), keys); }});
  session->Post(std::move(message));
}

/// Puts in force what the caps of the keyboard say now: at the start, and when somebody has
/// changed the layout, which no callback of GLFW tells.
void ReadLayout(Host* host, Session* session) {
  constexpr double kEvery = 1;  // [s]
  const double now = glfwGetTime();
  if (!host->caps.empty() && now - host->caps_seen < kEvery) return;
  host->caps_seen = now;
  KeyMap& keys = host->ui->keys;
  std::string caps = AllCaps(keys.namer);
  if (caps == host->caps) return;
  host->caps = std::move(caps);
  if (host->own_keys) {
    ReportKeys(session, LoadKeys(host->ui->keys_file, &keys), &keys);
  } else {
    keys.table = DefaultKeys(keys.namer);
  }
#if IMGUI_VERSION_NUM < 18700
  // until then ImGui's own clipboard keys are places on a US keyboard
  for (const auto& [imgui_key, us_key] : {std::pair{ImGuiKey_A, GLFW_KEY_A},
                                          {ImGuiKey_C, GLFW_KEY_C},
                                          {ImGuiKey_V, GLFW_KEY_V},
                                          {ImGuiKey_X, GLFW_KEY_X},
                                          {ImGuiKey_Y, GLFW_KEY_Y},
                                          {ImGuiKey_Z, GLFW_KEY_Z}}) {
    const int key = KeyShowing(us_key, keys.namer);
    ImGui::GetIO().KeyMap[imgui_key] = key != 0 ? key : us_key;
  }
#endif
}

class GlfwLife {
 public:
  GlfwLife() : ok_(glfwInit() == GLFW_TRUE) {}
  ~GlfwLife() {
    if (ok_) glfwTerminate();
  }
  bool ok() const { return ok_; }

 private:
  bool ok_;
};

void Loop(GLFWwindow* window, Host* host, const UiSetup& setup) {
  Ui* ui = host->ui;
  Session& session = ui->requests.session();
  LivePainter painter;
  WindowSize windowed{1600, 900};
  int window_x = 0, window_y = 0;
  int64_t drawn = 0;
  double last = glfwGetTime(), busy = 0;
  bool told_autosave = false;
  // a video on its way is ended or asked about first
  const auto closes = [window, ui] {
    if (glfwWindowShouldClose(window) == GLFW_FALSE) return false;
    if (!KeepsFromQuitting(ui)) return true;
    glfwSetWindowShouldClose(window, GLFW_FALSE);
    return false;
  };
  // a signal ends the loop as closing the window does, so that the settings are kept
  while (!ui->state.shell.quit && !closes() && Interrupted() == 0) {
    const bool moving = session.playback().playing() || session.changed() ||
                        ui->rig.camera.Update(0) || session.Card() != nullptr ||
                        ui->thumbnails.busy() || ui->live != nullptr || HasMoreSlices() ||
                        host->input->waiting() ||
                        glfwGetTime() - host->input->last_input() < kIdleAfter;
    if (moving || setup.frames > 0) {
      glfwPollEvents();
    } else {
      glfwWaitEventsTimeout(kIdleWait);
    }
    const double start = glfwGetTime();
    const double dt = std::clamp(start - last, 1e-4, 0.25);
    last = start;
    ui->machine.fps += 0.1 * (1 / dt - ui->machine.fps);
    const bool was_full = ui->state.shell.full_screen;
    ReadLayout(host, &session);
    session.Update(start);
    const double stepped = StartsThreads() ? 0 : glfwGetTime() - start;
    if (!told_autosave && !session.experiments().autosave_problem().empty()) {
      told_autosave = true;
      PrintError("this session is not saved every second: " +
                 session.experiments().autosave_problem());
    }
    int width = 0, height = 0;
    glfwGetWindowSize(window, &width, &height);
    ui->most_scale = MostScale({static_cast<float>(width), static_cast<float>(height)});
    ApplyTheme(ui);
    ApplyQuality(ui, start);
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    host->input->Feed();
    ImGui::NewFrame();
    DrawUi(ui, ImGui::GetIO().DisplaySize, dt);
    ImGui::Render();
    glfwGetFramebufferSize(window, &width, &height);
    glViewport(0, 0, width, height);
    ClearFrame();
    painter.Paint(ui, 0, width, height);
    if (ui->state.shell.screenshot) {
      ui->state.shell.screenshot = false;
      SaveScreenshot(ui, width, height);
    }
    FinishPlotExport(ui);
    ui->requests.Perform();
    glfwSwapBuffers(window);
    if (ui->state.shell.full_screen != was_full) {
      SetFullScreen(window, ui->state.shell.full_screen, &windowed, &window_x, &window_y);
    }
    busy = glfwGetTime() - start;
    ui->quality.Frame(busy - stepped);  // drawing alone
    if (setup.frames > 0 && ++drawn >= setup.frames) break;
    // Not every driver waits for the screen.
    if (busy < kFramePeriod)
      std::this_thread::sleep_for(std::chrono::duration<double>(kFramePeriod - busy));
  }
}

/// With a context of OpenGL 3.3, and not yet shown: its size takes the scale of the monitor.
GLFWwindow* MakeWindow() {
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
  GLFWwindow* window = glfwCreateWindow(1600, 900, "Slipscope", nullptr, nullptr);
  if (window == nullptr) return nullptr;
  glfwSetWindowSizeLimits(window, kLeastWidth, kLeastHeight, GLFW_DONT_CARE, GLFW_DONT_CARE);
  glfwMakeContextCurrent(window);
  glfwSwapInterval(1);
  return window;
}

void ShowWindow(GLFWwindow* window, const UiSetup& setup, Ui* ui, WindowSize* size) {
  float content_scale = 1, unused = 1;
  glfwGetWindowContentScale(window, &content_scale, &unused);
  ui->content_scale = setup.scale > 0 ? setup.scale : static_cast<double>(content_scale);
  *size = FirstSize(*size, CoordinatesPerPoint(window, ui->content_scale), ScreenRoom());
  glfwSetWindowSize(window, size->width, size->height);
  glfwShowWindow(window);
}

std::unique_ptr<Kit> StartKit(GLFWwindow* window, const Ui& ui) {
  std::unique_ptr<Kit> kit = StartImGui();
  SetTheme(ui.state.shell.shown_theme(), ui.scale());
  // those for keys and mouse are of GlfwInput
  ImGui_ImplGlfw_InitForOpenGL(window, false);
  glfwSetWindowFocusCallback(window, ImGui_ImplGlfw_WindowFocusCallback);
  glfwSetCursorEnterCallback(window, ImGui_ImplGlfw_CursorEnterCallback);
  ImGui_ImplOpenGL3_Init("#version 330 core");
  return kit;
}

/// What was asked for, or the scene of the last session, or the first of all.
Result<std::shared_ptr<const Scene>> SceneToOpen(const UiSetup& setup, const std::string& last) {
  if (setup.scene != nullptr) return setup.scene;
  if (!last.empty()) {
    // it may have gone, and nobody waits for it who has given up
    const ThreadStop stop([] { return Interrupted() != 0; });
    if (const auto found = FindScene(last); found.ok()) return *found;
  }
  return FirstScene();
}

void OpenScene(std::shared_ptr<const Scene> scene, const UiSetup& setup, Session* session) {
  session->files().SetPatience(kPatience);
  session->files().foreign().SetBudget(kForeignBudget);
  session->files().foreign().Ask(setup.foreign);
  session->files().Open(std::move(scene), nullptr, [session, &setup] {
    session->params().Schedule(setup.changes);
    session->playback().SetPlaying(!setup.paused);
  });
  const double asked = glfwGetTime();
  while (session->files().opening() && Interrupted() == 0 &&
         (setup.frames > 0 || glfwGetTime() - asked < kFirstPatience)) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    session->Update(glfwGetTime());
  }
  // its first contacts take long: the window shows another until then, and after a Cancel
  if (!session->files().opening()) return;
  if (const auto first = FirstScene(); first.ok()) session->files().ShowMeanwhile(*first);
}

/// From the first picture to the last one; the program's exit code. `settings`: those of the user
/// hold, and what is done is kept.
int RunIn(GLFWwindow* window, const UiSetup& setup, bool settings, Host* host) {
  Ui* ui = host->ui;
  if (const std::string error = ui->panes.Start(); !error.empty()) {
    std::fprintf(stderr, "slipscope: %s\n", error.c_str());
    return kExitGraphics;
  }
  const std::string last = settings ? ui->state.kept.last_scene : std::string();
  Result<std::shared_ptr<const Scene>> scene = SceneToOpen(setup, last);
  if (!scene.ok()) {
    for (const Error& error : scene.errors())
      std::fprintf(stderr, "slipscope: %s\n", error.Text().c_str());
    return kExitInput;
  }
  Session* session = &ui->requests.session();
  OpenScene(std::move(scene).value(), setup, session);
  host->own_keys = settings;
  if (!setup.experiment.empty()) session->files().OpenExperiment(setup.experiment);
  if (!setup.study.empty()) session->files().Load(setup.study);
  if (settings) session->experiments().StartAutosave(StateFolder());
  Loop(window, host, setup);
  return 0;
}

}  // namespace

int RunUi(const UiSetup& setup) {
  if (!HasDisplay()) return Fail("cannot open a window: there is no display");
  GlfwLife glfw;
  if (!glfw.ok()) return Fail("cannot open a window");
  CatchInterrupts();
  const bool settings = setup.frames == 0;
  auto session = std::make_unique<Session>(MakeThreadLink());
  session->experiments().SetContext(setup.context);
  session->playback().SetStaged(true);
  Ui ui(session.get());
  WindowSize size;
  if (settings) {
    LoadSettings(SettingsFile(), &ui.state, &size);
    ui.thumbnails.set_folder(Thumbnails::UserFolder());
    session->files().studies().KeepIn(UserCacheFolder("studies"));
  }
  // a scene that was asked for starts as its file says
  if (setup.scene != nullptr) ui.state.kept.restore.reset();
  GLFWwindow* window = MakeWindow();
  if (window == nullptr) return Fail("cannot open an OpenGL 3.3 window");
  if (const Status gl = render::LoadGl(reinterpret_cast<GLADloadfunc>(glfwGetProcAddress));
      !gl.ok()) {
    std::fprintf(stderr, "slipscope: %s\n", gl.error().Text().c_str());
    return kExitGraphics;
  }
  GlfwInput input(window, &ui);
  Host host{&ui, &input};
  ui.keys.namer = [](int key) { return glfwGetKeyName(key, 0); };
  ui.keys_file = KeysFile();
  ui.machine.gl_renderer = render::GlDescription();
  ui.machine.software_gl = ui.machine.gl_renderer.find("llvmpipe") != std::string::npos;
  const Theme own_theme = ui.state.shell.theme;
  if (setup.theme) ui.state.shell.theme = *setup.theme;
  ShowWindow(window, setup, &ui, &size);
  std::unique_ptr<Kit> kit = StartKit(window, ui);
  const int code = RunIn(window, setup, settings, &host);
  if (settings && code == 0) {
    if (glfwGetWindowMonitor(window) == nullptr)
      glfwGetWindowSize(window, &size.width, &size.height);
    ui.state.kept.restore = ui.rig.Unmoved();
    // what the command line asks for is for this time
    if (setup.theme && ui.state.shell.theme == *setup.theme) ui.state.shell.theme = own_theme;
    PrintErrors(SaveSettings(SettingsFile(), ui.state, size).errors());
  }
  ui.thumbnails.Stop();
  ui.panes.Stop();
  ImGui_ImplOpenGL3_Shutdown();
  ImGui_ImplGlfw_Shutdown();
  kit.reset();
  glfwDestroyWindow(window);
  constexpr int kSignalExit = 128;  // as shells say it: 130, 143
  return code == 0 && Interrupted() != 0 ? kSignalExit + Interrupted() : code;
}

}  // namespace slip::app
