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

  /// What a tab remembers and nobody else looks at; as T begins, at first.
  template <typename T>
  T& Own(TabId tab) const {
    std::any& own = state.of_tabs[static_cast<std::size_t>(tab)];
    if (!own.has_value()) own = T();
    return std::any_cast<T&>(own);
  }
};

}  // namespace slip::app
