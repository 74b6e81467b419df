// The time line, the note that is edited over it, and the stretch that is selected on it.
#pragma once

#include <cstdint>
#include <string>

#include "app/session/session.h"
#include "app/state/plots_state.h"
#include "app/state/requests.h"
#include "app/state/time_line_state.h"

namespace slip::app {

/// "×1/50", as on its button.
std::string SpeedText(double speed);
/// `pulling`: a body is pulled, and the mark of it grows. True when the tab of branches is asked
/// for.
bool DrawTimeLine(const Session& session, const Rect& rect, const PlotsState& plots, bool pulling,
                  TimeLineState* own, Requests* requests);
/// Opens the box in which the text of a note is typed.
void EditNote(const Session& session, uint64_t note, NoteEdit* edit, Requests* requests);
/// Over the time line, at the note that is edited; `x` = its place [px].
void DrawNoteBox(const Session& session, float x, const Rect& time_line, NoteEdit* edit,
                 Requests* requests);
/// Statistics, loop and export of the stretch that is selected on the time line.
void DrawRangeCard(const Session& session, const Rect& time_line, const PlotsState& plots,
                   TimeRange* own, Requests* requests);
/// Moves on in the stretch that is shown again and again. Once per frame.
void ShowLoop(const Session& session, TimeRange* range, Requests* requests);

}  // namespace slip::app
