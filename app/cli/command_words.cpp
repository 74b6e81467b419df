#include "app/cli/command_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "app/cli/commands.h"
#include "app/host/print.h"
#include "app/host/process.h"
#include "engine/core/param_text.h"
#include "engine/export/export.h"
#include "engine/scene/scene.h"

namespace slip::app {
namespace {

constexpr std::array<std::string_view, 14> kCommands = {
    "run",    "compare", "sweep", "study", "fit",    "replay",  "solve",
    "render", "list",    "show",  "check", "export", "dialect", "doctor"};
/// What 'list' can list.
constexpr std::array<const char*, 10> kLists = {"scenes",   "models", "laws",    "parameters",
                                                "signals",  "robots", "studies", "keys",
                                                "dialects", "suites"};

}  // namespace

std::vector<std::string> ListWords() { return {kLists.begin(), kLists.end()}; }

std::string ListChoices() {
  return fmt::format("{} or {}", fmt::join(kLists.begin(), kLists.end() - 1, ", "), kLists.back());
}

std::string FormatChoices() {
  std::string text;
  for (const ExportFormat& format : ExportFormats())
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", format.id, format.doc);
  return text;
}

bool CheckList(const ListOptions& options) {
  if (options.scene.empty() || options.what == "signals") return true;
  PrintError("'list " + options.what + "' takes no scene", "only 'list signals SCENE' does");
  return false;
}

std::optional<int> CheckFirstWord(std::string_view word) {
  if (word.empty() || word.front() == '-') return std::nullopt;
  if (std::find(kCommands.begin(), kCommands.end(), word) != kCommands.end()) return std::nullopt;
  std::vector<std::string> scenes = ListScenes();
  const std::vector<std::string> large = ListLargeScenes();
  scenes.insert(scenes.end(), large.begin(), large.end());
  if (std::find(scenes.begin(), scenes.end(), word) != scenes.end()) return std::nullopt;
  // What looks like a path is one; reading it tells what is wrong with it.
  const std::filesystem::path path(word);
  std::error_code ignored;
  if (path.has_parent_path() || path.has_extension() || std::filesystem::exists(path, ignored))
    return std::nullopt;
  std::vector<std::string_view> known(kCommands.begin(), kCommands.end());
  known.insert(known.end(), scenes.begin(), scenes.end());
  PrintError(fmt::format("no command or scene '{}'", word.substr(0, 80)), DidYouMean(word, known));
  return kExitUsage;
}

}  // namespace slip::app
