// The marks of the time line: what people did and what the solver had to say.
#pragma once

#include <algorithm>

#include "app/session/session.h"
#include "app/state/time_line_state.h"

namespace slip::app {

/// Where times are on the line; positions in pixels.
struct Spine {
  float x0 = 0, x1 = 0, y = 0;
  double start = 0, end = 1;
  bool high = false;  ///< notes and pulls have a row of their own above the other marks
  float X(double time) const {
    const double unit = end > start ? (time - start) / (end - start) : 0;
    return x0 + static_cast<float>(std::clamp(unit, 0.0, 1.0)) * (x1 - x0);
  }
  double Time(float x) const {
    const float unit = x1 > x0 ? (x - x0) / (x1 - x0) : 0;
    return start + static_cast<double>(std::clamp(unit, 0.0f, 1.0f)) * (end - start);
  }
};

/// Above the spine what people did, below it what the solver had to say. True when the mouse is on
/// one of the marks, which then says what it is.
bool DrawTimeMarks(const Session& session, const Spine& spine, float top, bool pulling,
                   TimeLineState* own);

}  // namespace slip::app
