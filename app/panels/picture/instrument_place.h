// Where the instrument of a scene is drawn, and the one that has a file of its own.
#pragma once

#include "app/kit/widgets.h"
#include "app/session/session.h"
#include "app/state/frame_marks.h"
#include "app/view/pane.h"

namespace slip::app {

struct InstrumentPlace {
  ImVec2 at;
  InstrumentForm form;
};

/// What an instrument's scale looks back on [s]: two seconds for whoever looks at a run, so that it
/// does not jump with every step. A moment that is looked at has the scale of its own.
double LookBack(const Session& session, int channel);

/// In the upper right corner of the picture; overlays keep clear of it from then on.
InstrumentPlace TakePlace(const Session& session, const Pane& pane, FrameMarks* marks);

/// Whether the table of numbers has a row for the scene's closed form.
bool HasClosedFormRow(const Session& session);
/// Numbers that the scene names: bars of the first one. True when its sign for help is clicked.
bool DrawNumbers(const Session& session, const Pane& pane, bool shows_machine, FrameMarks* marks);

}  // namespace slip::app
