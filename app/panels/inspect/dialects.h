// One contact in the words of other engines, in place of the tabs of the right panel.
#pragma once

#include "app/panels/common/tab.h"

namespace slip::app {

/// While UiState::dialects is open.
void DrawDialects(const TabContext& context);

}  // namespace slip::app
