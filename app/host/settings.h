// What the window remembers from run to run, in $XDG_CONFIG_HOME/slipscope/window.txt.
#pragma once

#include <string>

#include "app/state/ui_state.h"
#include "engine/core/result.h"

namespace slip::app {

struct WindowSize {
  int width = 0, height = 0;  ///< 0 = never saved
};

std::string SettingsFile();
/// Leaves what the file does not name as it is; a missing or damaged file changes nothing.
void LoadSettings(const std::string& file, UiState* state, WindowSize* size);
/// Whole file or nothing; errors name what could not be written.
Status SaveSettings(const std::string& file, const UiState& state, const WindowSize& size);

}  // namespace slip::app
