// Frames of a study's run, drawn without a screen: for its report.
#pragma once

#include "app/report/study_picture.h"
#include "engine/core/stop.h"

namespace slip::app {

/// Draws on the calling thread, in a context of its own; `stop` is asked between steps.
DrawFrames FramesWithoutScreen(StopPoll stop);

}  // namespace slip::app
