// The user's own keys: keys.json beside the other settings, one entry per action,
//   { "run_pause": "Ctrl+Space", "step": ["Right", "."], "quit": [] }
// An entry replaces all keys of its action. The file is only read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/state/actions.h"

namespace slip::app {

/// $XDG_CONFIG_HOME/slipscope/keys.json; empty without a home.
std::string KeysFile();

struct KeysRead {
  KeyTable keys;                      ///< defaults where the text says nothing or something wrong
  std::vector<std::string> problems;  ///< one sentence each, with a "did you mean"
};
/// What the text of a keys.json asks for. A bad entry leaves its action's default keys.
KeysRead ReadKeys(std::string_view text, KeyNamer namer = nullptr);

/// Puts the file's keys in force and returns what is wrong with it; no file, no problem.
std::vector<std::string> LoadKeys(const std::string& file, KeyMap* keys);

}  // namespace slip::app
