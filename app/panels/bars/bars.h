// The bars above and below: menu, tools, status.
#pragma once

#include <string_view>

#include "app/panels/record/record.h"
#include "app/state/action_states.h"
#include "app/state/frame_marks.h"
#include "app/state/machine.h"
#include "app/state/message_card.h"
#include "app/state/requests.h"
#include "app/state/tabs.h"
#include "app/state/view_state.h"

namespace slip::app {

void DrawMenuBar(const Rect& rect, const ActionStates& states, Requests* requests);

/// What the buttons and chips of the tool bar show and change.
struct ToolBarParts {
  const Session& session;
  const Regions& regions;
  const StableSteps& stable_steps;
  bool picker_open, studies_open;  ///< what is open, buttons that are down
  bool from_studies;               ///< the scene is one that a study shows
  bool presenter, record_open;
  const LiveRecording* live;  ///< null when what is shown is not recorded
  Compare& compare;
  FrameMarks& marks;
  Requests& requests;
};
/// "Split 2", as on its button.
std::string_view CompareLabel(Compare compare);
void DrawToolBar(const ToolBarParts& parts);

/// `machine` is null where it is not to be shown.
void DrawStatusBar(const Session& session, const Rect& rect, const Machine* machine,
                   const Videos& videos, MessageCard* card, Requests* requests);

}  // namespace slip::app
