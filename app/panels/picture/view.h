// The picture: one pane, or one per channel, with the mouse on it and what lies over it.
#pragma once

#include "app/plots/creep_distance.h"
#include "app/state/action_states.h"
#include "app/state/frame_marks.h"
#include "app/state/message_card.h"
#include "app/state/mouse_state.h"
#include "app/state/plots_state.h"
#include "app/state/popups.h"
#include "app/state/requests.h"
#include "app/state/shell.h"
#include "app/state/tabs.h"
#include "app/view/pane.h"
#include "app/view/shown.h"
#include "app/view/view_panes.h"

namespace slip::app {

/// What the panes, the mouse on them, their menu and their overlays read and write.
struct ViewParts {
  const Session& session;
  const Rect& rect;
  const Shell& shell;
  const JointsView& joints;
  const ActionStates& actions;
  ViewState& view;
  CameraRig& rig;
  ViewPanes& panes;
  Picked& picked;
  MouseState& mouse;
  ModelTags& tags;
  LabelPlaces& labels;
  CreepDistances& creep;
  LabelNumbers& label_numbers;
  MessageCard& card;
  PlotsState& plots;
  Popups& popups;
  FrameMarks& marks;
  Requests& requests;
};
void DrawView(const ViewParts& parts);

/// What can be done with the selected body or contact, opened by a right click on the picture.
void DrawViewMenu(const Session& session, const ActionStates& states, ViewState* view,
                  Picked* picked, PlotsState* plots, Requests* requests);
/// What lies over the picture: readouts, gap instrument, labels, legend, triad.
void DrawOverlays(const ViewParts& parts, const Pane& pane);

}  // namespace slip::app
