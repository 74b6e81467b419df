// What a tab of a side panel reads and writes.
#pragma once

#include "app/kit/data_table.h"
#include "app/plots/difference.h"
#include "app/session/session.h"
#include "app/state/layout.h"
#include "app/state/requests.h"
#include "app/state/tab.h"
#include "app/state/ui_state.h"

namespace slip::app {

struct TabContext {
  const Session& session;
  const Rect& rect;  ///< of the panel
  UiState& state;
  DifferenceStore& differences;
  Requests& requests;
};

}  // namespace slip::app
