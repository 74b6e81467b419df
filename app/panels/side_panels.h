// The panels left and right of the picture, and what their tabs need.
#pragma once

#include "app/plots/difference.h"
#include "app/state/layout.h"
#include "app/state/mouse_state.h"
#include "app/state/picked.h"
#include "app/state/plots_state.h"
#include "app/state/popups.h"
#include "app/state/requests.h"
#include "app/state/shell.h"
#include "app/state/tabs.h"
#include "app/state/view_state.h"

namespace slip::app {

/// What the tabs of the inspector read and write.
struct InspectParts {
  const Session& session;
  Shell& shell;
  Picked& picked;
  PlotsState& plots;
  ContactsTab& contacts;
  SolverTab& solver;
  ParamRows& rows;
  DifferenceStore& differences;
  Requests& requests;
};
/// Tab strip and the chosen tab.
void DrawInspect(const InspectParts& parts);
void DrawRight(const Rect& rect, const InspectParts& parts);

/// What the tabs of the left panel read and write.
struct LeftParts {
  const Rect& rect;
  bool narrow;  ///< the inspector is one of its tabs
  const InspectParts& inspect;
  LessonTab& lesson;
  ParametersTab& parameters;
  JointsView& joints;
  BranchEdit& branch_edit;
  ViewState& view;
  MouseState& mouse;
  Popups& popups;
};
void DrawLeft(const LeftParts& parts);

}  // namespace slip::app
