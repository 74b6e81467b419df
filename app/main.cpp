// Reads the command line and hands over to one command.
#include <string>
#include <type_traits>
#include <variant>

#include "app/cli/commands.h"
#include "app/cli/print.h"
#include "app/window.h"

namespace slip::app {
namespace {

/// The arguments as they could be typed again, for meta.json.
std::string CommandLine(int argc, char** argv) {
  std::string text = "slipscope";
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const bool plain =
        word.find_first_of(" '\"$&|;<>()*?[]\\") == std::string::npos && !word.empty();
    text += plain ? " " + word : " '" + word + "'";
  }
  return text;
}

int Main(int argc, char** argv) {
  AnyOptions options;
  if (const auto exit = ParseCommandLine(argc, argv, &options)) return *exit;
  if (const auto* run = std::get_if<RunOptions>(&options))
    return RunCommand(*run, CommandLine(argc, argv));
  if (const auto* sweep = std::get_if<SweepOptions>(&options))
    return SweepCommand(*sweep, CommandLine(argc, argv));
  if (const auto* solve = std::get_if<SolveOptions>(&options)) return SolveCommand(*solve);
  if (const auto* list = std::get_if<ListOptions>(&options)) return ListCommand(*list);
  if (const auto* show = std::get_if<ShowOptions>(&options)) return ShowCommand(*show);
  if (const auto* check = std::get_if<CheckOptions>(&options)) return CheckCommand(*check);
  if (const auto* doctor = std::get_if<DoctorOptions>(&options)) return DoctorCommand(*doctor);
  if (const auto* render = std::get_if<RenderOptions>(&options)) return RenderCommand(*render);
  return RunWindow(std::get<WindowOptions>(options));
}

}  // namespace
}  // namespace slip::app

int main(int argc, char** argv) { return slip::app::Main(argc, argv); }
