// The presenter's keys and clicks, over everything.
#pragma once

#include <string>

#include "app/state/frame_marks.h"
#include "app/state/key_echo.h"

namespace slip::app {

/// A key went down outside of a text box: it is shown for a while. `now` is the session's clock
/// [s].
void EchoKey(const std::string& label, double now, KeyEcho* echo);
/// At the foot of the picture; `in_video`: a live video has it, too.
void DrawKeyEcho(double now, const Rect& view, bool in_video, KeyEcho* own, FrameMarks* marks);

}  // namespace slip::app
