// The place of the studies: what it shows in place of the scene.
#pragma once

#include <string>

#include "app/session/playback.h"

namespace slip {
struct Scene;
}

namespace slip::app {

/// Which studies the list shows.
enum class StudyFilter : int { kAll, kHold, kKnown, kFail, kRun };

struct StudiesView {
  bool open = false, was_open = false;
  /// The scene that "Show me" has opened in place of the studies, while it is there: Escape and a
  /// button lead back.
  const Scene* shown = nullptr;
  Playback::Moment before;    ///< how the scene played when it was opened
  int opened_seen = 0;        ///< Studies::opened
  std::string file;           ///< of the chosen study
  std::string listed;         ///< the one whose row was brought into sight
  std::size_t listed_of = 0;  ///< among so many
  std::string seen;           ///< the one whose beginning is in sight, as long as nobody scrolls
  std::string search;
  StudyFilter filter = StudyFilter::kAll;
  std::size_t run = 0, point = 0;  ///< of the chosen one: what "Show me" opens
};

}  // namespace slip::app
