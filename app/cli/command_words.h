// The words of the command line: commands, and what 'list' can list.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/options.h"

namespace slip::app {

std::vector<std::string> ListWords();
/// "scenes, models, ... or dialects"
std::string ListChoices();
/// "mjcf (MuJoCo's own format), ...", from the table.
std::string FormatChoices();
/// False after an error was printed.
bool CheckList(const ListOptions& options);

/// The exit code after an error was printed, where the first argument is no command, scene or path:
/// "no command or scene 'rnu' (did you mean 'run'?)".
std::optional<int> CheckFirstWord(std::string_view word);

}  // namespace slip::app
