// What the time line shows, the stretch that is selected on it, and the note that is edited.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/session/time_range.h"
#include "app/state/layout.h"

namespace slip::app {

/// The note whose text is typed.
struct NoteEdit {
  uint64_t note = 0;  ///< 0 = none
  std::string text;
  bool opened = false;
  bool fresh = false;  ///< the note was made with this box
};

/// What the drag on the time line that is under way moves; else the time shown.
struct TimeDrag {
  bool selecting = false;  ///< a stretch
  uint64_t note = 0;       ///< opens this one when it ends
};

/// A note on the time line, as drawn in the last frame.
struct NotePlace {
  uint64_t note = 0;
  Rect rect;
};

struct TimeLineState {
  bool show_mark_labels = true, contact_ticks = true;  ///< saved
  bool high = false;  ///< there are other branches: they lie below its spine
  TimeRange range;
  TimeDrag drag;
  NoteEdit note_edit;
  std::vector<NotePlace> notes;
};

}  // namespace slip::app
