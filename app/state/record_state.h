// The card "Record" and the video that is being made.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/session/record_settings.h"

namespace slip::app {

struct RecordState {
  RecordSettings settings;  ///< saved
  bool open = false;        ///< the card
  bool start = false;       ///< asked for on the card; begun when the frame is drawn
  std::string name;         ///< of the next video; empty = to be found
  bool asked = false;       ///< the engine is telling what was done
  bool quit_asked = false;
  bool quit_after = false;   ///< the window closes when the live video is whole
  bool folds_right = false;  ///< a live video of view and plots is made: no panel between them
  int64_t frames = 0;        ///< of the video being made
  double fps = 60;
  double countdown = 3;               ///< before a live one begins [s]
  std::vector<std::string> end_card;  ///< of a video, over everything; empty = not yet
};

}  // namespace slip::app
