// What the window remembers beside the session: regions, tabs, toggles, selection, open pop-ups.
// Plain data, by who uses it; the part that outlives a run is saved by settings.cpp.
#pragma once

#include <any>
#include <array>

#include "app/plots/crept_ways.h"
#include "app/state/key_changes.h"
#include "app/state/message_card.h"
#include "app/state/mouse_state.h"
#include "app/state/picked.h"
#include "app/state/plots_state.h"
#include "app/state/popups.h"
#include "app/state/record_state.h"
#include "app/state/shell.h"
#include "app/state/tabs.h"
#include "app/state/time_line_state.h"
#include "app/state/view_state.h"

namespace slip::app {

struct UiState {
  Shell shell;
  KeptScenes kept;
  Picked picked;
  // The picture.
  ViewState view;
  MouseState mouse;
  ModelTags tags;
  LabelPlaces labels;
  CreptWays crept;
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
  SolverTab solver;
  std::array<std::any, static_cast<std::size_t>(TabId::kCount)> of_tabs;  ///< TabContext::Own
  // Over everything.
  Popups popups;
  RecordState record;
};

}  // namespace slip::app
