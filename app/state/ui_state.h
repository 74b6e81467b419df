// What the window remembers beside the session: regions, tabs, toggles, selection, open pop-ups.
// Plain data, by who uses it; the part that outlives a run is saved by settings.cpp.
#pragma once

#include "app/plots/creep_distance.h"
#include "app/state/key_changes.h"
#include "app/state/message_card.h"
#include "app/state/mouse_state.h"
#include "app/state/picked.h"
#include "app/state/plots_state.h"
#include "app/state/popups.h"
#include "app/state/record_state.h"
#include "app/state/shell.h"
#include "app/state/studies_view.h"
#include "app/state/tabs.h"
#include "app/state/time_line_state.h"
#include "app/state/view_state.h"

namespace slip::app {

struct UiState {
  Shell shell;
  KeptScenes kept;
  StudiesView studies;
  Picked picked;
  // The picture.
  ViewState view;
  MouseState mouse;
  ModelTags tags;
  LabelPlaces labels;
  CreepDistances creep;
  LabelNumbers label_numbers;
  MessageCard message_card;
  KeyChanges key_changes;
  // Plots and time line.
  PlotsState plots;
  TimeLineState time_line;
  // Tabs.
  LessonTab lesson;
  ParametersTab parameters;
  ParamRows param_rows;
  JointsView joints;
  BranchEdit branch_edit;
  ContactsTab contacts;
  DialectsDrawer dialects;
  SolverTab solver;
  CheckTab check;
  // Over everything.
  Popups popups;
  RecordState record;
};

}  // namespace slip::app
