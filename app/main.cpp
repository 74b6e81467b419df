// Reads the command line and hands over to one command.
#include <type_traits>
#include <variant>

#include "app/cli/build_info.h"
#include "app/cli/commands.h"
#include "app/host/process.h"
#include "engine/core/helper_process.h"
#include "engine/fclib/fclib_helper.h"
#include "engine/geometry/mesh_helper.h"

namespace slip::app {
namespace {

int Main(int argc, char** argv) {
  AnyOptions options;
  if (const auto exit = ParseCommandLine(argc, argv, &options)) return *exit;
  if (const auto* run = std::get_if<RunOptions>(&options))
    return run->suite.empty() ? RunCommand(*run, CommandLine(argc, argv)) : SuiteCommand(*run);
  if (const auto* study = std::get_if<StudyOptions>(&options))
    return StudyCommand(*study, CommandLine(argc, argv));
  if (const auto* sweep = std::get_if<SweepOptions>(&options))
    return SweepCommand(*sweep, CommandLine(argc, argv));
  if (const auto* fit = std::get_if<FitOptions>(&options))
    return FitCommand(*fit, CommandLine(argc, argv));
  if (const auto* solve = std::get_if<SolveOptions>(&options)) return SolveCommand(*solve);
  if (const auto* list = std::get_if<ListOptions>(&options)) return ListCommand(*list);
  if (const auto* show = std::get_if<ShowOptions>(&options)) return ShowCommand(*show);
  if (const auto* check = std::get_if<CheckOptions>(&options)) return CheckCommand(*check);
  if (const auto* replay = std::get_if<ReplayOptions>(&options)) return ReplayCommand(*replay);
  if (const auto* doctor = std::get_if<DoctorOptions>(&options)) return DoctorCommand(*doctor);
  if (const auto* made = std::get_if<ExportOptions>(&options)) return ExportCommand(*made);
  if (const auto* made = std::get_if<DialectOptions>(&options)) return DialectCommand(*made);
  const RunContext context{CommandLine(argc, argv), Version(), BuildText()};
  if (auto* render = std::get_if<RenderOptions>(&options)) {
    render->context = context;
    return RenderCommand(*render);
  }
  WindowOptions window = std::get<WindowOptions>(options);
  window.context = context;
  return WindowCommand(window);
}

}  // namespace
}  // namespace slip::app

int main(int argc, char** argv) {
  if (const auto words = slip::BeginHelper(argc, argv)) {
    slip::ServeFclib(*words);
    slip::ServeMeshHelper(*words);
  }
  slip::app::PrepareProcess();
  try {
    return slip::app::Main(argc, argv);
  } catch (...) {
    slip::app::PrintException();
  }
  return slip::app::kExitFailed;
}
