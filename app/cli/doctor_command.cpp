// doctor: what this build is, what it found, where it looks. The first thing to send with a report.
#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <imgui.h>
#include <unistd.h>

#include <Eigen/Core>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "app/cli/build_info.h"
#include "app/cli/commands.h"
#include "app/cli/graphics_info.h"
#include "app/host/print.h"
#include "engine/core/json_writer.h"
#include "engine/fclib/fclib_helper.h"
#include "engine/geometry/mesh_helper.h"
#include "engine/geometry/shape_formats.h"
#include "engine/mujoco/version.h"
#include "engine/ode/version.h"
#include "engine/scene/scene.h"
#include "engine/solver/kernels6.h"

namespace slip::app {
namespace {

/// Full path of a program on PATH, or empty.
std::string FindProgram(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::string rest = path == nullptr ? "" : path;
  while (!rest.empty()) {
    const std::size_t colon = rest.find(':');
    const std::filesystem::path file = std::filesystem::path(rest.substr(0, colon)) / name;
    if (access(file.c_str(), X_OK) == 0) return file.string();
    rest = colon == std::string::npos ? "" : rest.substr(colon + 1);
  }
  return {};
}

std::string Variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// The variant of the solver's kernels in use, and those that could be.
std::string Kernels() {
  std::string all;
  for (int i = 0; const Kernels6* each = FindKernels6(i); ++i) {
    all += (i > 0 ? ", " : "") + std::string(each->name);
  }
  const std::string used = GetKernels6().name, wanted = Variable("SLIPSCOPE_KERNELS");
  const bool ignored = !wanted.empty() && wanted != used;
  return fmt::format("{} (of {}){}", used, all,
                     ignored ? "; SLIPSCOPE_KERNELS=" + wanted + " is none of them" : "");
}

}  // namespace

int DoctorCommand(const DoctorOptions& options) {
  const GraphicsInfo graphics = QueryGraphics();
  const std::string encoder = FindProgram("ffmpeg");
  std::vector<std::vector<std::string>> rows = {
      {"version", Version()},
      {"build", BuildText()},
      {"eigen",
       fmt::format("{}.{}.{}", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION)},
      {"fmt",
       fmt::format("{}.{}.{}", FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100)},
      {"imgui", ImGui::GetVersion()},
      {"glfw", glfwGetVersionString()},
      {"graphics", graphics.ok ? "yes" : "no: " + graphics.problem},
      {"gl_vendor", graphics.vendor},
      {"gl_renderer", graphics.renderer},
      {"gl_version", graphics.version},
      {"gl_route", graphics.route},
      {"display", Variable("DISPLAY") + Variable("WAYLAND_DISPLAY")},
      {"encoder",
       encoder.empty() ? "none: ffmpeg is not on PATH; videos become picture sequences" : encoder},
      {"meshes", MeshLibrary().empty() ? "OBJ: built without Assimp"
                                       : MeshFormatNames() + " through " + MeshLibrary()},
      {"contact_problems", WhyNoFclib().empty() ? "ours, and FCLIB's through " + FclibLibrary()
                                                : "ours alone: " + WhyNoFclib()},
      {"mujoco",
       WhyNoMujoco().empty() ? std::string(MujocoVersion()) : "no: " + std::string(WhyNoMujoco())},
      {"ode", WhyNoOde().empty() ? std::string(OdeVersion()) + " double"
                                 : "no: " + std::string(WhyNoOde())},
      {"processors", std::to_string(std::thread::hardware_concurrency())},
      {"kernels", Kernels()},
      {"scenes", fmt::format("{} ({} found)", SceneFolder(), ListScenes().size())},
  };
  if (!options.json) return Print(FormatTable(rows, {false, false})) ? kExitDone : kExitFailed;
  JsonWriter json;
  json.BeginObject();
  for (const auto& row : rows) json.Text(row[0], row[1]);
  json.EndObject();
  return Print(json.Take()) ? kExitDone : kExitFailed;
}

}  // namespace slip::app
